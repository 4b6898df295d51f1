// Registers <hc-checkout>; a second copy of the script on the page is harmless.
import { HcCheckout } from './hc-checkout.ts'

if (typeof customElements !== 'undefined') HcCheckout.define()

declare global {
  interface HTMLElementTagNameMap {
    'hc-checkout': HcCheckout
  }
}
