// A fault-free setup for tests of time and volume: the real companion on the simulation's virtual
// clock, with the model service, and only the faults that a test asks for.
import type { CompanionOptions } from '../../server/companion.ts'
import type { CreatedDeposit, DepositView } from '../../server/contract/index.ts'
import type { Logger } from '../../server/platform/logging/logger.ts'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { createChance } from '../sim/chance.ts'
import { createDisk } from '../sim/disk.ts'
import type { Disk } from '../sim/disk.ts'
import type { Faults } from '../sim/faults.ts'
import { createPaymentService } from '../sim/payment-service.ts'
import type { PaymentService } from '../sim/payment-service.ts'
import { MERCHANT_KEY, SHOP_ORIGIN } from '../sim/people.ts'
import { startProcess } from '../sim/process.ts'
import type { SimProcess } from '../sim/process.ts'
import { COMPANION_URL } from '../sim/network.ts'
import { simSettings } from '../sim/sim-settings.ts'
import { createSimChangeEvents } from '../sim/sim-store.ts'
import { createVirtualTime } from '../sim/virtual-time.ts'
import type { VirtualTime } from '../sim/virtual-time.ts'

export const START = Date.UTC(2026, 10, 21, 9, 0, 0)

export interface Stage {
  readonly time: VirtualTime
  readonly disk: Disk
  readonly service: PaymentService
  readonly process: SimProcess
  readonly settings: Settings
  /** Bodies of the notices that the shop's backend took. */
  readonly notices: string[]
  /** Plays until `ms` of true time have passed since the start. */
  playTo(ms: number): Promise<void>
  /** Plays until the promise has settled. */
  until<T>(promise: Promise<T>): Promise<T>
  request(path: string, init?: RequestInit): Promise<Response>
  backend(path: string, body?: unknown): Promise<Response>
  create(body?: Readonly<Record<string, unknown>>, key?: string): Promise<CreatedDeposit>
  view(deposit: CreatedDeposit): Promise<DepositView>
  /** Opens the status stream and calls back with each view as it arrives. */
  watch(deposit: CreatedDeposit, onView: (view: DepositView) => void): Promise<void>
}

/** No fault at all, but for those given. */
function calm(changes: Partial<Faults> = {}): Faults {
  return {
    until: 0,
    stop: () => {},
    create: () => undefined,
    query: () => undefined,
    isDown: () => false,
    breakerIsOpen: () => false,
    isRedirectForeign: () => false,
    isReferenceWrong: () => false,
    failsAtOnce: () => false,
    callbackWaits: () => [200],
    network: () => undefined,
    merchantIsDown: () => false,
    store: () => undefined,
    changeEventIsLost: () => false,
    crashesNow: () => false,
    ...changes,
  }
}

let keys = 0
/** A figure for whoever reads the test run. */
export const tell = (text: string) => void globalThis.process.stdout.write(`${text}\n`)
export const newKey = () => `key-of-a-single-purchase-${(keys += 1)}`

export function createStage(
  options: {
    readonly faults?: Partial<Faults>
    readonly rate?: number
    readonly seed?: number
    readonly logger?: Logger
    readonly settings?: Partial<Settings>
    readonly extra?: Partial<CompanionOptions>
    readonly alert?: (kind: string, detail: string) => void
  } = {},
): Stage {
  const chance = createChance(options.seed ?? 1)
  const faults = calm(options.faults)
  const notices: string[] = []
  const settings = simSettings(options.rate ?? 1500, options.settings)
  let busy = 0
  const disk = createDisk('full', () => {})
  const time: VirtualTime = createVirtualTime({
    start: START,
    // Streams beat, so the system is never passed over for long.
    nextDue: (ms) =>
      ms === 500
        ? Math.min(disk.nextDue('deposits'), disk.nextDue('notices'))
        : ms === 5000
          ? disk.nextDue('inbox')
          : (Math.floor(time.wall() / 5_000) + 1) * 5_000,
    isBusy: () => busy > 0,
  })
  const service = createPaymentService({
    time,
    chance: chance.fork(),
    faults,
    trace: () => {},
    onCreate: () => {},
    post: async ({ path, text }) =>
      (await request(path, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } })).status,
  })
  const process = startProcess({
    name: 'stage',
    settings,
    disk,
    changes: createSimChangeEvents(),
    upstream: service.port(),
    time,
    chance: chance.fork(),
    faults,
    fetch: async (_address, init) => {
      notices.push(typeof init?.body === 'string' ? init.body : '')
      return new Response(null, { status: 204 })
    },
    logger: options.logger ?? silentLogger,
    alert: options.alert ?? (() => {}),
    extra: options.extra,
    onDeath: () => {},
    wrong: {},
  })

  let callers = 0
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    busy += 1
    callers += 1
    // Thousands of customers, each behind an address of their own.
    const remoteAddress = `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`
    try {
      return await process.companion.app.request(`${COMPANION_URL}${path}`, init, {
        incoming: { socket: { remoteAddress } },
      })
    } finally {
      busy -= 1
    }
  }

  async function until<T>(promise: Promise<T>): Promise<T> {
    const state = { settled: false }
    void promise.catch(() => {}).finally(() => (state.settled = true))
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (!state.settled && (await time.step(Infinity))) continue
    return promise
  }

  return {
    time,
    disk,
    service,
    process,
    settings,
    notices,
    async playTo(ms) {
      time.after(ms - time.elapsed(), () => {})
      while (await time.step(ms)) continue
    },
    until,
    request,
    backend: (path, body) =>
      request(path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${MERCHANT_KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async create(body = {}, key = newKey()) {
      const response = await until(
        request('/v1/deposits', {
          method: 'POST',
          headers: { origin: SHOP_ORIGIN, 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({
            country: 'KE',
            currency: 'KES',
            amount: 2500,
            payer: { name: 'Achieng Otieno' },
            ...body,
          }),
        }),
      )
      if (response.status !== 201) throw new Error(await response.text())
      return (await response.json()) as CreatedDeposit
    },
    async view({ id, token }) {
      return (await (
        await until(request(`/v1/deposits/${id}`, { headers: { authorization: `Bearer ${token}` } }))
      ).json()) as DepositView
    },
    async watch({ id, token }, onView) {
      const response = await until(
        request(`/v1/deposits/${id}/events`, { headers: { authorization: `Bearer ${token}` } }),
      )
      if (response.status !== 200 || response.body === null) throw new Error(`the stream answered ${response.status}`)
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      void (async () => {
        for (let text = ''; ;) {
          const { done, value } = await reader.read()
          if (done) return
          text += value
          const events = text.split('\n\n')
          text = events.pop() ?? ''
          for (const event of events) {
            const data = /^data: (.*)$/m.exec(event)?.[1]
            if (data !== undefined) onView(JSON.parse(data) as DepositView)
          }
        }
      })()
    },
  }
}
