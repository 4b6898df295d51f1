// One simulated world: the real companion on a virtual clock, a model of everything around it, and
// faults drawn from a seed. The same seed gives the same world, event by event.
import { createCapabilities } from '../../server/deposits/identity.ts'
import type { Logger } from '../../server/platform/logging/logger.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { forge } from './attacker.ts'
import { createChance } from './chance.ts'
import type { Chance } from './chance.ts'
import { createChecks } from './checks.ts'
import { createDisk } from './disk.ts'
import type { Disk } from './disk.ts'
import { createFaults } from './faults.ts'
import { createMerchant } from './merchant.ts'
import { createPaymentService } from './payment-service.ts'
import type { Callback } from './payment-service.ts'
import { buy, MERCHANT_KEY } from './people.ts'
import { startProcess } from './process.ts'
import type { SimProcess, Wrong } from './process.ts'
import { COMPANION_URL, createNetwork } from './network.ts'
import { createSimChangeEvents } from './sim-store.ts'
import { simSettings } from './sim-settings.ts'
import { createVirtualTime } from './virtual-time.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export interface WorldOptions {
  readonly seed: number
  readonly payments: number
  /** A planted bug. */
  readonly wrong?: Wrong
  readonly trace?: (line: string) => void
}

export interface WorldReport {
  readonly seed: number
  readonly broken?: { readonly rule: string; readonly message: string }
  readonly events: number
  readonly requests: number
  readonly deposits: number
  readonly transactions: number
  readonly paid: number
  readonly credited: number
  readonly reviews: number
  readonly crashes: number
  readonly callbacks: number
  readonly forged: number
  readonly upstreamRequests: number
  readonly phases: Readonly<Record<string, number>>
  readonly alerts: Readonly<Record<string, number>>
  /** True duration of the world, ms. */
  readonly lasted: number
}

const START = Date.UTC(2026, 10, 21, 9, 0, 0)
/** Once faults have stopped, every payment must reach its end within this. */
const LIVENESS_BOUND = 31 * DAY

export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const { seed, payments, wrong = {} } = options
  const chance = createChance(seed)
  const busyMs = 30 * MINUTE
  const processes: SimProcess[] = []
  let turnedFarAt = -Infinity
  const time = createVirtualTime({
    start: START,
    nextDue(ms) {
      // The system looks at a clock that has just been turned far.
      if (ms === 1000 && time.elapsed() - turnedFarAt < 5 * SECOND) return time.wall()
      return ms === 1000 && network.watching.size > 0 ? nextBeat(time.wall()) : nextWork(disk, ms)
    },
    isBusy: () => processes.some(({ busy }) => busy > 0),
  })
  const trace = (line: string) => options.trace?.(`${(time.elapsed() / 1000).toFixed(3).padStart(11)} ${line}`)
  const faults = createFaults(chance.fork(), time, busyMs)
  const checks = createChecks({
    elapsed: () => time.elapsed(),
    disk: () => disk,
    service: () => service,
    merchant: () => merchant,
  })
  const disk = createDisk(wrong.durability ?? 'full', (before, after) => {
    if (before?.phase !== after.phase)
      trace(`${after.reference} ${before?.phase ?? 'nothing'} -> ${after.phase} (version ${after.version})`)
    checks.onDeposit(before, after)
  })
  const settings = simSettings(chance.pick([1500, 1500, 300]), wrong.settings)
  const changes = createSimChangeEvents(() => faults.changeEventIsLost())
  const network = createNetwork({ time, chance: chance.fork(), faults, checks, processes: () => processes })
  const alerts: Record<string, number> = {}
  let forged = 0
  let crashes = 0

  async function post(callback: Callback): Promise<number | undefined> {
    const { path, text } = callback
    const headers = { 'content-type': 'application/json' }
    const onAnswer = ({ status }: { status: number }) => void (status === 200 && checks.onCallbackAnswer(text))
    return (await network.send('callback', { method: 'POST', path, headers, body: text, onAnswer }))?.status
  }

  const service = createPaymentService({
    time, chance: chance.fork(), faults, trace, post,
    onCreate(order, transaction) {
      const id = disk.references.get(order.reference)
      if (id === undefined || !disk.isDurable(disk.deposits, id)) checks.fail('row before call', `${order.reference} was sent before it was durable`)
      if (transaction === undefined) return
      const capabilities = createCapabilities(settings.secret)
      if (order.resultUrl !== `${COMPANION_URL}/v1/webhook/${capabilities.webhookKey(order.reference)}`) checks.fail('money', `${order.reference} has the address of another`)
    },
  }) // prettier-ignore
  const merchant = createMerchant({
    time,
    chance: chance.fork(),
    faults,
    checks,
    secret: settings.notifySecrets[0] ?? '',
    trace,
  })

  const line = (level: string) => (fields: object, message?: string) => {
    const text = JSON.stringify(fields, (_key, value: unknown) =>
      value instanceof Error ? `${value.message} ${value.stack} ${String(value.cause)}` : value,
    )
    checks.noLeak('log', `${text} ${message}`)
    if (level === 'error') trace(`log ${level} ${message} ${text.slice(0, 300)}`)
  }
  const logger: Logger = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }

  function start(name: string): void {
    trace(`process ${name} starts`)
    processes.push(
      startProcess({
        name, settings, disk, changes, upstream: service.port(), time, chance: chance.fork(), faults, fetch: merchant.fetch, logger, wrong,
        alert(kind, detail) {
          alerts[kind] = (alerts[kind] ?? 0) + 1
          checks.noLeak('alert', detail)
        },
        onDeath(dead) {
          crashes += 1
          trace(`process ${dead} dies`)
          processes.splice(processes.findIndex((process) => process.name === dead), 1)
          // Other processes keep the shared store alive, so unsynced writes are lost only with the
          // last process.
          if (processes.length === 0) disk.cutPower()
          time.after(chance.between(200, 90_000), () => start(`${dead.split('.')[0]}.${crashes}`))
        },
      }),
    ) // prettier-ignore
  }
  start('a')
  if (chance.happens(0.25)) start('b')

  // Customers arrive during the first half of the busy time.
  let buying = payments
  const people = chance.fork()
  for (let number = 0; number < payments; number++) {
    time.after(chance.below(busyMs / 2), () => {
      void buy(number, { time, chance: people.fork(), network, service, checks, trace, busyMs }).then(
        () => (buying -= 1),
      )
    })
  }

  // An attacker forges callbacks from those seen, sometimes before the genuine one has arrived.
  const attacker = chance.fork()
  const attacks = chance.pick([0, 0, 20, 80])
  for (let turn = 0; turn < attacks; turn++) {
    time.after(attacker.between(MINUTE, busyMs), () => {
      const newest = attacker.happens(0.6) ? service.seen.at(-1) : undefined
      const forgery = forge(attacker, service, newest)
      if (forgery === undefined) return
      forged += 1
      const { path, text, kind } = forgery
      void network.send('callback', {
        method: 'POST', path, headers: { 'content-type': 'application/json' }, body: text,
        onAnswer: ({ status }) => void (status === 200 && kind === 'forged' && checks.fail('forgery', `believed: ${text}`)),
      }) // prettier-ignore
    })
  }

  faultyClock(chance.fork())
  function faultyClock(clock: Chance): void {
    if (clock.happens(0.1)) time.after(clock.below(busyMs), () => time.turnWall(clock.between(1, 90) * MINUTE))
    if (clock.happens(0.1)) time.after(clock.below(busyMs), () => time.turnWall(-clock.between(1, 4_000)))
    if (clock.happens(0.1)) time.after(clock.below(busyMs), () => time.suspend(20 * MINUTE))
    // For less than an hour the clock is wrong by days, or ahead by more than the 30 days of asking
    // and the rest of the world.
    if (!clock.happens(0.2)) return
    const [wrongBy, from] = [clock.pick([-clock.between(1, 40), clock.between(32, 40)]) * DAY, clock.below(busyMs)]
    for (const [at, ms] of [
      [from, wrongBy],
      [from + clock.between(1, 50) * MINUTE, -wrongBy],
    ] as const)
      time.after(at, () => {
        time.turnWall(ms)
        turnedFarAt = time.elapsed()
        trace(`the clock is turned by ${ms / DAY} days`)
      })
  }

  // A person decides reviews by the service's ledger, once it has a final state.
  const clerk = chance.fork()
  function review(): void {
    for (const row of disk.deposits.values()) {
      if (row.phase !== 'review' || !clerk.happens(0.5)) continue
      const transaction = service.ledger.get(row.reference)
      if (transaction === undefined || transaction.status === 'PENDING') continue
      const outcome = transaction.status === 'SUCCESS' ? 'succeeded' : 'failed'
      const headers = { authorization: `Bearer ${MERCHANT_KEY}`, 'content-type': 'application/json' }
      void network.send('backend', {
        method: 'POST',
        path: `/v1/payments/${row.id}/decision`,
        headers,
        body: JSON.stringify({ outcome, reason: 'Looked up in the portal', by: 'Clerk' }),
      })
    }
    time.after((time.elapsed() < busyMs ? 10 : 120) * MINUTE, review)
  }
  time.after(10 * MINUTE, review)

  let events = 0
  let calm = false
  time.after(faults.until, () => {
    faults.stop()
    calm = true
    trace('faults stop')
    for (let minute = 6; minute <= 30; minute += 2) time.after(minute * MINUTE, () => checks.onCalm())
  })
  const limit = faults.until + LIVENESS_BOUND
  const atRest = () => buying === 0 && ![...service.ledger.values()].some(({ restless }) => restless > 0)
  while (checks.broken === undefined) {
    if (!(await time.step(limit))) break
    events += 1
    if (calm && events % 20 === 0 && atRest() && checks.unsettled() === undefined) break
  }
  if (checks.broken === undefined) {
    // Open streams show the true state after a heartbeat at the latest, even if every change event
    // was lost.
    const shown = time.elapsed() + 40 * SECOND
    time.after(40 * SECOND, () => {})
    while (time.elapsed() < shown && (await time.step(shown))) continue
    for (const { id, version } of network.watching) {
      const row = disk.deposits.get(id)
      if (row !== undefined && row.version !== version)
        checks.fail('streams', `${row.reference} is at version ${row.version}, and a stream shows ${version}`)
    }
  }
  checks.atTheEnd()
  checkBudget(
    settings,
    service.requests.map(({ at }) => at),
    checks,
    seed,
  )
  for (const process of processes.slice()) process.kill()

  const phases: Record<string, number> = {}
  for (const { phase } of disk.deposits.values()) phases[phase] = (phases[phase] ?? 0) + 1
  const { broken } = checks
  return {
    seed, events, requests: network.requests, deposits: disk.deposits.size, transactions: service.ledger.size, crashes, forged, phases, alerts,
    paid: [...service.ledger.values()].filter(({ status }) => status === 'SUCCESS').length,
    credited: [...merchant.states().values()].filter(({ type }) => type === 'payment.succeeded' || type === 'payment.duplicate').length,
    reviews: phases['review'] ?? 0, callbacks: service.seen.length, upstreamRequests: service.requests.length, lasted: time.elapsed(),
    ...(broken === undefined ? {} : { broken: { rule: broken.rule, message: broken.message } }),
  } // prettier-ignore
}

/**
 * Next run of the heartbeat loop while streams are open: here every 15 s, the interval of a
 * stream's heartbeat.
 */
const nextBeat = (wall: number) => (Math.floor(wall / 15_000) + 1) * 15_000

/**
 * When the work of a background loop, identified by its pause, is due next: queries and notices,
 * stored callbacks, housekeeping.
 */
function nextWork(disk: Disk, pause: number): number {
  if (pause === 500) return Math.min(disk.nextDue('deposits'), disk.nextDue('notices'))
  return pause === 5000 ? disk.nextDue('inbox') : Infinity
}

/**
 * Money rule 11, in any 60 s of true time. The count is lost when a process dies or the clock is
 * changed.
 */
function checkBudget(
  settings: Settings,
  at: readonly number[],
  checks: { fail(rule: string, what: string): void },
  seed: number,
): void {
  for (let index = settings.rate; index < at.length; index++) {
    const since = (at[index] ?? 0) - (at[index - settings.rate] ?? 0)
    if (since < 60_000)
      return checks.fail('budget', `${settings.rate + 1} requests to the service within ${since} ms (seed ${seed})`)
  }
}
