// A new view of a payment has come: what is shown of it, and which events tell the page.
import { depositOf } from '../base/checkout-state.ts'
import { endKept } from '../base/end-kept.ts'
import * as actions from '../base/payment-actions.ts'
import type { Deposit, DepositPhase } from '../base/types.ts'
import type { Checkout } from './checkout.ts'
import { FailureEvent, StatusChangeEvent, SuccessEvent } from '../base/deposit-events.ts'

/** Phases whose texts are loaded from the start. */
const usualPhases: readonly DepositPhase[] = ['creating', 'open', 'confirming', 'succeeded']

/**
 * Shows a new view of a payment, and dispatches its events; unusual phases wait for their texts. A
 * view that comes in another run than `run` is dropped.
 */
export async function hear(
  checkout: Checkout,
  deposit: Deposit,
  resumed: boolean,
  run = checkout.state.run,
): Promise<void> {
  if (!usualPhases.includes(deposit.phase) || deposit.late || deposit.duplicate) await checkout._explain()
  if (run !== checkout.state.run) return
  const last = depositOf(checkout.state)
  checkout._apply(actions.hear(deposit, resumed))
  if (depositOf(checkout.state) !== last) announce(checkout, last)
}

function announce(checkout: Checkout, before: Deposit | undefined): void {
  const { screen } = checkout.state
  if (!('deposit' in screen)) return
  const { deposit, resumed } = screen
  const old = before?.id === deposit.id ? before : undefined
  if (old && old.version !== deposit.version) checkout._host.dispatchEvent(new StatusChangeEvent(deposit, resumed))
  if (old?.status !== deposit.status) tell(checkout, deposit, resumed)
  // It has ended meanwhile: its news is shown, and whoever still wants to forget it need not be
  // asked.
  if (!checkout._mayBePaid) checkout._answer(false)
}

/**
 * Dispatches success or failure, once per deposit and browser; where it is not stored, or no
 * longer, once per element.
 */
function tell(checkout: Checkout, deposit: Deposit, resumed: boolean): void {
  const { id, status } = deposit
  const told = id + status
  if (status === 'PENDING' || endKept(checkout.state.kept, deposit) || checkout.state.told === told) return
  checkout._set({ told })
  const Ended = status === 'SUCCESS' ? SuccessEvent : FailureEvent
  checkout._host.dispatchEvent(new Ended(deposit, resumed))
}
