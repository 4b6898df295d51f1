// The handlers in this process that take notices, beside HC_NOTIFY_URL or instead of it.
import type { Notice, NoticeType } from '../contract/index.ts'
import type { NoticeRow } from '../deposits/ports/store.ts'

/**
 * `id` is the `webhook-id`: the same at every attempt, so that a handler can recognise a repeat.
 */
export interface NoticeContext {
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  /** The trace of the request that the payment came from, by W3C Trace Context. */
  readonly traceparent?: string
}

/** The notice counts as delivered when it resolves; a rejection is a failed attempt. */
export type NoticeHandler = (notice: Notice, context: NoticeContext) => unknown

export interface NoticeHandlersOptions {
  /** After which a handler counts as failed. */
  readonly timeoutMs: number
  /**
   * Calls `work` after `ms`, unless the returned function is called first. Default: the machine's
   * timers.
   */
  readonly later?: (ms: number, work: () => void) => () => void
}

export function createNoticeHandlers({ timeoutMs, later = onTimer }: NoticeHandlersOptions) {
  const subscriptions = new Set<{ readonly type: NoticeType | '*'; readonly handler: NoticeHandler }>()
  const takenBy = (type: NoticeType | '*') => [...subscriptions].filter((each) => each.type === type)
  return {
    /**
     * Calls `handler` with every notice of that type (`'*'`: of every type). Returns a function
     * that unsubscribes it.
     * @throws for a type that does not exist, and for a handler that is no function
     */
    on(type: NoticeType | '*', handler: NoticeHandler): () => void {
      refuseUnusable(type, handler)
      // A handler may be registered twice by two parts of a program: what the one unsubscribes, the
      // other still waits for.
      const subscription = { type, handler }
      subscriptions.add(subscription)
      return () => void subscriptions.delete(subscription)
    },
    /**
     * Those that take notices of this type. One that is there twice, or for the type and for every
     * type, is called once: two calls at the same time would both find the notice not yet handled.
     */
    of: (type: NoticeType): readonly NoticeHandler[] => [
      ...new Set([...takenBy(type), ...takenBy('*')].map(({ handler }) => handler)),
    ],
    /** Types that a handler takes. */
    hears: (): readonly NoticeType[] => TYPES.filter((type) => takenBy(type).length + takenBy('*').length > 0),
    isEmpty: (): boolean => subscriptions.size === 0,
    /**
     * Makes one attempt. Rejects when the handler does, or has not ended in time; it then keeps
     * running.
     */
    async call(handler: NoticeHandler, { id, attempts, body, traceparent }: NoticeRow): Promise<void> {
      let inTime: (() => void) | undefined
      const late = new Promise<never>((_, reject) => {
        inTime = later(timeoutMs, () => reject(new Error(`it did not end within ${timeoutMs / 1000} s`)))
      })
      try {
        const context = { id, attempt: attempts + 1, traceparent }
        await Promise.race([(async () => handler(JSON.parse(body) as Notice, context))(), late])
      } finally {
        inTime?.()
      }
    },
  }
}

const TYPES: readonly NoticeType[] = Object.keys({
  'payment.succeeded': true,
  'payment.duplicate': true,
  'payment.failed': true,
  'payment.expired': true,
  'payment.review': true,
} satisfies Record<NoticeType, true>) as NoticeType[]

/**
 * For plain JavaScript, where no type says so: a handler that is never called would credit nobody,
 * without a word.
 */
function refuseUnusable(type: string, handler: unknown): void {
  const known: readonly string[] = [...TYPES, '*']
  if (!known.includes(type)) throw new TypeError(`There is no notice ${type}: notices.on takes ${known.join(', ')}.`)
  if (typeof handler !== 'function') throw new TypeError(`notices.on('${type}') needs a function as its handler.`)
}

function onTimer(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms)
  return () => clearTimeout(timer)
}
