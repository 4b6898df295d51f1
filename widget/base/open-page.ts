// Opens the hosted page. The service has no return address, so the shop's page must stay open
// beside it: a tab is opened in the click handler, its opener is cut at once, then it is navigated.
// If tabs are refused, the same tab is used, so that Back returns.
import type { Deposit } from './types.ts'

export type OpenedTab = NonNullable<ReturnType<typeof openTab>>

/**
 * Moves without a style sheet, which the shop's policy may refuse; where there is no such
 * animation, it stands still.
 */
function turning(page: Document): HTMLElement {
  const ring = page.createElement('div')
  ring.style.cssText =
    'width:32px;height:32px;margin:30vh auto 16px;' +
    'border:3px solid #8884;border-top-color:currentColor;border-radius:50%'
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    ring.animate?.([{ transform: 'rotate(0)' }, { transform: 'rotate(360deg)' }], {
      duration: 900,
      iterations: Infinity,
    })
  return ring
}

/**
 * Must be called in the click handler. Without the `noopener` feature, with which `window.open`
 * returns null.
 */
export function openTab(text: string, lang: string, about = '') {
  let tab: Window | null | undefined
  try {
    tab = window.open('', '_blank')
  } catch {
    /* An app or a popup blocker has removed or replaced it. */
  }
  // An app that shows one window only gives that one.
  if (!tab || tab === window.top) return undefined
  let line: HTMLElement | undefined
  try {
    tab.opener = null
    const { document: page } = tab
    page.title = text
    page.documentElement.lang = lang
    page.documentElement.style.colorScheme = 'light dark'
    // Without it a phone renders a desktop page with tiny text.
    const meta = page.createElement('meta')
    meta.name = 'viewport'
    meta.content = 'width=device-width'
    page.head.append(meta)
    const head = page.createElement('h1')
    head.textContent = about
    line = page.createElement('p')
    line.textContent = text
    page.body.style.cssText = 'font:18px system-ui,sans-serif;text-align:center;padding:0 16px'
    head.style.cssText = 'font-size:22px'
    page.body.append(turning(page), head, line)
  } catch {
    /* Under COOP the tab can't be written to: it is only navigated. */
  }
  const close = (): void => {
    removeEventListener('pagehide', close)
    tab.close()
  }
  // If the page is left before the address is known, the tab would wait forever.
  addEventListener('pagehide', close)
  return {
    /** Navigates the tab; false if the customer has closed it. */
    go(url: string): boolean {
      removeEventListener('pagehide', close)
      try {
        if (!tab.closed) {
          tab.location.replace(url)
          return true
        }
      } catch {
        // A sandboxed frame may not navigate it: nothing would ever come.
        close()
      }
      return false
    },
    say(words: string): void {
      if (line) line.textContent = words
    },
    close,
  }
}

const loopback =
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\]|(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3})(:\d+)?([/?#]|$)/

/**
 * https without credentials; in test mode also http on this machine or the local network. Nothing
 * else is ever opened.
 */
export function isSafeUrl(text: string | undefined, mode: Deposit['mode']): text is string {
  return (
    text !== undefined && (/^https:\/\/[^\s/?#@\\]+([/?#]|$)/.test(text) || (mode === 'test' && loopback.test(text)))
  )
}
