// Random walks: presses, refusals, lost answers, reloads, moves, two tabs, other orders, and tokens
// that the page brings, right and wrong. Whatever happens, an order is not paid twice from one
// browser, and what it has begun is shown in the end.
import type { ReactiveControllerHost } from 'lit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CheckoutController } from '../../widget/controller/checkout-controller.ts'
import { depositOf } from '../../widget/base/checkout-state.ts'
import type { CheckoutHost } from '../../widget/controller/checkout.ts'
import * as parts from '../../widget/controller/flow.ts'
import type { Flow } from '../../widget/controller/flow.ts'

const COMPANION = 'https://pay.example'
const STEPS = 60

/** mulberry32 */
function randomOf(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Payment {
  readonly id: string
  readonly token: string
  /** The order in whose form it was started; none if it is not from this browser. */
  readonly order: string | undefined
  phase: 'open' | 'succeeded' | 'failed' | 'abandoned'
  version: number
  /** The page has since put another payment in its place. */
  isDisplaced: boolean
}

interface Tab {
  checkout: CheckoutController
  host: { clientReference: string | undefined }
  replaces: string | undefined
  fault: string | undefined
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

async function walk(seed: number): Promise<void> {
  const random = randomOf(seed)
  // The stream's backoff is drawn too.
  vi.spyOn(Math, 'random').mockImplementation(random)
  vi.setSystemTime('2030-01-01T00:00:00Z')
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const log: string[] = []
  const must = (isTrue: boolean, what: string): void => {
    if (!isTrue) throw new Error(`seed ${seed}: ${what}\n${log.join('\n')}`)
  }
  const kept = new Map<string, string>()
  const payments = new Map<string, Payment>()
  const byKey = new Map<string, Payment>()
  let isUp = true
  let serial = 0

  const view = (one: Payment): object => ({
    id: one.id, reference: 'HCT0', mode: 'live', phase: one.phase, version: one.version, amount: 1, currency: 'KES', country: 'KE', payer: {},
    status: one.phase === 'succeeded' ? 'SUCCESS' : one.phase === 'failed' ? 'FAILED' : 'PENDING',
    payUrl: '', checkoutUrl: 'https://hosted.example/c', expiresAt: '2030-01-01T00:00:00Z', createdAt: new Date().toISOString(),
  }) // prettier-ignore
  const json = (status: number, value: unknown): Response => new Response(JSON.stringify(value), { status })
  const problem = (status: number, code: string): Response =>
    json(status, { code, detail: code, type: `/problems/${code}`, status })

  function add(order: string | undefined): Payment {
    serial += 1
    const one: Payment = {
      id: `dep_${serial}`, token: `tok_${serial}`, order, phase: 'open', version: 1, isDisplaced: false,
    } // prettier-ignore
    payments.set(one.id, one)
    return one
  }

  function companion(path: string, method: string, headers: Headers, body: Record<string, string>): Response {
    const key = headers.get('idempotency-key') ?? ''
    const known = byKey.get(key)
    if (path === '/v1/deposits') {
      // As the companion does it: too many requests are refused before the key is looked at.
      if (random() < 0.15) return problem(429, 'rate_limited')
      if (known) return json(201, { ...view(known), token: known.token })
      if (random() < 0.15) return problem(422, 'amount_out_of_range')
      const old = payments.get(body['replaces'] ?? '')
      if (old && old.phase === 'succeeded') return problem(409, 'replaces_invalid')
      for (const one of payments.values())
        must(
          one.order !== body['clientReference'] || one === old || one.isDisplaced || /failed|abandoned/.test(one.phase),
          `a second payment for ${one.order} beside ${one.id} (${one.phase})`,
        )
      if (old) {
        old.phase = 'abandoned'
        old.version += 1
      }
      const one = add(body['clientReference'])
      byKey.set(key, one)
      log.push(`  server: ${one.id} for ${one.order}`)
      return json(201, { ...view(one), token: one.token })
    }
    if (path === '/v1/attempt')
      return known ? json(200, { ...view(known), token: known.token }) : problem(404, 'not_found')
    const one = payments.get(path.split('/')[3] ?? '')
    // What proxies and a switch of databases do to a request: nothing is to be forgotten for it.
    if (random() < 0.1)
      return pick([
        () => problem(401, 'bearer_missing'),
        () => problem(404, 'not_found'),
        () => new Response('<h1>Forbidden</h1>', { status: 403 }),
      ])()
    if (!one || headers.get('authorization') !== `Bearer ${one.token}`) return problem(401, 'bearer_wrong')
    return path.endsWith('/events') ? new Response('', { status: 502 }) : json(200, view(one))
  }

  vi.stubGlobal('history', { state: null })
  vi.stubGlobal('localStorage', new Proxy({}, {
    get: (_, name: string) =>
      ({
        getItem: (one: string) => kept.get(one) ?? null,
        setItem(one: string, value: string) {
          // By the design a token that the page brings takes the place of a stored payment once the
          // companion has confirmed it.
          const old = payments.get((JSON.parse(kept.get(one) ?? '{}') as { id?: string }).id ?? '')
          if (old && value.includes(foreign.token)) old.isDisplaced = true
          kept.set(one, value)
        },
        removeItem: (one: string) => kept.delete(one),
      })[name],
    ownKeys: () => [...kept.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })) // prettier-ignore
  vi.stubGlobal('navigator', { userAgent: 'Chrome' })
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }))
  const page = Object.assign(new EventTarget(), { open: () => null })
  vi.stubGlobal('window', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  vi.stubGlobal('BroadcastChannel', undefined)
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, random() * 4000))
    const lost = new TypeError('Failed to fetch')
    if (!isUp) throw lost
    await wait()
    const method = init.method ?? 'GET'
    const path = new URL(url).pathname
    const answer = companion(
      path,
      method,
      new Headers(init.headers),
      JSON.parse((init.body as string) || '{}') as never,
    )
    await wait()
    if (!isUp || random() < 0.15) throw lost
    const text = await answer.text()
    return new Response(text, { status: answer.status })
  })

  function open(order: string): Tab {
    const target = new EventTarget()
    const host = Object.assign(target, {
      companion: COMPANION, session: undefined, presentation: 'tab', clientReference: order, deposit: undefined, isConnected: true, _locale: 'en', _words: {}, _offer: { shop: undefined, markets: undefined },
      addController: () => {}, removeController: () => {}, requestUpdate: () => {}, updateComplete: Promise.resolve(true),
    }) as unknown as CheckoutHost & ReactiveControllerHost // prettier-ignore
    const checkout = new CheckoutController(host)
    const flow = { parts, texts: {}, rare: {}, loadRare: () => Promise.resolve({}) } as unknown as Flow
    checkout.flow = flow
    checkout.loadFlow = () => Promise.resolve(flow)
    checkout.connect()
    return { checkout, host, replaces: undefined, fault: undefined }
  }

  const foreign = add(undefined)
  const tabs = [open('a'), open('a')]
  const shown = ({ checkout }: Tab): Payment | undefined => payments.get(depositOf(checkout.state)?.id ?? '')
  const reload = (n: number): void => {
    const { checkout, host } = tabs[n]!
    checkout.reset(true)
    tabs[n] = open(host.clientReference!)
  }

  const deeds: Record<string, (tab: Tab, n: number) => void> = {
    press(tab) {
      if (tab.checkout.state.screen.step !== 'form') return
      const { host, replaces } = tab
      void tab.checkout.submit({ clientReference: host.clientReference, replaces } as never, '')
    },
    again(tab) {
      const { screen } = tab.checkout.state
      if (screen.step === 'ended' && screen.deposit.status !== 'SUCCESS') {
        tab.checkout.reset()
        tab.replaces = undefined
      }
    },
    notSent(tab) {
      const one = shown(tab)
      if (tab.checkout.state.screen.step !== 'waiting' || !one) return
      tab.checkout.reset(true)
      tab.replaces = one.id
    },
    wrong: (tab) => tab.checkout.resume(pick(['dep_1', 'dep_2', 'dep_3', 'dep_99']), 'tok_wrong'),
    brought: (tab) => tab.checkout.resume(foreign.id, foreign.token),
    move({ checkout }) {
      checkout.hostDisconnected()
      checkout.hostConnected()
    },
    down() {
      isUp = false
    },
    up() {
      isUp = true
      page.dispatchEvent(new Event('online'))
    },
    reload: (_, n) => reload(n),
    other(tab) {
      tab.host.clientReference = tab.host.clientReference === 'a' ? 'b' : 'a'
      tab.replaces = undefined
      tab.checkout.connect()
    },
    end() {
      const one = pick([...payments.values()])
      if (!/open|abandoned/.test(one.phase)) return
      one.phase = pick(['succeeded', 'failed', 'failed'])
      one.version += 1
    },
  }
  const names = Object.keys(deeds).concat('press', 'press', 'press', 'up', 'up', 'again', 'again')

  for (let step = 0; step < STEPS; step += 1) {
    const name = pick(names)
    const n = Math.floor(random() * tabs.length)
    log.push(
      `${name} ${n} [${tabs.map((tab) => `${tab.host.clientReference}:${tab.checkout.state.screen.step}`).join()}] ${JSON.stringify([...kept])}`,
    )
    deeds[name]!(tabs[n]!, n)
    await vi.advanceTimersByTimeAsync(pick([0, 10, 500, 3000, 9000, 30_000]))
    for (const tab of tabs) {
      const one = shown(tab)
      if (!one) continue
      must(
        one === foreign || one.order === tab.host.clientReference,
        `${tab.host.clientReference} shows ${one.id} of ${one.order}`,
      )
      must(depositOf(tab.checkout.state)?.status !== 'SUCCESS' || one.phase === 'succeeded', 'success unproven')
    }
  }

  // In the end there is a network, and everything comes to rest; then each order is opened anew.
  isUp = true
  log.push('the end')
  await vi.advanceTimersByTimeAsync(180_000)
  for (const order of ['a', 'b']) {
    for (const n of [0, 1]) {
      tabs[n]!.host.clientReference = order
      reload(n)
    }
    await vi.advanceTimersByTimeAsync(180_000)
    const live = [...payments.values()].filter((one) => one.order === order && one.phase === 'open' && !one.isDisplaced)
    for (const one of live)
      must(
        shown(tabs[0]!) === one,
        `${one.id} of ${order} is not shown: ${JSON.stringify(tabs[0]!.checkout.state.screen)}; ${JSON.stringify([...kept])}`,
      )
    must(tabs[0]!.checkout.state.screen.step !== 'submitting', 'waits for ever')
  }
  for (const { checkout } of tabs) checkout.reset(true)
}

/** `SEED=7` replays one walk, `SEEDS=5000` walks further. */
const only = process.env['SEED']
const seeds = only ? [Number(only)] : Array.from({ length: Number(process.env['SEEDS'] ?? 80) }, (_, n) => n + 1)

it(
  'an order is not paid twice from one browser, and what was begun is shown in the end',
  { timeout: 180_000 + seeds.length * 500 },
  async () => {
    for (const seed of seeds) {
      await expect(walk(seed)).resolves.toBeUndefined()
      vi.clearAllTimers()
    }
  },
)
