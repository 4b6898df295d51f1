// Alerts to a person by JSON webhook (Slack, Mattermost, Telegram) and by e-mail, at most one of a
// kind in 15 minutes, and in a day of what strangers can raise. Held-back alerts are counted and
// reported with the next one; failed sends are retried.
import type { AlertKind } from '../../deposits/machine/alerts.ts'
import { isWaiting } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createScrubber } from '../../platform/logging/scrub.ts'
import { type Metrics, silentMetrics } from '../../platform/metrics.ts'
import { secretsOf } from '../../settings/secrets.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Channel, type ChannelOptions, channelsOf, installationOf, textOf } from './channels.ts'

export interface Alerts {
  /**
   * Alerts a person soon, at most once for each kind in 15 minutes (`webhook_stray`: in a day);
   * never throws and never waits. `detail`: references and counts, never a secret, token or payer
   * detail.
   */
  raise(kind: AlertKind, detail: string): void
}

export interface AlertSender extends Alerts {
  /** Sends held-back alerts that are due; resolves when no send is running. */
  flush(): Promise<void>
}

export interface AlertOptions extends ChannelOptions {
  readonly now: () => number
  readonly logger: Logger
  readonly metrics?: Metrics
  /** Texts that must never be sent; see `secretsOf`. */
  readonly secrets?: readonly string[]
  /** Calls `work` after `ms`; the default timer does not keep the process alive. */
  readonly later?: (ms: number, work: () => void) => void
}

export const ALERT_QUIET_MS = 15 * 60_000
/** Kinds that a stranger can raise. At the usual pace he could wake a person all night. */
const LONGER_QUIET_MS: Partial<Record<AlertKind, number>> = { webhook_stray: 24 * 3_600_000 }
const RETRY_MS = 60_000
/** An alert that is sent so much later names its time: what failed may be back by then. */
const HELD_MS = 60_000
const LONGEST_DETAIL = 300
/** For each kind. A stranger can raise some kinds very often, and must not fill the disk. */
const LINES_A_MINUTE = 60
const MINUTE_MS = 60_000

/** Of one kind: how many lines were written in this minute, and how many alerts only counted. */
interface Lines {
  until: number
  written: number
  counted: number
  latest: string
}

/** What one kind has to say on one channel. */
interface KindState {
  quietUntil: number
  waiting: { detail: string; count: number; at: number } | undefined
  /** Whether a timer is set that will look at it again. */
  isTimed: boolean
}

/** The alerts of an installation: its channels, its name, and without its secrets. */
export function alertsOf(
  settings: Settings,
  tools: Pick<AlertOptions, 'now' | 'fetch' | 'logger' | 'metrics'>,
): AlertSender {
  return createAlerts({
    ...tools,
    settings: settings.alerts,
    secrets: secretsOf(settings),
    installation: installationOf(settings),
  })
}

/**
 * See {@link Alerts}. Without a webhook or mail server an alert is only a log line: at most 60 of a
 * kind in a minute, and a count of the rest.
 */
export function createAlerts(options: AlertOptions): AlertSender {
  const { now, logger } = options
  const metrics = options.metrics ?? silentMetrics
  const scrub = createScrubber(options.secrets ?? [])
  const later = options.later ?? ((ms, work) => void setTimeout(work, ms).unref())
  const linesOf = new Map<AlertKind, Lines>()
  const queues = channelsOf(options).map(queueOf)

  function clean(detail: string): string {
    // Telegram refuses a text with half a surrogate pair, each time that it is sent again.
    return scrub(detail).replaceAll(/\s+/g, ' ').slice(0, LONGEST_DETAIL).toWellFormed()
  }

  function writeCounted(kind: AlertKind, lines: Lines): void {
    if (lines.counted === 0) return
    logger.warn({ kind, count: lines.counted, detail: clean(lines.latest) }, 'more alerts of this kind; the latest')
    lines.counted = 0
  }

  function writeLine(kind: AlertKind, lines: Lines, detail: string): void {
    const at = now()
    if (!isWaiting(lines.until, at, MINUTE_MS)) {
      writeCounted(kind, lines)
      lines.until = at + MINUTE_MS
      lines.written = 0
    }
    if (lines.written < LINES_A_MINUTE) {
      lines.written += 1
      logger.warn({ kind, detail: clean(detail) }, 'alert')
      return
    }
    lines.latest = detail
    lines.counted += 1
    if (lines.counted === 1) later(lines.until - at, () => writeCounted(kind, lines))
  }

  /** One for each channel, since one may be down or hang. It sends one message at a time. */
  function queueOf({ name, send }: Channel): Pick<AlertSender, 'raise' | 'flush'> {
    const kinds = new Map<AlertKind, KindState>()
    let sending: Promise<void> = Promise.resolve()
    let isQueued = false
    const quietMsOf = (kind: AlertKind): number => LONGER_QUIET_MS[kind] ?? ALERT_QUIET_MS
    const isQuiet = (kind: AlertKind, state: KindState): boolean => isWaiting(state.quietUntil, now(), quietMsOf(kind))

    async function sendDue(): Promise<void> {
      for (const [kind, state] of kinds) await sendIfDue(kind, state)
    }

    async function sendIfDue(kind: AlertKind, state: KindState): Promise<void> {
      const { waiting } = state
      if (waiting === undefined) return
      if (isQuiet(kind, state)) {
        lookLater(state)
        return
      }
      try {
        const { detail, count, at } = waiting
        const heldSince = now() - at < HELD_MS ? undefined : at
        await send(textOf(kind, clean(detail), count, options.installation, heldSince))
        state.quietUntil = now() + quietMsOf(kind)
        const raisedMeanwhile = state.waiting!.count - waiting.count
        state.waiting = raisedMeanwhile > 0 ? { ...state.waiting!, count: raisedMeanwhile } : undefined
      } catch (error) {
        state.quietUntil = now() + RETRY_MS
        logger.error({ err: error, kind, channel: name }, 'an alert could not be sent; it will be tried again')
      }
      if (state.waiting !== undefined) lookLater(state)
    }

    /**
     * Sets a timer for an alert that is held back. The clock may be set back meanwhile, so the
     * quiet time may not be over when the timer fires; then `sendDue` calls this again. No timer is
     * longer than a minute, so that none delays an alert after the clock was set ahead.
     */
    function lookLater(state: KindState): void {
      if (state.isTimed) return
      state.isTimed = true
      later(Math.min(state.quietUntil - now(), RETRY_MS), () => {
        state.isTimed = false
        flushSoon()
      })
    }

    /** Queues one flush for all alerts raised while a slow send is running. */
    function flushSoon(): void {
      if (isQueued) return
      isQueued = true
      sending = sending.then(() => {
        isQueued = false
        return sendDue()
      })
    }

    return {
      raise(kind, detail) {
        const state = kinds.get(kind) ?? { quietUntil: -Infinity, waiting: undefined, isTimed: false }
        kinds.set(kind, state)
        state.waiting = { detail, count: (state.waiting?.count ?? 0) + 1, at: now() }
        if (isQuiet(kind, state)) lookLater(state)
        else flushSoon()
      },
      flush: () => (sending = sending.then(sendDue)),
    }
  }

  return {
    raise(kind, detail) {
      metrics.count('alerts', { kind: kind.split(':', 1)[0] ?? kind })
      const lines = linesOf.get(kind) ?? { until: -Infinity, written: 0, counted: 0, latest: '' }
      linesOf.set(kind, lines)
      writeLine(kind, lines, detail)
      for (const queue of queues) queue.raise(kind, detail)
    },
    async flush() {
      await Promise.all(queues.map((queue) => queue.flush()))
    },
  }
}
