// Composition root of the companion: creates every part and connects them; app.ts puts them behind
// HTTP.
import { createApp } from './app.ts'
import type { Companion, CompanionOptions } from './options.ts'
import type { Console } from './console/console.ts'
import { createActs } from './deposits/merchant/acts.ts'
import { createAfterRestore } from './operations/after-restore.ts'
import { createBankLists } from './deposits/create/banks.ts'
import { createBudget } from './deposits/settle/budget.ts'
import { createBudgetMemory } from './deposits/settle/budget-memory.ts'
import { createCallbacks } from './deposits/settle/callbacks.ts'
import { createClockWatch } from './operations/clock-watch.ts'
import type { decide } from './deposits/machine/decide.ts'
import { createAnswers } from './operations/answers.ts'
import { createHealthWatch } from './operations/health-watch.ts'
import { beginMarks } from './operations/marks.ts'
import { createHub } from './deposits/settle/hub.ts'
import { createCapabilities } from './deposits/identity.ts'
import { offeredCountries } from './deposits/markets.ts'
import { createMover } from './deposits/settle/mover.ts'
import { createPayments } from './deposits/merchant/payments.ts'
import type { Alert, Tools } from './deposits/ports/machine.ts'
import { createReconciler } from './deposits/settle/reconcile.ts'
import { createScheduler } from './operations/scheduler.ts'
import { createDepositService } from './deposits/create/service.ts'
import { createSessions } from './deposits/merchant/sessions.ts'
import { WATCHED_EVERY_MS } from './deposits/machine/schedule.ts'
import { requestScope } from './platform/logging/log.ts'
import { silentLogger } from './platform/logging/logger.ts'
import { machineRandom, machineTimers } from './platform/machine.ts'
import { silentMetrics } from './platform/metrics.ts'
import { alertsOf } from './operations/alerts/alerts.ts'
import { createReminders } from './operations/alerts/reminders.ts'
import { createSilenceWatch } from './operations/alerts/silence.ts'
import { createOutbox } from './notices/outbox.ts'
import { createStreams } from './http/deposit-events.ts'
import { createOthers } from './operations/others.ts'
import { createReadiness } from './operations/readiness.ts'
import { bindCallback } from './upstream/bind.ts'
import { signsOtherSum } from './upstream/recut.ts'
import { createCallbackReader } from './upstream/callback.ts'
import { createUpstreamClient } from './upstream/client.ts'
import type { BindCallback, ReadCallback } from './deposits/ports/upstream.ts'

export type { Companion, CompanionOptions } from './options.ts'

/**
 * What believes and decides. The simulation plants mistakes in them (test/sim/plants.ts) and must
 * find each; users of the package cannot replace them.
 */
export interface Judgement {
  readonly read?: ReadCallback
  readonly bind?: BindCallback
  readonly decide?: typeof decide
}

/**
 * Makes a companion; nothing is sent and no timer runs before `start()` or the first request.
 *
 * @throws if `settings` or `store` is missing, or if settings that did not come from `readSettings`
 * cannot work: an address, the private key, a block of trusted proxies.
 */
export function createCompanion(options: CompanionOptions): Companion {
  return createCompanionWith({}, options)
}

/** For plain JavaScript, where no type says so. */
function refuseIncomplete({ settings, store }: Partial<CompanionOptions> = {}): void {
  if (settings === undefined || store === undefined)
    throw new TypeError(
      'createCompanion needs { settings, store }: settings from readSettings and a store from openStore, both ' +
        'of hc-checkout-server/node; its openCompanion makes both from the environment.',
    )
}

/**
 * {@link createCompanion} with another judgement; not exported from the package. In three steps:
 * what the machine gives, what decides about payments, and what runs and answers around it.
 */
export function createCompanionWith(judgement: Judgement, options: CompanionOptions): Companion {
  refuseIncomplete(options)
  const machine = joinMachine(options)
  const domain = joinDomain(judgement, options, machine)
  const operations = joinOperations(options, machine, domain)

  return {
    app: operations.app,
    notices: domain.outbox,
    metrics: machine.metrics,
    start() {
      operations.begin()
      machine.background(() => domain.upstream.warmUp().catch(() => {}))
      operations.scheduler.start()
      machine.background(() => domain.banks.warm(offeredCountries(options.settings.wallets)))
    },
    tick() {
      operations.begin()
      return operations.scheduler.tick()
    },
    idle: machine.idle,
    async close() {
      await operations.close()
      await operations.scheduler.stop()
      operations.leave()
      // Before the calls to the service end: a row that is being stored still has its call to make.
      await domain.deposits.close()
      await machine.idle()
      await domain.outbox.settled()
      machine.hub.close()
      await domain.upstream.close()
      machine.timers.end()
    },
  }
}

/** First step: clock, timers, network, log and background work, by default the machine's own. */
function joinMachine(options: CompanionOptions) {
  const timers = machineTimers()
  const {
    settings,
    store,
    now = Date.now,
    sleep = timers.sleep,
    random = machineRandom,
    fetch = globalThis.fetch,
    logger = silentLogger,
    metrics = silentMetrics,
  } = options
  const alerts = options.alerts ?? alertsOf(settings, { now, fetch, logger, metrics })
  const alert: Alert = (kind, detail) => alerts.raise(kind, detail)
  const running = new Set<Promise<unknown>>()
  function background(work: () => Promise<unknown>): void {
    const flight = work()
      .catch((error: unknown) => logger.error({ err: error }, 'background work failed; what was due stays due'))
      .finally(() => running.delete(flight))
    running.add(flight)
  }
  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running)
  }
  const hub = createHub(store, (error) => logger.error({ err: error }, 'a change could not be read for its listeners'))
  const clock = createClockWatch({ store, now, logger })
  return {
    settings,
    store,
    now,
    trustedNow: clock.trustedNow,
    sleep,
    random,
    fetch,
    logger,
    metrics,
    timers,
    alerts,
    alert,
    traceparent: () => requestScope.getStore()?.traceparent,
    background,
    idle,
    hub,
    clock,
  }
}

type Machine = ReturnType<typeof joinMachine>

/** Second step: the way to the service, and all that decides about a payment or tells the shop. */
function joinDomain(judgement: Judgement, options: CompanionOptions, machine: Machine) {
  const { settings, store, now, trustedNow, sleep, random, fetch, logger, metrics, alert, background, clock } = machine
  const capabilities = createCapabilities(settings.secret, settings.previousSecret)
  const upstream = options.upstream ?? createUpstreamClient({ ...settings, now, fetch, logger, random })
  const callbacksDecide = settings.confirm === 'callback'
  const answers = createAnswers({ now, alert, isDown: () => upstream.isDown(), callbacksDecide })
  const tools: Tools = {
    ...machine,
    hear: (deposit, answer) => answers.hear(deposit, answer),
    count: metrics.count,
    observe: metrics.observe,
    isWatched: machine.hub.isWatched,
  }
  const shared = settings.databaseUrl.startsWith('postgres')
  const budget = createBudget({
    store,
    now,
    rate: settings.rate,
    shared,
    memory: shared ? undefined : (used) => createBudgetMemory({ store, used, background }),
  })
  const banks = createBankLists({ upstream, budget, now, sleep })
  const afterRestore = createAfterRestore({
    store,
    now,
    trustedNow,
    lookAtClock: clock.look,
    rounds: { begun: () => reconciler.begun(), areOver: (until) => reconciler.areOver(until) },
  })
  const mover = createMover(tools, judgement.decide, afterRestore.awake)
  const reconciler = createReconciler(tools, { upstream, mover, budget, callbacksDecide, shared })
  const sessions = createSessions(tools, { settings, capabilities })
  const deposits = createDepositService(tools, {
    settings,
    capabilities,
    sessions,
    banks,
    upstream,
    budget,
    mover,
    reconciler,
  })
  const read =
    judgement.read ??
    createCallbackReader({
      consumerKey: settings.hashKey,
      hashOrder: settings.hashOrder,
      previousKey: settings.previousHashKey,
    })
  const callbacks = createCallbacks(tools, {
    read,
    bind: judgement.bind ?? bindCallback,
    signsOtherSum,
    capabilities,
    mover,
    reconciler,
    decides: callbacksDecide,
  })
  const outbox = createOutbox({
    ...machine,
    onDead: (notice, reason) => alert('notice_dead', `${notice.id}: ${reason}`),
    onLate: (notice, reason) => alert('notice_late', `${notice.depositId}: ${reason}`),
    onGone: (notice) => alert('notice_receiver_gone', notice.id),
  })
  const payments = createPayments(tools, {
    mover,
    reconciler,
    timeZone: settings.timeZone,
    resumeNotices: outbox.resume,
  })
  return {
    tools,
    capabilities,
    upstream,
    answers,
    budget,
    banks,
    afterRestore,
    reconciler,
    sessions,
    deposits,
    callbacks,
    outbox,
    payments,
    acts: createActs(tools),
  }
}

type Domain = ReturnType<typeof joinDomain>

/** Third step: what looks at payments by itself, what people are told, and the doors. */
function joinOperations(options: CompanionOptions, machine: Machine, domain: Domain) {
  const { settings, store, now, random, logger, metrics, alerts, alert, background, hub, clock } = machine
  const { upstream, deposits, capabilities, afterRestore } = domain
  let loading: Promise<Console> | undefined
  /** Loaded when somebody needs it: most companions have no console. */
  const console = () =>
    (loading ??= import('./console/console.ts').then(({ createConsole }) =>
      createConsole({
        ...machine,
        ...domain,
        findings: () => readiness.findings(),
        onError: (error) => logger.error({ err: error }, 'a change could not be read for the console'),
      }),
    ))
  const silence = createSilenceWatch({ store, alerts, now, silentMinutes: settings.alerts.silentMinutes })
  const reminders = createReminders({ store, alerts, now })
  const streams = createStreams({
    deposits,
    hub,
    now,
    random,
    mostStreams: options.mostStreams ?? 15_000,
    read: store.deposit,
    onError: (error) => logger.error({ err: error }, 'a stream could not be refreshed; it tries again'),
    onCut: (reason) => metrics.count('streams_cut', { reason }),
    onWatch(deposit) {
      const soonest = now() + WATCHED_EVERY_MS
      if (deposit.phase === 'open' && (deposit.dueAt ?? Infinity) > soonest)
        background(() => store.reschedule(deposit, { ...deposit, dueAt: soonest }))
    },
  })
  let isBegun = false
  const others = createOthers({ ...machine, hears: domain.outbox.hears })
  const readiness = createReadiness({ ...machine, ...domain, others, isBegun: () => isBegun })
  const health = createHealthWatch({
    settings,
    store,
    upstream,
    budget: domain.budget,
    now,
    alert,
    lookForSilence: silence.look,
    remind: reminders.look,
    afterRestore,
    others,
  })
  const scheduler = createScheduler(domain.tools, {
    ...domain,
    streams,
    clock,
    health,
    retentionDays: settings.retentionDays,
  })

  async function readMetrics(): Promise<string> {
    metrics.gauge('streams_open', streams.open())
    metrics.gauge('upstream_up', upstream.isDown() ? 0 : 1)
    metrics.gauge('ready', (await readiness.checks()).every((check) => check.ok) ? 1 : 0)
    return options.readMetrics?.() ?? ''
  }

  const app = createApp({
    ...machine,
    ...domain,
    console,
    consolePages: options.consolePages,
    streams,
    readiness,
    readMetrics,
    onCallback: () => background(silence.heard),
    widget: options.widget,
  })

  let isClosing = false
  return {
    app,
    scheduler,
    /** Before the first background work, whoever calls for it. */
    begin(): void {
      if (isBegun) return
      isBegun = true
      background(() => beginMarks({ store, settings, capabilities, alert }))
      const { desk } = store
      if (desk?.isSearchable) background(() => desk.makeSearchable(() => isClosing))
    },
    /** After the last background work. */
    leave(): void {
      if (isBegun) background(others.leave)
    },
    /** Ends the streams of customers and staff. */
    async close(): Promise<void> {
      isClosing = true
      if (loading !== undefined) (await loading).live.close()
      streams.close()
    },
  }
}
