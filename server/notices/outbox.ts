// The outbox to the merchant: delivers due notices by signed POST to HC_NOTIFY_URL and to handlers
// in this process until every receiver has accepted them. At least once, with the same id at every
// attempt (money rule 9).
import type { NoticeType } from '../contract/index.ts'
import type { Logger } from '../platform/logging/logger.ts'
import { oneAtATime } from '../platform/one-at-a-time.ts'
import { type Metrics, silentMetrics } from '../platform/metrics.ts'
import type { Settings } from '../settings/settings.ts'
import type { NoticeRow, Store } from '../deposits/ports/store.ts'
import { type NoticeHandler, createNoticeHandlers } from './handlers.ts'
import { createReached } from './reached.ts'
import { type Receiver, createReceiver } from './receiver.ts'
import { nextAttempt } from './schedule.ts'
import type { SendOutcome } from './send-notice.ts'

export interface OutboxOptions {
  readonly store: Pick<Store, 'leaseNotices' | 'updateNotice'>
  readonly settings: Pick<Settings, 'notifyUrl' | 'notifySecrets'>
  readonly now: () => number
  /** The trusted time (operations/clock-watch.ts): by it notices are given up. Default: `now`. */
  readonly trustedNow?: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly fetch: typeof fetch
  readonly logger: Logger
  readonly metrics?: Metrics
  /** Called when a notice is given up: a person has to look, and may resend it. */
  readonly onDead?: (notice: NoticeRow, reason: string) => void
  /**
   * Called at each failed attempt from the fourth, 35 minutes after the first: somebody may have
   * paid and not be credited.
   */
  readonly onLate?: (notice: NoticeRow, reason: string) => void
  /**
   * Called when the receiver answers 410; once, until it accepts a notice again. Retries go on by
   * schedule.
   */
  readonly onGone?: (notice: NoticeRow) => void
  /** Ms until an attempt at the URL is given up. Default 15,000. */
  readonly timeoutMs?: number
  /** Ms until a handler counts as failed; it keeps running. Default 30,000. */
  readonly handlerTimeoutMs?: number
  /**
   * Calls `work` after `ms`, unless the returned function is called first. Default: the machine's
   * timers.
   */
  readonly later?: (ms: number, work: () => void) => () => void
  /** Concurrent attempts. Default 32. */
  readonly parallel?: number
}

export interface OutboxHealth {
  /**
   * `none`: neither HC_NOTIFY_URL nor a handler; notices wait. `gone`: the receiver answered 410.
   */
  readonly receiver: 'ok' | 'none' | 'gone' | 'throttled'
  /** Types whose notices wait because only handlers of other types are registered. */
  readonly unheard: readonly NoticeType[]
}

const MINUTE = 60_000
/**
 * Added to the longest attempt, so that no other instance takes a notice while it is being
 * delivered.
 */
const LEASE_MARGIN = 45_000
/**
 * The fourth attempt is 35 minutes after the first, so that a short outage of the receiver is
 * reported to nobody.
 */
const LATE_AFTER = 4
/**
 * How long a notice without a handler waits: a quarter of its age, within these. Years of them must
 * not delay the others.
 */
const UNHEARD_WAIT = { shortest: 5 * MINUTE, longest: 24 * 60 * MINUTE }

/** What its log lines say of it. */
const named = ({ id, depositId, type, traceparent }: NoticeRow) => ({ noticeId: id, depositId, type, traceparent })

export function createOutbox(options: OutboxOptions) {
  const { store, settings, now, trustedNow = now, random, logger } = options
  const metrics = options.metrics ?? silentMetrics
  const timeoutMs = options.timeoutMs ?? 15_000
  const handlerTimeoutMs = options.handlerTimeoutMs ?? 30_000
  const leaseMs = Math.max(timeoutMs, handlerTimeoutMs) + LEASE_MARGIN
  const parallel = options.parallel ?? 32
  const handlers = createNoticeHandlers({ timeoutMs: handlerTimeoutMs, later: options.later })
  const receiver =
    settings.notifyUrl === undefined
      ? undefined
      : createReceiver({
          url: settings.notifyUrl,
          secrets: settings.notifySecrets,
          fetch: options.fetch,
          now,
          timeoutMs,
          parallel,
          metrics,
          onGone: options.onGone,
        })
  const running = new Map<string, Promise<void>>()
  const reached = createReached<NoticeHandler | 'url'>(leaseMs)
  const unheard = new Set<NoticeType>()

  const unit = (): number => new DataView(Uint8Array.from(random(4)).buffer).getUint32(0) / 0x1_0000_0000

  const isUrlPaused = (): boolean => receiver !== undefined && receiver.pausedFor() > 0
  /** Handlers must not wait for it then. */
  const isUrlStuck = (): boolean => receiver !== undefined && receiver.isStuck()

  /** `put_off`: its handlers have it, and the URL is stuck. */
  async function deliver(notice: NoticeRow): Promise<SendOutcome | { readonly kind: 'put_off' }> {
    const done = reached.of(notice)
    const parts = handlers
      .of(notice.type)
      .filter((handler) => !done.has(handler))
      .map((handler) => callHandler(handler, notice, done))
    const isForUrl = receiver !== undefined && !done.has('url')
    const isPutOff = isForUrl && !handlers.isEmpty() && isUrlStuck()
    if (isForUrl && !isPutOff) parts.push(post(receiver, notice, done))
    const outcomes = await Promise.all(parts)
    return (
      outcomes.find((outcome) => outcome.kind !== 'delivered') ??
      (isPutOff ? { kind: 'put_off' } : { kind: 'delivered' })
    )
  }

  async function post(to: Receiver, notice: NoticeRow, done: Set<NoticeHandler | 'url'>): Promise<SendOutcome> {
    const outcome = await to.post(notice)
    if (outcome.kind === 'delivered') done.add('url')
    return outcome
  }

  async function callHandler(
    handler: NoticeHandler,
    notice: NoticeRow,
    done: Set<NoticeHandler | 'url'>,
  ): Promise<SendOutcome> {
    try {
      await handlers.call(handler, notice)
      done.add(handler)
      return { kind: 'delivered' }
    } catch (error) {
      logger.warn({ err: error, ...named(notice) }, 'a notice handler failed')
      return { kind: 'failed', reason: 'a handler in this process failed' }
    }
  }

  /**
   * Handlers exist, but none for this type: one may be registered a moment later, so the notice is
   * kept.
   */
  async function keepUnheard(notice: NoticeRow): Promise<void> {
    unheard.add(notice.type)
    const share = Math.round((now() - notice.createdAt) / 4)
    await store.updateNotice(notice, {
      state: 'waiting',
      attempts: notice.attempts,
      dueAt: now() + Math.min(Math.max(share, UNHEARD_WAIT.shortest), UNHEARD_WAIT.longest),
      lastError: `no handler for ${notice.type}`,
    })
  }

  /** It was not tried, so that none of its attempts is used up. */
  async function putOff(notice: NoticeRow): Promise<void> {
    const dueAt = now() + Math.max(receiver?.pausedFor() ?? 0, timeoutMs)
    const lastError = notice.lastError ?? 'waits for the receiver at HC_NOTIFY_URL; the handlers have it'
    await store.updateNotice(notice, { state: 'waiting', attempts: notice.attempts, dueAt, lastError })
    reached.putOff(notice.id, dueAt)
  }

  async function attempt(notice: NoticeRow): Promise<void> {
    if (receiver === undefined && handlers.of(notice.type).length === 0) return keepUnheard(notice)
    unheard.delete(notice.type)
    const outcome = await deliver(notice)
    if (outcome.kind === 'put_off') return putOff(notice)
    if (outcome.kind !== 'delivered') return keepFailed(notice, outcome)
    const attempts = notice.attempts + 1
    await store.updateNotice(notice, { state: 'delivered', attempts, dueAt: notice.dueAt, deliveredAt: now() })
    reached.forget(notice.id)
    metrics.count('notices', { outcome: 'delivered' })
    logger.info({ ...named(notice), attempts }, 'notice delivered')
  }

  async function keepFailed(notice: NoticeRow, outcome: Exclude<SendOutcome, { kind: 'delivered' }>): Promise<void> {
    const attempts = notice.attempts + 1
    const at = now()
    const reason = outcome.kind === 'gone' ? 'answered 410: the receiver wants no more notices' : outcome.reason
    const retryAfter = outcome.kind === 'failed' ? outcome.retryAfterMs : undefined
    const dueAt = nextAttempt(
      { createdAt: notice.createdAt, attempts },
      { now: at, trustedNow: trustedNow() },
      unit(),
      retryAfter,
    )
    const state = dueAt === undefined ? 'dead' : 'waiting'
    await store.updateNotice(notice, { state, attempts, dueAt: dueAt ?? at, lastError: reason })
    reached.failed(notice.id, attempts)
    metrics.count('notices', { outcome: state === 'dead' ? 'dead' : 'failed' })
    const nextAttemptAt = dueAt === undefined ? undefined : new Date(dueAt).toISOString()
    const resend = `hc-checkout-server payments resend ${notice.depositId}`
    logger.warn({ ...named(notice), attempts, reason, state, nextAttemptAt, resend }, 'notice not delivered')
    const after = { ...notice, state, attempts, lastError: reason } as const
    if (state === 'dead') {
      reached.forget(notice.id)
      options.onDead?.(after, reason)
    } else if (attempts >= LATE_AFTER && outcome.kind !== 'gone') options.onLate?.(after, reason)
  }

  function health(): OutboxHealth['receiver'] {
    if (receiver === undefined) return handlers.isEmpty() ? 'none' : 'ok'
    if (receiver.isGone()) return 'gone'
    return isUrlPaused() ? 'throttled' : 'ok'
  }

  /**
   * One lease at a time: rounds waiting for a database that does not answer would use up its
   * connections.
   */
  const lease = oneAtATime(async (most: number): Promise<readonly NoticeRow[]> => {
    const at = now()
    return store.leaseNotices(at, at + leaseMs, most)
  }, [])

  return {
    /**
     * Takes due notices and resolves when each was tried; returns how many. May be called again
     * while it runs, so a receiver that hangs delays only its own attempts. Never more than
     * `parallel` attempts run at once, and as many again at handlers while the URL hangs.
     */
    async deliverDue(): Promise<number> {
      const isForHandlers = !handlers.isEmpty() && isUrlStuck()
      const room = parallel - running.size + (isForHandlers ? (receiver?.posting() ?? 0) : 0)
      if (room <= 0 || health() === 'none' || (!isForHandlers && isUrlPaused())) return 0
      const leased = await lease(room)
      const started = leased
        .filter((notice) => !running.has(notice.id))
        .map((notice) => {
          const work = attempt(notice)
            .catch((error: unknown) => {
              // The notice is due again when its lease ends; the receivers reached are remembered,
              // so that only the update is repeated.
              metrics.count('store_failures', { call: 'updateNotice' })
              logger.error(
                { err: error, noticeId: notice.id, depositId: notice.depositId },
                'the outcome of a notice could not be written down; it will be tried again',
              )
            })
            .finally(() => running.delete(notice.id))
          running.set(notice.id, work)
          return work
        })
      await Promise.all(started)
      return started.length
    },
    on: handlers.on,
    hears: handlers.hears,
    /**
     * For notices that a person resends, to be called before they are due again: ends a Retry-After
     * pause, and forgets who has accepted them, so that they go to all.
     */
    resume(noticeIds: readonly string[]): void {
      receiver?.resume()
      for (const id of noticeIds) reached.forget(id)
    },
    health: (): OutboxHealth => ({ receiver: health(), unheard: [...unheard] }),
    /** Resolves when no attempt is running. */
    async settled(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}

export type Outbox = ReturnType<typeof createOutbox>
