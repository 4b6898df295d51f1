// Registers <hc-checkout>; a second copy of the script on the page is harmless.
import { HcCheckout } from './hc-checkout.ts'

// Without this, a page that imports only this file has no types for the events.
export type * from './base/deposit-events.ts'
export type * from './base/events.ts'

// None on a server, nor in the oldest browsers.
if (globalThis.customElements) HcCheckout.define()

declare global {
  interface HTMLElementTagNameMap {
    'hc-checkout': HcCheckout
  }
}
