// A payment service, companions, a shop's backend and customers on real sockets, with a simulated
// network on each link, one clock that tests move, and final accounts that must be right: nothing
// lost, nothing twice.
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { setMaxListeners } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import type { Notice, PaymentList } from '../../server/contract/index.ts'
import { createSandbox } from '../../demo/sandbox/sandbox.ts'
import { createCompanionClient } from '../../widget/client/companion-client.ts'
import { paymentClient } from '../../widget/client/payment-client.ts'
import type { Created } from '../../widget/client/payment-client.ts'
import { watchDeposit } from '../../widget/client/deposit-stream.ts'
import type { Deposit } from '../../widget/base/types.ts'
import { kenyanDeposit, keys, newKey, wallets } from '../helpers/create-test-system.ts'
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts'
import { companionProcess, type CompanionProcess } from './companion-process.ts'

export const LINKS = ['customers', 'webhooks', 'service', 'receiver', 'database'] as const
export type LinkName = (typeof LINKS)[number]

/**
 * One customer with one purchase: the widget's own client, its key for retries, and all that was on
 * the screen.
 */
export interface Payment {
  readonly payer: string
  readonly created: Promise<Created>
  /** Views in the order they were shown. */
  readonly views: Deposit[]
  stop(): void
}

interface Told {
  readonly id: string
  readonly body: string
}

export interface World {
  readonly links: Readonly<Record<Exclude<LinkName, 'database'>, TcpProxy>> & { readonly database?: TcpProxy }
  readonly companions: readonly CompanionProcess[]
  /**
   * Which companion takes the customers, and which the service's callbacks; at first the first and
   * the last.
   */
  lead(customersTo: number, webhooksTo: number): void
  /** Customers who begin to pay now. */
  begin(count: number): Payment[]
  /**
   * Moves the clock until each of them has an answer to its create: after a crash in the middle of
   * one that takes half a minute.
   */
  created(payments: readonly Payment[]): Promise<void>
  /**
   * What happened at the hosted checkout. Does nothing for a payment that never reached the
   * service.
   */
  settle(payments: readonly Payment[], ending?: 'confirm' | 'decline'): Promise<void>
  advance(seconds: number): Promise<void>
  /**
   * Moves the clock until every payment has ended, everywhere, as the service says; then checks the
   * books.
   */
  end(payments: readonly Payment[]): Promise<void>
  /** Every notice the backend took, repeats included. */
  readonly told: readonly Told[]
  close(): Promise<void>
}

export interface WorldOptions {
  /** `file:…`, or `postgres://…`, which then gets a link of its own. Default: a file. */
  readonly database?: string
  readonly companions?: number
}

/** Real time. Only a test that hangs comes near it. */
const PATIENCE_MS = 300_000
/** Below the time limits of the tests, so that one that does not heal says what is wrong. */
const HEALING_MS = 100_000
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

/** What the widget expects of a page, as far as its stream does. */
function pretendPage(): void {
  const page = globalThis as { document?: unknown; window?: unknown }
  const targets = [new EventTarget(), new EventTarget()] as const
  // Each payment is a customer of its own here, all of them in one page.
  setMaxListeners(0, ...targets)
  page.document ??= Object.assign(targets[0], { hidden: false })
  page.window ??= targets[1]
}

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  pretendPage()
  const folder = mkdtempSync(join(tmpdir(), 'hc-world-'))
  let ahead = 0
  let payers = 0
  const told: Told[] = []
  const servers: Server[] = []

  async function serve(listener: Parameters<typeof createServer>[1]): Promise<number> {
    const server = createServer(listener)
    server.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    servers.push(server)
    return (server.address() as AddressInfo).port
  }

  async function bodyOf(request: IncomingMessage): Promise<string> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }

  // The shop's backend: believes what is signed whole, and writes it down before it answers.
  const receiverPort = await serve((request, response) => {
    bodyOf(request).then(
      (body) => {
        const id = String(request.headers['webhook-id'])
        const at = new Date(Number(request.headers['webhook-timestamp']) * 1000)
        const genuine = String(request.headers['webhook-signature'])
          .split(' ')
          .includes(new Webhook(keys.notifySecret).sign(id, at, body))
        if (genuine) told.push({ id, body })
        response.writeHead(genuine ? 204 : 401).end()
      },
      () => response.destroy(),
    )
  })

  const sandboxPort = await serve((request, response) => void answer(request, response))
  const service = await startTcpProxy(sandboxPort)
  const serviceUrl = `http://${service.address}`
  const sandbox = createSandbox({
    database: ':memory:',
    publicUrl: serviceUrl,
    merchant: {
      businessId: keys.businessId,
      consumerKey: keys.consumerKey,
      consumerSecret: keys.consumerSecret,
      publicKey,
      wallets,
      name: 'Duka la Jua',
    },
    now: () => Date.now() + ahead,
    random: (bytes) => randomBytes(bytes),
    agent: false,
    allowHttpResultUrl: true,
    rate: false,
  })
  const answer = getRequestListener((request, env) => sandbox.app.fetch(request, env))
  sandbox.start()

  const receiver = await startTcpProxy(receiverPort)
  const customers = await startTcpProxy(1)
  const webhooks = await startTcpProxy(1)
  const given = options.database ?? `file:${join(folder, 'companion.db')}`
  const address = given.startsWith('postgres') ? new URL(given) : undefined
  const database = address && (await startTcpProxy(Number(address.port)))
  if (address && database) address.port = String(database.port)

  const environment = {
    NODE_ENV: 'test',
    HC_AUTH_URL: serviceUrl,
    HC_BASE_URL: serviceUrl,
    HC_CONSUMER_KEY: keys.consumerKey,
    HC_CONSUMER_SECRET: keys.consumerSecret,
    HC_PRIVATE_KEY: privateKey,
    HC_BUSINESS_ID: keys.businessId,
    HC_WALLETS: Object.entries(wallets)
      .map((pair) => pair.join(':'))
      .join(','),
    HC_PUBLIC_URL: `http://${webhooks.address}`,
    HC_CHECKOUT_ORIGINS: serviceUrl,
    HC_DATABASE_URL: address?.href ?? given,
    HC_SECRET: keys.secret,
    HC_MERCHANT_KEY: keys.merchantKey,
    HC_NOTIFY_URL: `http://${receiver.address}/notices`,
    HC_NOTIFY_SECRET: keys.notifySecret,
    HC_ALERT_SILENT_MINUTES: '0',
    HC_RATE: '100000',
  }
  const companions = Array.from({ length: options.companions ?? 1 }, () => companionProcess(environment))
  for (const companion of companions) await companion.start()
  const lead = (customersTo: number, webhooksTo: number) => {
    customers.lead(companions[customersTo]?.port() ?? 1)
    webhooks.lead(companions[webhooksTo]?.port() ?? 1)
  }
  lead(0, companions.length - 1)

  const client = paymentClient(createCompanionClient(`http://${customers.address}`))

  /** As the widget does: the same key until there is a clear answer. */
  async function create(payer: string): Promise<Created> {
    const key = newKey()
    const body = kenyanDeposit({
      payer: { name: payer, phone: '0712345678' },
      bankCode: undefined,
    }) as unknown as Parameters<typeof client.create>[0]
    for (const patience = performance.now() + PATIENCE_MS; ; await pause(100)) {
      try {
        return await client.create(body, key)
      } catch (error) {
        if (performance.now() > patience) throw error
      }
    }
  }

  function beginOne(): Payment {
    const payer = `Payer ${(payers += 1)}`
    const views: Deposit[] = []
    let stop = () => {}
    const created = create(payer)
    created.then(
      ({ id, token }) => {
        stop = watchDeposit(client, id, token, {
          onDeposit: (view) => void views.push(view),
          onSilence: () => {},
          onGone: () => true,
          onTold: () => {},
          onLeave: () => {},
        })
      },
      () => undefined,
    )
    return { payer, created, views, stop: () => stop() }
  }

  interface Transaction {
    readonly id: string
    readonly reference: string
    readonly status: string
    readonly payer: { readonly name: string }
  }
  async function ask<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await sandbox.app.request(`${serviceUrl}/console/api${path}`, init)
    return ((await response.json()) as { data: T }).data
  }
  async function truth(): Promise<Map<string, Transaction[]>> {
    return Map.groupBy(await ask<Transaction[]>('/transactions?limit=1000'), ({ payer }) => payer.name)
  }

  async function advance(seconds: number): Promise<void> {
    // Clocks tell whole milliseconds.
    ahead += Math.round(seconds * 1000)
    for (const companion of companions) companion.setAhead(ahead)
    void sandbox.tick()
    await pause(100)
  }

  const backend = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://${customers.address}${path}`, {
      headers: { authorization: `Bearer ${keys.merchantKey}` },
    })
    return (await response.json()) as T
  }
  const noticesOf = (id: string) => {
    const all = told.map(({ id: webhookId, body }) => ({ id: webhookId, body, notice: JSON.parse(body) as Notice }))
    return all.filter(({ notice }) => notice.data.paymentId === id)
  }

  /** What is still wrong with a payment; undefined when it has ended rightly for everyone. */
  async function wrong(payment: Payment, known: Map<string, Transaction[]>): Promise<string | undefined> {
    const deposit = await Promise.race([payment.created, pause(0)])
    if (!deposit) return 'has no answer to its create'
    const real = known.get(payment.payer)?.[0]
    const shown = payment.views.at(-1)?.phase ?? 'nothing'
    // A create that never arrived: "not found" proves nothing, so it is given up by customers and
    // asked about on.
    if (real === undefined && shown === 'abandoned') return undefined
    const ends = real === undefined ? ['rejected'] : real.status === 'SUCCESS' ? ['succeeded'] : ['failed', 'expired']
    if (!ends.includes(shown)) return `shows ${shown}, should be ${ends.join(' or ')}`
    const type = `payment.${shown === 'rejected' ? 'failed' : shown}`
    const heard = noticesOf(deposit.id).map(({ notice }) => notice.type)
    return heard.some((one) => one === type)
      ? undefined
      : `the backend heard ${heard.join(', ') || 'nothing'}, not ${type}`
  }

  async function end(payments: readonly Payment[]): Promise<void> {
    let step = 2
    let rest = 0
    for (const patience = performance.now() + HEALING_MS; ;) {
      const known = await truth()
      const wrongs = (
        await Promise.all(payments.map(async (payment) => [payment.payer, await wrong(payment, known)]))
      ).filter(([, what]) => what)
      if (wrongs.length === 0) break
      if (performance.now() > patience)
        throw new Error(
          `Not healed: ${wrongs.map((pair) => pair.join(' ')).join('; ')}\n${companions
            .map((one) => one.output())
            .join('\n')
            .slice(-6000)}`,
        )
      await advance(step)
      step = Math.min(step + 1, 60)
      // On a loaded machine the clock must stand still for longer: shares of the budget that take
      // longer than their window of 10 s are lost.
      if (step % 10 === 0) await pause((rest += 50))
    }
    for (const payment of payments) payment.stop()
    await audit(payments)
  }

  async function audit(payments: readonly Payment[]): Promise<void> {
    const known = await truth()
    for (const payment of payments) {
      const { id } = await payment.created
      // Nothing twice at the service, whatever was sent again on the way.
      expect({ payer: payment.payer, transactions: known.get(payment.payer)?.length ?? 0 }).toEqual({
        payer: payment.payer,
        transactions: known.has(payment.payer) ? 1 : 0,
      })
      // The screen never goes back, and what has ended for ever stays so.
      const versions = payment.views.map(({ version }) => version)
      expect(versions).toEqual(versions.toSorted((a, b) => a - b))
      // One webhook-id an event, the same bytes at every attempt.
      const events = Map.groupBy(noticesOf(id), ({ notice }) => `${notice.type} ${notice.data.version}`)
      for (const [event, tellings] of events)
        expect({
          event,
          ids: new Set(tellings.map((one) => one.id)).size,
          bodies: new Set(tellings.map((one) => one.body)).size,
        }).toEqual({ event, ids: 1, bodies: 1 })
      // At most one word of success, and it is the last.
      expect([...events.keys()].filter((event) => event.startsWith('payment.succeeded')).length).toBeLessThanOrEqual(1)
    }
    const shown: string[] = []
    for (let cursor = ''; ;) {
      const list: PaymentList = await backend(`/v1/payments?limit=100${cursor}`)
      shown.push(...list.payments.map((payment) => payment.id))
      if (list.nextCursor === undefined) break
      cursor = `&cursor=${encodeURIComponent(list.nextCursor)}`
    }
    expect(new Set(shown).size).toBe(shown.length)
    for (const payment of payments) expect(shown).toContain((await payment.created).id)
    // One row a key: what was asked for again made nothing new.
    expect(shown.length).toBe(payers)
    for (const companion of companions)
      expect({ broke: companion.broke(), log: companion.broke() > 0 ? companion.output() : '' }).toEqual({
        broke: 0,
        log: '',
      })
  }

  return {
    links: { customers, webhooks, service, receiver, database },
    companions,
    told,
    lead,
    async created(payments) {
      const all = Promise.all(payments.map((payment) => payment.created)).then(() => true)
      for (let answered = await Promise.race([all, pause(500, false)]); !answered;) {
        await advance(2)
        answered = await Promise.race([all, pause(0, false)])
      }
    },
    begin: (count) => Array.from({ length: count }, beginOne),
    async settle(payments, ending = 'confirm') {
      const known = await truth()
      for (const { payer } of payments) {
        const transaction = known.get(payer)?.[0]
        if (transaction === undefined) continue
        for (const step of ['lock', 'paid', ending])
          await ask(`/transactions/${transaction.id}/${step}`, { method: 'POST' })
      }
    },
    advance,
    end,
    async close() {
      for (const proxy of [customers, webhooks, service, receiver, database]) await proxy?.heal()
      for (const companion of companions) await companion.stop()
      for (const proxy of [customers, webhooks, service, receiver, database]) await proxy?.close()
      await sandbox.close()
      for (const server of servers) {
        server.closeAllConnections()
        server.close()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
