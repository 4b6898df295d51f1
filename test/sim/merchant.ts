// The merchant's backend in a simulated world: creates sessions, receives notices, credits by
// payment and highest version. It may be down, slow, or answer with an error after it has done the
// work.
import { Webhook } from 'standardwebhooks'
import type { Notice } from '../../server/contract/index.ts'
import type { Chance } from './chance.ts'
import type { Checks } from './checks.ts'
import type { Faults } from './faults.ts'
import type { VirtualTime } from './virtual-time.ts'

export const NOTIFY_URL = 'https://backend.shop.example/notices'

export interface Told {
  readonly type: Notice['type']
  readonly version: number
  readonly amount: number
  readonly currency: string
}

export interface Merchant {
  readonly fetch: typeof fetch
  stateOf(paymentId: string): Told | undefined
  states(): ReadonlyMap<string, Told>
  readonly received: number
}

export function createMerchant(parts: {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly faults: Faults
  readonly checks: Checks
  readonly secret: string
  readonly trace: (line: string) => void
}): Merchant {
  const { time, chance, faults, checks, secret, trace } = parts
  const states = new Map<string, Told>()
  const bodies = new Map<string, string>()
  const events = new Map<string, string>()
  const webhook = new Webhook(secret)
  let received = 0

  function take(id: string, body: string): void {
    received += 1
    const { type, data } = JSON.parse(body) as Notice
    checks.noLeak('notice', body)
    checks.onNotice(data)
    if ((bodies.get(id) ?? body) !== body) checks.fail('at least once', `${id} came with two bodies`)
    bodies.set(id, body)
    const event = `${data.paymentId} ${data.version} ${type}`
    if ((events.get(event) ?? id) !== id) checks.fail('at least once', `${event} came under two ids`)
    events.set(event, id)
    const known = states.get(data.paymentId)
    trace(`merchant hears ${type} of ${data.reference} version ${data.version}`)
    if (known !== undefined && known.version >= data.version) return
    states.set(data.paymentId, { type, version: data.version, amount: data.amount, currency: data.currency })
  }

  const wait = (ms: number) => new Promise<void>((resolve) => time.after(ms, resolve))

  return {
    async fetch(input, init) {
      const headers = new Headers(init?.headers)
      const body = typeof init?.body === 'string' ? init.body : ''
      const id = headers.get('webhook-id') ?? ''
      if (input !== NOTIFY_URL) throw new TypeError('fetch failed')
      if (faults.merchantIsDown()) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
      const signed = webhook.sign(id, new Date(Number(headers.get('webhook-timestamp')) * 1000), body)
      if (headers.get('webhook-signature') !== signed)
        checks.fail('at least once', 'a notice came with a wrong signature')
      const fault = faults.network('merchant')
      await wait(chance.between(5, 300))
      if (fault === 'drop') {
        await wait(15_000)
        throw new DOMException('The operation timed out.', 'TimeoutError')
      }
      if (fault === 'gateway_error') return new Response(null, { status: 502 })
      take(id, body)
      if (fault === 'twice') take(id, body)
      if (fault === 'late' || fault === 'cut_after') {
        await wait(15_000)
        throw new DOMException('The operation timed out.', 'TimeoutError')
      }
      return new Response(null, { status: fault === 'half_answer' ? 500 : 204 })
    },
    stateOf: (paymentId) => states.get(paymentId),
    states: () => states,
    get received() {
      return received
    },
  }
}
