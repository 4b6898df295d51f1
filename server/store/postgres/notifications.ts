// Change notifications between instances: LISTEN/NOTIFY wakes them, and slow polling of recently
// changed rows is the fallback.
import type { ClientConfig } from 'pg'
import { Client } from 'pg'
import type { Logger } from '../../platform/logging/logger.ts'
import type { ChangeListeners } from '../engine/change-listeners.ts'
import type { ChangedDeposit } from '../engine/engine.ts'
import { inTime } from './faults.ts'

const CHANNEL = 'hc_deposit'
/** With the change that passes it, it stays below NOTIFY's limit of 8,000 bytes. */
const PAYLOAD_BYTES = 7000
const POLL_MS = 5000
/** While the LISTEN connection is down, polling is all there is. */
const POLL_WHILE_DISCONNECTED_MS = 500
/** Clocks of instances may differ by this much. */
const SKEW_MS = 3000
/**
 * What lies further ahead was written by a clock that was wrong, and would be read by every poll
 * until that time has come. Streams find it by their heartbeat.
 */
const AHEAD_MS = 5 * 60_000
const RECONNECT_MS = 250

export interface PostgresNotificationsOptions {
  readonly listeners: ChangeListeners
  readonly config: ClientConfig
  /** Identifies this instance; its own changes reach the listeners at once and are ignored here. */
  readonly instance: string
  readonly now: () => number
  readonly logger: Logger
  /** Sends one notification, outside any transaction. */
  readonly notify: (channel: string, payload: string) => Promise<void>
  /** Deposits that other instances changed at or after `since` and before `until`. */
  readonly changedSince: (since: number, until: number) => Promise<readonly ChangedDeposit[]>
}

export function createPostgresNotifications(options: PostgresNotificationsOptions) {
  const { listeners, config, instance, now, logger, notify, changedSince } = options
  let client: Client | undefined
  let isListening = false
  /** The log says that it is down: once, and not at each attempt. */
  let isTold = false
  let pinged: Client | undefined
  let closed = false
  const outgoing: ChangedDeposit[] = []
  let isSending = false
  let timer: NodeJS.Timeout | undefined
  let lookFrom = now()
  /**
   * Versions that polling has reported already, so that the overlap of two polls does not report
   * them twice.
   */
  let reported = new Map<string, number>()

  function receive(payload: string): void {
    const [sender, ...parts] = payload.split(' ')
    if (sender === instance) return
    for (const part of parts) {
      const at = part.lastIndexOf(':')
      listeners.notify({ id: part.slice(0, at), version: Number(part.slice(at + 1)) })
    }
  }

  async function connect(): Promise<void> {
    if (closed) return
    const fresh = new Client(config)
    client = fresh
    const lost = () => {
      if (client !== fresh) return
      client = undefined
      isListening = false
      schedule()
      if (!closed) setTimeout(() => void connect(), RECONNECT_MS).unref()
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', ({ payload }) => receive(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(inTime(`LISTEN ${CHANNEL}`))
      isListening = true
      // Changes whose notification was lost while the connection was down.
      await look()
      if (isTold) logger.info({}, 'The LISTEN connection is back.')
      isTold = false
    } catch (error) {
      const level = isTold ? 'debug' : 'warn'
      isTold = true
      logger[level]({ err: error }, 'The LISTEN connection is down; polling recently changed rows instead.')
      await fresh.end().catch(() => undefined)
      lost()
    }
  }

  /**
   * Pings the LISTEN connection to detect one that died silently (a firewall, a dead host); closing
   * it leads to a reconnect.
   */
  async function checkConnection(): Promise<void> {
    const connection = client
    if (!isListening || connection === undefined || pinged === connection) return
    pinged = connection
    await connection.query(inTime('SELECT 1')).then(
      () => (pinged = undefined),
      async (error: unknown) => {
        logger.warn({ err: error }, 'The LISTEN connection went silent; reconnecting.')
        await connection.end().catch(() => undefined)
      },
    )
  }

  async function look(): Promise<void> {
    if (listeners.size === 0) {
      lookFrom = now()
      reported.clear()
      return
    }
    const since = lookFrom - SKEW_MS
    const startedAt = now()
    const rows = await changedSince(since, startedAt + AHEAD_MS)
    const seen = new Map<string, number>()
    for (const { id, version } of rows) {
      if ((reported.get(id) ?? -1) < version) listeners.notify({ id, version })
      seen.set(id, version)
    }
    reported = seen
    lookFrom = startedAt
  }

  function schedule(): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(
      () => {
        void checkConnection()
        look()
          .catch((error: unknown) =>
            logger.debug({ err: error }, 'Reading recently changed rows failed; tried again soon.'),
          )
          .finally(schedule)
      },
      isListening ? POLL_MS : POLL_WHILE_DISCONNECTED_MS,
    )
    timer.unref()
  }

  /** Takes what fits into one payload. */
  function nextPayload(): string {
    let payload = instance
    while (outgoing.length > 0 && payload.length < PAYLOAD_BYTES) {
      const { id, version } = outgoing.shift() as ChangedDeposit
      payload += ` ${id}:${version}`
    }
    return payload
  }

  /**
   * One at a time, since each is a commit of its own: what changes meanwhile goes with the next.
   */
  async function send(): Promise<void> {
    while (outgoing.length > 0) {
      await notify(CHANNEL, nextPayload()).catch((error: unknown) =>
        logger.debug({ err: error }, 'A LISTEN/NOTIFY wake-up was lost; polling will find the change.'),
      )
    }
    isSending = false
  }

  /** Resolves after the first attempt to listen, successful or not. */
  const ready = connect()
  schedule()
  return {
    ready,
    /**
     * Notifies all instances, after the commit. Not inside the transaction: PostgreSQL serialises
     * the commits of transactions that notify, each with its own fsync. Polling finds what a crash
     * loses here.
     */
    notify(changed: ChangedDeposit): void {
      outgoing.push(changed)
      if (!isSending) {
        isSending = true
        setImmediate(() => void send())
      }
      listeners.notify(changed)
    },
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
