// Registers <hc-checkout>; a second copy of the script on the page is harmless.
import { HcCheckout } from './hc-checkout.ts'

// Without this, a page that imports only this file has no types for the events.
export type * from './base/deposit-events.ts'
export type * from './base/events.ts'

// Lit uses it, and Chromium 64 to 68 lack it. There are no elements on a server.
const page = globalThis as { Element?: typeof Element }
if (page.Element && !('toggleAttribute' in page.Element.prototype)) {
  const { prototype } = page.Element
  Object.assign(prototype, {
    toggleAttribute(this: Element, name: string, force = !this.hasAttribute(name)) {
      if (force) this.setAttribute(name, '')
      else this.removeAttribute(name)
      return force
    },
  })
}

// None on a server, nor in the oldest browsers.
if (globalThis.customElements) HcCheckout.define()

declare global {
  interface HTMLElementTagNameMap {
    'hc-checkout': HcCheckout
  }
}
