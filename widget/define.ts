// Registers <hc-checkout>; a second copy of the script on the page is harmless.
import type { ChangeEvent, DepositEvent, ErrorEvent, ReadyEvent } from './events.ts'
import { HcCheckout } from './hc-checkout.ts'

if (typeof customElements !== 'undefined') HcCheckout.define()

declare global {
  interface HTMLElementTagNameMap {
    'hc-checkout': HcCheckout
  }
  interface HTMLElementEventMap {
    'hc-ready': ReadyEvent
    'hc-change': ChangeEvent
    'hc-deposit-created': DepositEvent
    'hc-checkout-opened': DepositEvent
    'hc-status-change': DepositEvent
    'hc-success': DepositEvent
    'hc-failure': DepositEvent
    'hc-error': ErrorEvent
  }
}
