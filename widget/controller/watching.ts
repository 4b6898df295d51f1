// Keeps the payment that is shown up to date: what its stream, a check and a refused token mean for
// the checkout.
import { mayForget } from '../base/answers.ts'
import { readKept, writeKept } from '../base/attempt-store.ts'
import * as actions from '../base/payment-actions.ts'
import { depositOf } from '../base/checkout-state.ts'
import { unknownPayment, type CheckoutError } from '../base/checkout-error.ts'
import type { Checkout } from './checkout.ts'
import type { watchDeposit } from '../client/deposit-stream.ts'
import { ErrorEvent } from '../base/events.ts'
import { hear } from './hear.ts'
import { paymentClient } from '../client/payment-client.ts'
import { secretsOf } from './secrets.ts'

/**
 * Shows a payment, and keeps it up to date.
 * @returns what ends it
 */
export function watch(
  checkout: Checkout,
  parts: { readonly watchDeposit: typeof watchDeposit },
  id: string,
  token: string,
  resumed: boolean,
): () => void {
  return parts.watchDeposit(paymentClient(checkout.client), id, token, {
    onDeposit: (deposit) => {
      checkout._apply(actions.confirmed)
      keep(checkout, id, token)
      void hear(checkout, deposit, resumed)
    },
    onSilence: (silent, isFirst) => {
      const { session, _offer: offer } = checkout._host
      // The session may name a newer payment, and a press waits for it anyway.
      if (!isFirst || !session || offer.session) checkout._apply(actions.fallSilent(silent, isFirst))
    },
    onGone: () => {
      const isNew = secretsOf(checkout)._unconfirmed === token
      const { back, kept } = checkout.state
      if (back) goBack(checkout)
      else if (isNew || mayForget(readKept(kept))) checkout.reset()
      else return false
      // The page hears of it only if it has named this payment. Not by a `fault`, which would
      // cover what is shown again.
      if (isNew) checkout._host.dispatchEvent(new ErrorEvent(unknownPayment()))
      return true
    },
    onTold: (fault) => {
      // What is on the screen stays there.
      if (!checkout.state.back) checkout._doubt(fault)
    },
    onLeave: () => checkout._set({ opened: { id, isLeft: true } }, false),
  })
}

/** The token opens nothing: what was shown before is shown again. */
function goBack(checkout: Checkout): void {
  const secrets = secretsOf(checkout)
  secrets.token = secrets.before
  checkout._apply(actions.goBack)
  checkout.connect(true)
}

/** Stores a payment of the page's once the companion has confirmed its token. */
function keep(checkout: Checkout, id: string, token: string): void {
  const secrets = secretsOf(checkout)
  if (secrets._unconfirmed !== token) return
  const name = checkout.state.kept
  const kept = readKept(name)
  // Not over the key of a create whose outcome is unknown.
  if (!kept.key && (kept.token !== token || kept.given))
    writeKept(name, { ...(kept.id === id && kept), id, token, given: undefined })
  secrets._unconfirmed = ''
}

/**
 * Has the companion ask the payment service now; does nothing while no payment is shown, nor one
 * that cannot be. Never rejects.
 */
export async function check(checkout: Checkout): Promise<void> {
  const { run, back, id, fault } = checkout.state
  const deposit = depositOf(checkout.state)
  // While another token is being tried, what is shown cannot be asked for.
  if (!(deposit || (id && fault)) || back) return
  checkout._set({ checked: 'asking' })
  let isLost = false
  try {
    const news = await paymentClient(checkout.client).check(id, secretsOf(checkout).token)
    // A payment that is not shown yet is of an earlier visit.
    await hear(checkout, news, true, run)
  } catch (error) {
    const { code } = error as CheckoutError
    isLost = code === 'network' || code === 'blocked'
  }
  const isOver = run !== checkout.state.run
  // News is on the screen by now. If there is none, say so, also after too many checks.
  if (checkout.state.checked) checkout._set({ checked: isOver ? undefined : isLost ? 'lost' : new Date() })
  if (!isLost || isOver) return
  checkout._apply(actions.fallSilent(true))
  // Perhaps only the check is refused, and reading gets through: a rare text says so.
  void checkout._explain()
}
