// Keeps a deposit's status up to date while the page is open: snapshot, stream, and polling where
// streams don't get through. Has its own reconnect loop: a native EventSource gives up at the first
// 502 and can't send the token in a header.
import type { DepositView } from '../../server/contract/index.ts'
import { isTold, meaningOf } from '../base/answers.ts'
import type { CheckoutError } from '../base/checkout-error.ts'
import { withoutLinks } from '../base/payment-links.ts'
import type { PaymentClient } from './payment-client.ts'
import type { Deposit, DepositPhase } from '../base/types.ts'

export interface StreamHandlers {
  onDeposit(deposit: Deposit): void
  /** Called with true while the companion does not answer; `isFirst`: it never has yet. */
  onSilence(silent: boolean, isFirst?: boolean): void
  /**
   * Called when the token arrived and is not (or no longer) this deposit's. @returns whether the
   * payment is given up; else it is asked for again
   */
  onGone(): boolean
  /**
   * Called with each answer that says nothing of the payment and that the page's developer has to
   * hear of.
   */
  onTold(error: CheckoutError): void
  /** Called when the page is frozen or left: it may come back much later. */
  onLeave(): void
}

/** A stream that is silent for this long is dead: the companion sends a heartbeat every 15 s. */
const HEARTBEAT_MS = 40_000
const POLL_MS = 5_000
/** A read that takes longer is told as silence; the first one sooner, as Pay does nothing then. */
const SLOW_MS = [3_000, 10_000] as const
const LONGEST_MS = 30_000
/**
 * Interval after an end that may still be followed by a late success, while the page is away, and
 * between streams that bring nothing.
 */
const LONG_MS = 300_000

/** Ends that a late success may still follow, and those that nothing follows. */
const softEnds: readonly DepositPhase[] = ['failed', 'expired', 'abandoned']
const lastPhases: readonly DepositPhase[] = ['succeeded', 'rejected']

const noop = (): void => {}

const saving = (): boolean | undefined => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData

/**
 * Calls the handlers until the deposit can't change any more, its token is refused, or the returned
 * function is called; nothing after that. Never throws: a companion that does not answer is asked
 * again, for as long as it takes.
 */
export function watchDeposit(client: PaymentClient, id: string, token: string, handlers: StreamHandlers): () => void {
  let stopped = false
  let cut = noop
  let rouse = noop
  /** Something happened while it did not sleep: the next sleep is left out. */
  let woken = false
  let release = noop
  /** The page is frozen or in the back-forward cache: it holds no stream, lock or channel. */
  let away = false
  let known = 0
  let softEnd = 0
  const { locks } = navigator as { locks?: LockManager }
  /**
   * This tab opens the stream for all tabs of the shop: with HTTP/1.1 a browser opens only six
   * connections to a host.
   */
  let leads = !locks
  let channel: BroadcastChannel | undefined
  let failures = 0
  /**
   * Streams in a row that brought nothing: a proxy refuses them (also without CORS headers, which
   * looks like no network) or buffers them. After two, polling, with a stream only now and then.
   */
  let mute = 0
  let mutedAt = 0

  function heard(deposit: Deposit): void {
    if (stopped) return
    failures = 0
    handlers.onSilence(false)
    softEnd = softEnds.includes(deposit.phase) ? softEnd || Date.now() : 0
    if (deposit.version > known) {
      known = deposit.version
      channel?.postMessage({ id, version: known })
    }
    handlers.onDeposit(deposit)
    if (lastPhases.includes(deposit.phase)) stop()
  }

  /** Sleeps, but wakes when the page or the network comes back. @returns whether it was woken */
  function pause(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), ms)
      rouse = () => {
        clearTimeout(timer)
        woken = false
        resolve(true)
      }
      if (woken) rouse()
    })
  }

  function wake(): void {
    woken = true
    rouse()
  }

  async function stream(): Promise<void> {
    const controller = globalThis.AbortController && new AbortController()
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
    let left = false
    let brought = false
    let end = noop
    const ended = new Promise<never>((_, reject) => {
      // In every available way: Chromium 64 has no AbortController.
      end = () => {
        reject(new Error())
        controller?.abort()
        reader?.cancel().catch(noop)
      }
    })
    cut = () => {
      left = true
      end()
    }
    // A buffering proxy may hold back the response headers too.
    let timer = setTimeout(end, 9_000)
    try {
      const response = await Promise.race([client.events(id, token, controller?.signal), ended])
      // Also 401 and 404: they may be a proxy's. Whether the token is valid, the companion says to
      // the next snapshot.
      if (!response.ok || !response.body) throw new Error()
      reader = response.body.getReader()
      const decoder = new TextDecoder()
      let text = ''
      clearTimeout(timer)
      timer = setTimeout(end, 6_000)
      for (;;) {
        const { done, value } = await reader.read()
        if (done || stopped) return
        text += decoder.decode(value, { stream: true })
        const blocks = text.split(/\n\n/)
        text = blocks.pop() || ''
        for (const block of blocks) {
          const data = /^data: (.+)/m.exec(block)
          // A heartbeat is a comment. A page in the place of a stream has neither.
          if (!data && block[0] !== ':') continue
          brought = true
          mute = 0
          clearTimeout(timer)
          timer = setTimeout(end, HEARTBEAT_MS)
          const view = data && (JSON.parse(data[1]!) as DepositView)
          if (view?.id === id) heard(withoutLinks(view))
        }
      }
    } finally {
      clearTimeout(timer)
      if (!brought && !left) {
        mute += 1
        mutedAt = Date.now()
      }
    }
  }

  async function read(): Promise<Deposit> {
    const slow = setTimeout(() => stopped || handlers.onSilence(true, !known), SLOW_MS[known ? 1 : 0])
    try {
      return await client.get(id, token)
    } finally {
      clearTimeout(slow)
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      if (away) {
        await pause(LONG_MS)
        continue
      }
      try {
        woken = false
        heard(await read())
        if (stopped) return
        // A late success rarely follows a soft end: the companion ends such streams after 5
        // minutes.
        const isOver = softEnd && Date.now() - softEnd > LONG_MS
        if (!isOver && leads && !saving() && (mute < 2 || Date.now() - mutedAt > LONG_MS)) {
          // A stream begins with what is known now.
          woken = false
          await stream()
        } else {
          const interval = saving() || !leads ? 15_000 : POLL_MS
          // If it was woken there is news, for example that this tab may open the stream: no second
          // sleep.
          if (await pause(isOver ? LONG_MS : interval * (document.hidden ? 4 : 1))) continue
        }
      } catch (error) {
        // Another payment may be shown meanwhile.
        if (stopped) return
        const { code } = error as CheckoutError
        if (meaningOf('read', code) === 'forget' && handlers.onGone()) stop()
        if (stopped) return
        failures += 1
        const isSaid = isTold(code)
        if (failures > 1 || isSaid) handlers.onSilence(true)
        if (isSaid) handlers.onTold(error as CheckoutError)
      }
      if (!stopped) await pause(Math.min(LONGEST_MS, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2))
    }
  }

  /** Queues for the lock of this deposit's stream, and listens to the tab that holds it. */
  function join(): void {
    try {
      channel = new BroadcastChannel('hc-checkout')
      channel.addEventListener('message', ({ data }: MessageEvent<{ id: string; version: number }>) => {
        if (data?.id === id && data.version > known) wake()
      })
    } catch {
      /* Missing in old browsers. Firefox refuses it in frames where it refuses storage. */
    }
    if (!locks) return
    let gone = false
    release = () => {
      gone = true
    }
    locks
      .request(`hc-checkout:${id}`, () =>
        gone
          ? undefined
          : new Promise<void>((resolve) => {
              release = resolve
              leads = true
              wake()
            }),
      )
      // Web Locks refused, for example in a sandboxed frame: each tab opens its own stream.
      .catch(() => {
        leads = true
      })
  }

  function leave(): void {
    if (locks) leads = false
    release()
    channel?.close()
    channel = undefined
    cut()
  }

  /**
   * A page that comes back from being hidden, frozen or cached asks at once instead of at its next
   * turn.
   */
  function back(): void {
    if (document.hidden) return
    failures = 0
    if (away) {
      away = false
      join()
    } else cut()
    wake()
  }

  function go(): void {
    away = true
    handlers.onLeave()
    leave()
  }

  const listeners: [EventTarget, string, () => void][] = [
    [document, 'visibilitychange', back],
    [document, 'resume', back],
    [window, 'pageshow', back],
    [window, 'online', back],
    // A stream without network would stay silent for long: tell the customer at once.
    [window, 'offline', back],
    [window, 'pagehide', go],
    [document, 'freeze', go],
  ]
  for (const [target, type, listener] of listeners) target.addEventListener(type, listener)

  function stop(): void {
    stopped = true
    leave()
    wake()
    for (const [target, type, listener] of listeners) target.removeEventListener(type, listener)
  }

  join()
  void run()
  return stop
}
