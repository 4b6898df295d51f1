// Keeps a deposit's status fresh for as long as the page lives: snapshot, stream, and polling where streams don't get through.
// Owns its reconnect loop: a native EventSource gives up at the first 502 and can't send the token in a header.
import type { CompanionClient } from './companion-client.ts'
import { CheckoutError } from './companion-client.ts'
import type { Deposit } from './types.ts'

export interface StreamHandlers {
  onDeposit(deposit: Deposit): void
  /** True while nothing is heard from the companion. */
  onSilence(silent: boolean): void
  /** The token is not good for this deposit (any more). */
  onGone(): void
}

const HEARTBEAT_MS = 40_000
const POLL_MS = 5_000
const LONGEST_MS = 30_000

const ended = (deposit: Deposit): boolean => deposit.phase === 'succeeded' || deposit.phase === 'rejected'
const saving = (): boolean => Boolean((navigator as { connection?: { saveData?: boolean } }).connection?.saveData)

export function watchDeposit(client: CompanionClient, id: string, token: string, handlers: StreamHandlers): () => void {
  let stopped = false
  let controller: AbortController | undefined
  let wake: () => void = () => {}
  let failures = 0
  /** Streams that opened and brought nothing: a proxy holds them back. */
  let mute = 0

  function heard(deposit: Deposit): void {
    if (stopped) return
    failures = 0
    handlers.onSilence(false)
    handlers.onDeposit(deposit)
    if (ended(deposit)) stop()
  }

  /** Sleeps, but wakes when the page comes back or the network does. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function stream(): Promise<void> {
    controller = typeof AbortController === 'function' ? new AbortController() : undefined
    const response = await client.events(id, token, controller && controller.signal)
    if (response.status === 404 || response.status === 401) throw new CheckoutError('not_found', '')
    if (!response.ok || !response.body) throw new CheckoutError('network', '')
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    let text = ''
    let brought = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const cut = () => void reader.cancel().catch(() => {})
    try {
      for (;;) {
        clearTimeout(timer)
        timer = setTimeout(cut, brought ? HEARTBEAT_MS : 6_000)
        const { done, value } = await reader.read()
        if (done || stopped) return
        text += decoder.decode(value, { stream: true })
        const blocks = text.split('\n\n')
        text = blocks.pop() || ''
        for (const block of blocks) {
          brought = true
          mute = 0
          const data = /^data: (.*)$/m.exec(block)
          if (data && data[1]) heard(JSON.parse(data[1]) as Deposit)
        }
      }
    } finally {
      clearTimeout(timer)
      if (!brought) mute += 1
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      try {
        heard(await client.get(id, token))
        if (stopped) return
        if (mute < 2 && !saving()) await stream()
        else await pause(saving() ? 15_000 : POLL_MS)
      } catch (error) {
        if (error instanceof CheckoutError && (error.code === 'not_found' || error.code === 'unauthorized')) {
          stop()
          handlers.onGone()
          return
        }
        failures += 1
        if (!stopped && failures > 1) handlers.onSilence(true)
      }
      if (!stopped) await pause(Math.min(LONGEST_MS, 500 * 2 ** Math.min(failures, 6)) * (0.5 + Math.random() / 2))
    }
  }

  /** A page that was frozen, asleep or in the back-forward cache looks at once instead of at its next turn. */
  function back(): void {
    if (document.visibilityState === 'hidden') return
    failures = 0
    if (controller) controller.abort()
    wake()
  }
  document.addEventListener('visibilitychange', back)
  addEventListener('pageshow', back)
  addEventListener('online', back)

  function stop(): void {
    stopped = true
    if (controller) controller.abort()
    wake()
    document.removeEventListener('visibilitychange', back)
    removeEventListener('pageshow', back)
    removeEventListener('online', back)
  }

  void run()
  return stop
}
