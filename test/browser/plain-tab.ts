// A tab that is not controlled by Playwright, which keeps its own pages in the foreground, so that
// they can't be hidden or frozen; this one is opened and driven over the DevTools protocol.
import type { Browser } from 'playwright-core'
import { PATIENCE_MS } from './customer.ts'

export interface PlainTab {
  evaluate<T>(expression: string): Promise<T>
  /** Waits until the expression holds. */
  until(expression: string, what: string): Promise<void>
  /** The customer looks at something else. */
  hide(): Promise<void>
  /**
   * Hidden, and the browser has stopped its scripts to save power; no expression is evaluated until
   * `thaw`.
   */
  freeze(): Promise<void>
  /** Its scripts run again; still hidden. */
  thaw(): Promise<void>
  /** The customer looks at it. */
  show(): Promise<void>
  close(): Promise<void>
}

interface Reply {
  readonly id?: number
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** @param before runs in the page ahead of its own scripts */
export async function openPlainTab(
  browser: Browser,
  before = '',
): Promise<PlainTab & { goto(url: string): Promise<void> }> {
  const whole = await browser.newBrowserCDPSession()
  const { browserContextId } = await whole.send('Target.createBrowserContext', {})
  const { targetId } = await whole.send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await whole.send('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map<number, (reply: Reply) => void>()
  whole.on('Target.receivedMessageFromTarget', (event) => {
    const reply = JSON.parse(event.message) as Reply
    if (event.sessionId === sessionId && reply.id !== undefined) waiting.get(reply.id)?.(reply)
  })
  let last = 0
  async function send(method: string, params: object = {}): Promise<unknown> {
    const id = ++last
    const replied = new Promise<Reply>((resolve) => void waiting.set(id, resolve))
    await whole.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) })
    const { result, error } = await replied
    waiting.delete(id)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  const lifecycle = (state: 'frozen' | 'active'): Promise<unknown> => send('Page.setWebLifecycleState', { state })
  await send('Page.enable')
  if (before !== '') await send('Page.addScriptToEvaluateOnNewDocument', { source: before })

  const tab = {
    async evaluate<T>(expression: string): Promise<T> {
      const { result, exceptionDetails } = (await send('Runtime.evaluate', {
        expression,
        returnByValue: true,
        awaitPromise: true,
        userGesture: true,
      })) as { result: { value: T }; exceptionDetails?: { exception?: { description?: string } } }
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? expression)
      return result.value
    },
    async until(expression: string, what: string): Promise<void> {
      const end = Date.now() + PATIENCE_MS
      while (!(await tab.evaluate<boolean>(`Boolean(${expression})`))) {
        if (Date.now() > end) throw new Error(`In ${PATIENCE_MS / 1000} s it did not come to pass that ${what}.`)
        await new Promise((resolve) => void setTimeout(resolve, 50))
      }
    },
    async hide() {
      // The only door to a hidden page without another window: it is frozen and goes on, unseen.
      await lifecycle('frozen')
      await lifecycle('active')
    },
    freeze: async () => void (await lifecycle('frozen')),
    thaw: async () => void (await lifecycle('active')),
    async show() {
      await send('Emulation.setFocusEmulationEnabled', { enabled: true })
      await tab.until('!document.hidden', 'the page is seen again')
    },
    async goto(url: string) {
      await send('Page.navigate', { url })
      await tab.until(
        `location.href === ${JSON.stringify(url)} && document.readyState === 'complete'`,
        'the page is there',
      )
    },
    async close() {
      await whole.send('Target.disposeBrowserContext', { browserContextId })
      await whole.detach()
    },
  }
  return tab
}
