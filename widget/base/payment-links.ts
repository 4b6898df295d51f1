// The addresses of payments, apart from what events and properties of the element show: whoever has
// one can open the payment.
import type { DepositView } from '../../server/contract/index.ts'
import type { Deposit } from './types.ts'

interface Links {
  /** The companion's page of the payment, for any browser. */
  readonly payUrl?: string | undefined
  /** The payment service's page; absent before it is known and after the end. */
  readonly checkoutUrl?: string | undefined
}

/**
 * By id. In a module, not in a property of the element: what walks through objects of the page does
 * not meet it.
 */
const known = new Map<string, Links>()

/** Takes the addresses out of a view of the companion's, and remembers them. */
export function withoutLinks<View extends DepositView>(view: View): Deposit & Omit<View, 'payUrl' | 'checkoutUrl'> {
  const { payUrl, checkoutUrl, ...shown } = view
  known.set(shown.id, { payUrl, checkoutUrl })
  return shown
}

export const linksOf = (id: string): Links => known.get(id) || {}
