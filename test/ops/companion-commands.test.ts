// `payments` and `listen` against a real companion and sandbox: what they print, and what reaches a
// backend that the companion does not know.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { verifyNotice } from '../../server/client/index.ts'
import { order, shopBackend, type ShopBackend } from '../client/shop-backend.ts'
import { COMPANION_URL, SAME_MACHINE, keys } from '../helpers/create-test-system.ts'
import { run } from './run-in-process.ts'

const BACKEND = 'http://127.0.0.1:3000/notices'
const env = { HC_PUBLIC_URL: COMPANION_URL, HC_MERCHANT_KEY: keys.merchantKey }

let shop: ShopBackend
afterEach(() => shop.system.close())

/** The way to the companion, and to the backend where there is one. */
const over = (backend?: (request: Request) => Response): typeof fetch =>
  async function fetch(input, init) {
    const request = new Request(input, init)
    if (request.url !== BACKEND) return shop.system.companion.app.request(request, {}, SAME_MACHINE)
    if (backend === undefined) throw new Error('Nobody listens there.')
    return backend(request.clone())
  }

const payments = (...argv: string[]) => run(['payments', ...argv], env, { fetch: over() })

async function paid(orderId: string, outcome = '01'): Promise<string> {
  const { token } = await shop.client.sessions.create(order(orderId))
  return shop.pay(token, outcome)
}

describe('payments', () => {
  it('lists what fits, newest first, and no more than was asked for', async () => {
    shop = await shopBackend()
    for (const orderId of ['A-1', 'A-2', 'A-3']) {
      await paid(orderId)
      await shop.system.advance(1)
    }
    const all = await payments('list')
    expect(all).toMatchObject({ code: 0, err: '' })
    expect(all.out.split('\n').map((line) => /A-\d/.exec(line)?.[0])).toEqual(['A-3', 'A-2', 'A-1'])
    expect(all.out).toMatch(/HCT\w+ +2500 KES  \w+ +A-3  254700000001  Achieng Otieno/)
    expect((await payments('list', '--limit', '2')).out.split('\n')).toHaveLength(2)
    const [one, ...others] = (await payments('list', '--order', 'A-2', '--json')).out.split('\n')
    expect(others).toEqual([])
    expect(JSON.parse(one ?? '')).toMatchObject({ orderId: 'A-2', amount: 2500 })
    expect(await payments('list', '--order', 'B-1')).toEqual({ code: 0, out: '', err: 'There is no such payment.' })
  })

  it('shows one by id or reference with story and notices, and resends them', async () => {
    shop = await shopBackend()
    const id = await paid('A-1')
    await shop.system.advance(20)
    const shown = await payments('show', id)
    expect(shown.out).toMatch(/  succeeded +A-1 /)
    expect(shown.out).toMatch(/notice payment\.succeeded +delivered, 1 attempt$/)
    const { reference } = JSON.parse((await payments('show', id, '--json')).out) as { reference: string }
    expect((await payments('show', reference)).out).toBe(shown.out)
    const before = shop.system.notices.length
    expect(await payments('resend', id)).toEqual({ code: 0, out: '1 to be sent again.', err: '' })
    await shop.system.advance(20)
    expect(shop.system.notices.length).toBe(before + 1)
  })

  it('shows when a notice is tried again and how to send it at once, and counts each attempt', async () => {
    let answer = 500
    shop = await shopBackend({ receive: async () => new Response(null, { status: answer }) })
    const id = await paid('A-1')
    await shop.system.advance(60)
    const { notices } = await shop.client.payments.get(id)
    expect(notices).toMatchObject([{ state: 'waiting', attempts: 2 }])
    expect((await payments('show', id)).out.split('\n').slice(-2)).toEqual([
      '  notice payment.succeeded  waiting, 2 attempts: answered 500: what does the log of the receiver say?',
      `    The next attempt is at ${notices[0]!.nextAttemptAt}; "payments resend ${id}" sends it at once.`,
    ])
    answer = 204
    await payments('resend', id)
    await shop.system.advance(20)
    expect((await payments('show', id)).out).toMatch(/notice payment\.succeeded +delivered, 3 attempts$/)
  })

  it('passes on a refused decision, and asks for reason and name itself', async () => {
    shop = await shopBackend()
    const id = await paid('A-1')
    await shop.system.advance(20)
    const decided = await payments('decide', id, '--outcome', 'failed', '--reason', 'not in the portal', '--by', 'Ada')
    expect(decided).toMatchObject({ code: 2, err: expect.stringMatching(/only a payment under review/) })
    expect((await payments('decide', id, '--outcome', 'failed')).err).toMatch(/--reason and --by/)
    expect((await payments('decide', id, '--outcome', 'paid', '--reason', 'x', '--by', 'y')).err).toMatch(/--outcome/)
  })

  it.each([
    [[], /Say one of list, show, resend and decide/],
    [['show'], /needs the id/],
    [['list', 'dep_1'], /payments show dep_1/],
    [['list', '--limit', 'all'], /--limit must be a whole number/],
    [['list', '--companion', 'here'], /--companion must be an address/],
  ])('%j is refused with a sentence', async (argv, says) => {
    shop = await shopBackend()
    expect(await payments(...argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(says) })
  })

  it('without a key, takes the settings that dev has written in this folder', async () => {
    shop = await shopBackend()
    const before = process.cwd()
    const folder = mkdtempSync(join(tmpdir(), 'hc-access-'))
    process.chdir(folder)
    try {
      const list = () => run(['payments', 'list'], {}, { fetch: over() })
      expect(await list()).toMatchObject({ code: 2, err: expect.stringMatching(/^Give HC_MERCHANT_KEY/) })
      mkdirSync('.hc/dev', { recursive: true })
      const lines = Object.entries(env).map((line) => `${line.join('=')}\n`)
      writeFileSync('.hc/dev/companion.env', lines.join(''))
      expect(await list()).toMatchObject({ code: 0 })
    } finally {
      process.chdir(before)
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('listen', () => {
  /** Listens until what was printed fits. */
  async function listening(
    backend: (request: Request) => Response,
    work: () => Promise<void>,
    until: RegExp,
    between: (request: Request) => Promise<void> = async () => {},
  ) {
    let stop = (_signal: string): void => {}
    let heard = (): void => {}
    const begun = new Promise<void>((resolve) => (heard = resolve))
    const out: string[] = []
    const err: string[] = []
    const way = over(backend)
    const ended = run(['listen', '--forward-to', BACKEND], env, {
      async fetch(input, init) {
        const request = new Request(input, init)
        await between(request)
        return way(request)
      },
      out: (line) => void out.push(line),
      err: (line) => {
        err.push(line)
        heard()
      },
      stopped: () => new Promise((resolve) => (stop = resolve)),
    })
    await begun
    await work()
    await expect.poll(() => out.join('\n')).toMatch(until)
    stop('SIGINT')
    expect((await ended).code).toBe(0)
    return { out: out.join('\n'), err: err.join('\n') }
  }

  it('posts what follows, signed with its printed secret, until it is taken', async () => {
    // Its own receiver refuses all: the companion has delivered nothing.
    shop = await shopBackend({ receive: async () => new Response(null, { status: 500 }) })
    await paid('OLD')
    await shop.system.advance(20)
    const got: { headers: Headers; body: Promise<string> }[] = []
    const { out, err } = await listening(
      (request) => {
        got.push({ headers: request.headers, body: request.text() })
        return new Response(null, { status: got.length === 1 ? 503 : 204 })
      },
      async () => {
        await paid('NEW')
        await shop.system.advance(20)
      },
      /has taken/,
    )
    const [, secret] = /HC_NOTIFY_SECRET=(whsec_\S+)/.exec(err) ?? []
    expect(err).toContain(`${BACKEND} has not taken`)
    expect(out).toMatch(/payment\.succeeded +HCT\w+  2500 KES  NEW/)
    expect(out).not.toContain('OLD')
    expect(got).toHaveLength(2)
    const notices = await Promise.all(got.map(async ({ headers, body }) => verifyNotice(await body, headers, secret)))
    expect(notices.map(({ data }) => data.orderId)).toEqual(['NEW', 'NEW'])
    expect(got[0]?.headers.get('webhook-id')).toBe(got[1]?.headers.get('webhook-id'))
  })

  it('tells a notice once that comes about after the list was read, and before the payment is', async () => {
    shop = await shopBackend({ receive: async () => new Response(null, { status: 500 }) })
    let isBetween = true
    const got: (string | null)[] = []
    const { out } = await listening(
      ({ headers }) => {
        got.push(headers.get('webhook-id'))
        return new Response(null, { status: 204 })
      },
      async () => {
        await paid('FIRST')
        await expect.poll(() => got).toHaveLength(1)
        await paid('LATER')
        await shop.system.advance(20)
      },
      /LATER[^]*has taken/,
      async ({ url }) => {
        if (!isBetween || !/\/v1\/payments\/dep_/.test(url)) return
        isBetween = false
        await shop.system.advance(20)
      },
    )
    expect(out.match(/FIRST/g)).toHaveLength(1)
    expect(got).toHaveLength(2)
  })

  it('does not lead a signed notice over plain http to another machine', async () => {
    shop = await shopBackend()
    expect(await run(['listen', '--forward-to', 'http://shop.example/notices'], env)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/must be https/),
    })
  })
})

describe('real payments', () => {
  const live = () => shopBackend({ settings: { paymentMode: 'live' } })
  const named = ['--companion', COMPANION_URL]
  const refused = { code: 2, err: expect.stringMatching(/takes real payments, and only the environment.*--companion/) }

  it('are listed and shown, and said to be real', async () => {
    shop = await live()
    const id = await paid('A-1')
    expect(await payments('list')).toMatchObject({ code: 0, err: `Real payments, of ${COMPANION_URL}:` })
    expect((await payments('show', id)).out).toMatch(/^ +mode +live$/m)
  })

  it('are acted on only where the call names their companion', async () => {
    shop = await live()
    const id = await paid('A-1')
    await shop.system.advance(20)
    const before = shop.system.notices.length
    expect(await payments('resend', id)).toMatchObject({ ...refused, out: '' })
    const decision = ['decide', id, '--outcome', 'failed', '--reason', 'x', '--by', 'Ada']
    expect(await payments(...decision)).toMatchObject(refused)
    await shop.system.advance(20)
    expect(shop.system.notices).toHaveLength(before)
    expect(await payments('resend', id, ...named)).toEqual({
      code: 0,
      out: '1 to be sent again.',
      err: `A real payment, of ${COMPANION_URL}:`,
    })
    expect(await payments(...decision, ...named)).toMatchObject({ err: expect.stringMatching(/only a payment under/) })
  })

  it('are acted on where the file of settings names it, and not where that has the key alone', async () => {
    shop = await live()
    const id = await paid('A-1')
    const folder = mkdtempSync(join(tmpdir(), 'hc-access-'))
    try {
      const file = join(folder, 'companion.env')
      const resend = () => payments('resend', id, '--env-file', file)
      writeFileSync(file, `HC_MERCHANT_KEY=${keys.merchantKey}\n`)
      expect(await resend()).toMatchObject(refused)
      writeFileSync(
        file,
        Object.entries(env)
          .map((line) => `${line.join('=')}\n`)
          .join(''),
      )
      expect(await resend()).toMatchObject({ code: 0 })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('go to no backend by the environment alone, and trigger starts none at all', async () => {
    shop = await live()
    await paid('A-1')
    const listen = await run(['listen', '--forward-to', BACKEND], env, { fetch: over() })
    expect(listen).toMatchObject(refused)
    const triggered = await run(['trigger', 'success', ...named], env, { fetch: over() })
    expect(triggered).toMatchObject({ code: 2, out: '', err: expect.stringContaining('takes live payments') })
    expect((await shop.client.payments.page()).payments).toHaveLength(1)
  })

  it('that are the first of their companion go to no backend either', async () => {
    shop = await live()
    const got: Request[] = []
    const ended = run(['listen', '--forward-to', BACKEND], env, {
      fetch: over((request) => {
        got.push(request)
        return new Response(null, { status: 204 })
      }),
      err: (line) => {
        if (line.startsWith('Listening')) void paid('A-1').then(() => shop.system.advance(20))
      },
    })
    await expect(ended).resolves.toMatchObject({ code: 2 })
    expect(got).toEqual([])
  })
})
