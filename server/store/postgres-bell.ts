// Change notifications between instances: LISTEN/NOTIFY wakes them, and slow polling of recently changed rows is the fallback.
import type { ClientConfig } from 'pg'
import { Client } from 'pg'
import type { Logger } from '../logger.ts'
import type { Bell } from './bell.ts'
import type { Ring } from './engine.ts'
import { inTime } from './postgres-faults.ts'

const CHANNEL = 'hc_deposit'
/** Stays below NOTIFY's limit of 8,000 bytes. */
const PAYLOAD_BYTES = 7000
const POLL_MS = 5000
/** While the LISTEN connection is down, polling is all there is. */
const POLL_WHILE_DEAF_MS = 500
/** Clocks of instances may differ by this much. */
const SKEW_MS = 3000
const RECONNECT_MS = 250

export interface ChangedRow extends Ring {
  readonly updatedAt: number
}

export interface PostgresBellOptions {
  readonly bell: Bell
  readonly config: ClientConfig
  /** Identifies this instance; its own changes ring at once and are ignored here. */
  readonly instance: string
  readonly now: () => number
  readonly logger: Logger
  /** Sends one notification, outside any transaction. */
  readonly notify: (channel: string, payload: string) => Promise<void>
  /** Deposits that other instances changed at or after `since`. */
  readonly changedSince: (since: number) => Promise<readonly ChangedRow[]>
}

export interface PostgresBell {
  /**
   * Notifies all instances, after the commit. Not inside the transaction: PostgreSQL serialises the commits of transactions that notify, each with
   * its own fsync. Polling finds what a crash loses here.
   */
  ring(rings: readonly Ring[]): void
  /** Resolves after the first attempt to listen, successful or not. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

export function createPostgresBell(options: PostgresBellOptions): PostgresBell {
  const { bell, config, instance, now, logger, notify, changedSince } = options
  let client: Client | undefined
  let hears = false
  let asked: Client | undefined
  let closed = false
  let outgoing: Ring[] = []
  let timer: NodeJS.Timeout | undefined
  let lookFrom = now()
  /** Versions that rang already, so that the overlap of two polls does not ring twice. */
  let rang = new Map<string, number>()

  function ringOnce(id: string, version: number, from = rang): void {
    if ((from.get(id) ?? -1) >= version) return
    bell.ring({ id, version })
  }

  function hear(payload: string): void {
    const [sender, ...parts] = payload.split(' ')
    if (sender === instance) return
    for (const part of parts) {
      const at = part.lastIndexOf(':')
      bell.ring({ id: part.slice(0, at), version: Number(part.slice(at + 1)) })
    }
  }

  async function connect(): Promise<void> {
    if (closed) return
    const fresh = new Client(config)
    client = fresh
    const lost = () => {
      if (client !== fresh) return
      client = undefined
      hears = false
      schedule()
      if (!closed) setTimeout(() => void connect(), RECONNECT_MS).unref()
    }
    fresh.on('error', lost)
    fresh.on('end', lost)
    fresh.on('notification', ({ payload }) => hear(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(inTime(`LISTEN ${CHANNEL}`))
      hears = true
      // Changes that nobody heard while the connection was down.
      await look()
    } catch (error) {
      logger.warn({ err: error }, 'The LISTEN connection is down; polling recently changed rows instead.')
      await fresh.end().catch(() => undefined)
      lost()
    }
  }

  /** Pings the LISTEN connection to detect one that died silently (a firewall, a dead host); closing it leads to a reconnect. */
  async function checkEar(): Promise<void> {
    const ear = client
    if (!hears || ear === undefined || asked === ear) return
    asked = ear
    await ear.query(inTime('SELECT 1')).then(
      () => (asked = undefined),
      async (error: unknown) => {
        logger.warn({ err: error }, 'The LISTEN connection went silent; reconnecting.')
        await ear.end().catch(() => undefined)
      },
    )
  }

  async function look(): Promise<void> {
    if (bell.listeners === 0) {
      lookFrom = now()
      rang.clear()
      return
    }
    const since = lookFrom - SKEW_MS
    const startedAt = now()
    const rows = await changedSince(since)
    const seen = new Map<string, number>()
    for (const { id, version } of rows) {
      ringOnce(id, version)
      seen.set(id, version)
    }
    rang = seen
    lookFrom = startedAt
  }

  function schedule(): void {
    clearTimeout(timer)
    if (closed) return
    timer = setTimeout(
      () => {
        void checkEar()
        look()
          .catch((error: unknown) =>
            logger.debug({ err: error }, 'Reading recently changed rows failed; tried again soon.'),
          )
          .finally(schedule)
      },
      hears ? POLL_MS : POLL_WHILE_DEAF_MS,
    )
    timer.unref()
  }

  function send(): void {
    const rings = outgoing
    outgoing = []
    let payload = instance
    const flush = () => {
      if (payload !== instance)
        notify(CHANNEL, payload).catch((error: unknown) =>
          logger.debug({ err: error }, 'A LISTEN/NOTIFY wake-up was lost; polling will find the change.'),
        )
      payload = instance
    }
    for (const { id, version } of rings) {
      if (payload.length + id.length > PAYLOAD_BYTES) flush()
      payload += ` ${id}:${version}`
    }
    flush()
  }

  const ready = connect()
  schedule()
  return {
    ready,
    ring(rings) {
      if (rings.length === 0) return
      if (outgoing.length === 0) setImmediate(send)
      for (const ring of rings) {
        outgoing.push(ring)
        bell.ring(ring)
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
