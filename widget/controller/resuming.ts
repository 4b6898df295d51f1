// Finds the payment of an order again: after a reload, in another tab, by the id or token that the
// page gives.
import { keptNames, readKept, writeKept } from '../base/attempt-store.ts'
import { unknownPayment } from '../base/checkout-error.ts'
import * as actions from '../base/checkout-state.ts'
import { isBusy } from '../base/checkout-state.ts'
import type { Checkout } from './checkout.ts'
import { createCompanionClient } from '../client/companion-client.ts'
import { secretsOf } from './secrets.ts'

export function connect(checkout: Checkout, again?: boolean): boolean {
  const { companion, session, deposit, clientReference } = checkout._host
  const order = session ? session.slice(0, 30) : clientReference
  // With or without a slash at its end it is the same companion. A page may have set none.
  const base = (companion || '').replace(/\/$/, '')
  const root = `hc-checkout:${base}`
  const own = root + (order ? `:${order}` : '')
  const { own: last } = checkout.state.names
  if (last !== own) {
    // A payment of one order must not be shown for the next, nor a pending answer be stored as
    // the next one's.
    if (last) reset(checkout, true)
    checkout._set({ names: { root, own }, kept: own })
    checkout.client = createCompanionClient(base)
    // Erases expired entries of other orders.
    keptNames('hc-checkout').forEach((one) => readKept(one))
  } else if (!again) return false
  const { screen, id: shown, kept } = checkout.state
  const { id, token, key, given } = readKept(kept)
  // A payment on the screen goes on, stored or not.
  if (shown) checkout._follow(shown, secretsOf(checkout).token, true)
  // After a reload between click and answer the key is stored: recover the answer with it, before
  // anything else is shown.
  else if (key) {
    if (screen.step === 'submitting') return true
    checkout._apply(actions.submit)
    void checkout._settle(key)
  } else if (deposit && !session) resume(checkout, deposit)
  else if (id && token) {
    if (given) secretsOf(checkout)._unconfirmed = token
    checkout._follow(id, token, true)
  }
  return true
}

/**
 * With an id alone, a payment is shown only if this browser holds its token, under any order: to
 * anybody else it is private.
 */
export function resume(checkout: Checkout, id?: string, token?: string): void {
  const { state } = checkout
  const { root, own } = state.names
  // A create is under way and not stored: only its answer can say which payment it has made.
  if (state.screen.step === 'submitting' && !state.id && !readKept(state.kept).key) return
  let name = own
  let found = readKept(own)
  const stored = keptNames(root).map((one) => readKept(one))
  const isKnown = state.id === id || stored.some((kept) => kept.id === id && !kept.given)
  const handed = id && token && (state.handed === id || !isKnown) ? id : ''
  if (id && token) {
    // Stored before the companion has answered: after a reload without a network, the payment
    // must be found. A stored payment stays until this token is confirmed.
    if (!isBusy(state) && !found.id && !found.key) writeKept(own, { id, token, given: true })
    found = { id, token }
  } else if (id) {
    name = [own, ...keptNames(root)].find((one) => readKept(one).id === id) || ''
    found = readKept(name)
  }
  if (found.id && found.token) {
    const secrets = secretsOf(checkout)
    if (!state.back) secrets.before = secrets.token
    secrets._unconfirmed = token
    checkout._apply(actions.resume(name, handed))
    checkout._follow(found.id, found.token, true)
  } else if (id) {
    void checkout.refuse(unknownPayment())
  }
}

export function reset(checkout: Checkout, keep = false): void {
  const { screen, id, kept, names } = checkout.state
  checkout._answer(false)
  const { token, key } = readKept(kept)
  const { token: shown } = secretsOf(checkout)
  // Another tab's payment is not forgotten, nor a create whose outcome is unknown unless that is
  // what is shown.
  const isShown = key ? screen.step === 'submitting' && !id : (token || shown) === shown
  if (!keep && isShown) writeKept(kept)
  checkout._stop()
  checkout._apply(actions.reset)
  if (!keep && readKept(names.own).key) connect(checkout, true)
}
