// The widget's own types match the companion's contract: its package depends on no other for them,
// so only this test keeps them equal.
import { expect, it } from 'vitest'
import type { DepositPhase as WirePhase, DepositView } from '../../server/contract/index.ts'
import type { Deposit, DepositPhase } from '../../widget/base/types.ts'
import type {
  CheckoutOpenedEvent,
  DepositCreatedEvent,
  DepositEvent,
  FailureEvent,
  StatusChangeEvent,
  SuccessEvent,
} from '../../widget/base/deposit-events.ts'
import type { CountryCode, CurrencyCode } from '../../server/contract/index.ts'

// Each T is compared with the other one: that is how two types are told apart.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** One flat object type, whatever it is put together from. */
type Flat<T> = T extends object ? { [K in keyof T]: Flat<T[K]> } : T

// The widget reads country and currency as text, so that a newer companion may name more of them;
// and no page sees the addresses.
type Seen = Omit<DepositView, 'country' | 'currency' | 'payUrl' | 'checkoutUrl'> & { country: string; currency: string }

const phases: Equal<DepositPhase, WirePhase> = true
const deposits: Equal<Flat<Deposit>, Flat<Seen>> = true
const codes: [CountryCode, CurrencyCode] extends [string, string] ? true : false = true

// The events have their types wherever they are heard, since they bubble, and a name each for a
// handler of the shop's.
const heard: Equal<HTMLElementEventMap['hc-success']['deposit'], Deposit> = true
const told: Equal<HTMLElementEventMap['hc-error']['code'], string> = true
const above: Equal<(DocumentEventMap & WindowEventMap)['hc-success'], SuccessEvent> = true
const named: Equal<
  [CheckoutOpenedEvent, DepositCreatedEvent, StatusChangeEvent, FailureEvent],
  [DepositEvent, DepositEvent, DepositEvent, DepositEvent]
> = true

it('the compiler finds the widget’s types and the contract’s equal', () => {
  expect([phases, deposits, codes, heard, told, above, named]).toEqual(Array(7).fill(true))
})
