// Opens the hosted page. The service knows no return address, so the shop's page stays alive beside it: a tab opened
// inside the click, cut from us at once, then sent on. Where tabs are refused, the same tab, so that Back returns.

export interface OpenedTab {
  /** Sends the tab on; false when the customer has closed it or there never was one. */
  go(url: string): boolean
  /** Tells who looks at the tab meanwhile how it stands. */
  say(text: string): void
  close(): void
}

/** In-app browsers refuse tabs or lose them; they say so in their name. */
export function isInApp(userAgent: string): boolean {
  return /FBAN|FBAV|Instagram|WhatsApp|Line\/|TikTok|; wv\)/.test(userAgent)
}

/** Must be called inside the click. Without the `noopener` feature: it would return null, and nothing could be sent on. */
export function openTab(text: string, lang: string): OpenedTab | undefined {
  const tab = window.open('', '_blank')
  if (!tab) return undefined
  let line: HTMLElement | undefined
  try {
    tab.opener = null
    const { document: page } = tab
    page.title = text
    page.documentElement.lang = lang
    page.documentElement.style.colorScheme = 'light dark'
    // Without it a phone draws a page for a desk, and its text too small to read.
    const meta = page.createElement('meta')
    meta.name = 'viewport'
    meta.content = 'width=device-width'
    page.head.append(meta)
    line = page.createElement('p')
    line.textContent = text
    line.style.cssText = 'font:18px system-ui,sans-serif;text-align:center;margin-top:30vh'
    page.body.append(line)
  } catch {
    /* Under COOP the tab is not ours to write into: it is only sent on. */
  }
  const close = (): void => tab.close()
  // A page that is left before the address is known would leave the tab saying so for ever.
  addEventListener('pagehide', close)
  return {
    go(url) {
      removeEventListener('pagehide', close)
      if (tab.closed) return false
      try {
        tab.location.replace(url)
        return true
      } catch {
        return false
      }
    },
    say(words) {
      if (line) line.textContent = words
    },
    close,
  }
}

const loopback =
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\]|(10|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d{1,3}){2,3})(:\d+)?([/?#]|$)/

/** https without user information; in test mode also http on this machine or this local network. Anything else is never opened. */
export function isSafeUrl(text: string | undefined, mode: string): text is string {
  return (
    text !== undefined && (/^https:\/\/[^\s/?#@\\]+([/?#]|$)/.test(text) || (mode === 'test' && loopback.test(text)))
  )
}
