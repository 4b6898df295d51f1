// Registers <hc-checkout>; a second copy of the script on the page is harmless.
import { HcCheckout } from './hc-checkout.ts'

// Without it a page that imports this file alone has no types for the events it hears.
export type * from './events.ts'

if (typeof customElements !== 'undefined') HcCheckout.define()

declare global {
  interface HTMLElementTagNameMap {
    'hc-checkout': HcCheckout
  }
}
