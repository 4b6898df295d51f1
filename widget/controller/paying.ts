// What a press on Pay does once the flow is loaded: what the fields show is read and sent, once
// everything that it needs has come.
import { CheckoutError } from '../base/checkout-error.ts'
import { fieldText } from '../base/field-texts.ts'
import type { Faults } from '../base/form-values.ts'
import { readForm } from '../base/read-form.ts'
import type { FieldName } from '../base/types.ts'
import type { CheckoutHost } from './checkout.ts'

/** Told to the page's developer. */
export const sessionRequired = (): CheckoutError =>
  new CheckoutError(
    'session_required',
    'This shop takes payments by session only (HC_MODE=sessions), and the attribute session is empty: ' +
      'give it the token of one that the backend has made (POST /v1/sessions).',
  )

/** A press waits for the session, and for the list in which a bank is searched. */
export function mustWait({ session, bank, bankChoice, _offer: offer, _form: form }: CheckoutHost): boolean {
  if (session && !offer.session) return true
  return !bank && bankChoice !== 'hidden' && form.query.trim() !== '' && offer.banks === 'loading'
}

export function pay(host: CheckoutHost): void {
  const { session, _form: form, _offer: offer, _checkout: checkout, _pressing: pressing } = host
  if (!readFields(host)) return
  // The country may have been chosen just now.
  if (form._wantsBanks) void offer.loadBanks()
  if (mustWait(host)) {
    // Which fields a session asks for is known once it has come.
    const faults: Faults = !session || offer.session ? read(host).faults : {}
    delete faults.bank
    if (Object.keys(faults).length) show(host, faults)
    else pressing.wait()
    return
  }
  form._picking?.leave()
  const { faults, body } = read(host)
  show(host, faults)
  if (Object.keys(faults).length) return
  void checkout.submit(body, host._words.openingTab).then(() => {
    // Show a refusal that concerns a field at that field.
    const { flow, state } = checkout
    const refused = state.fault && flow?.rare?.parts?.fieldFault(state.fault)
    if (refused) show(host, refused)
  })
}

/**
 * Takes what the fields show now: password managers and extensions fill them in without an event.
 * @returns false if a field shows another amount than the one that the page has fixed; it shows the
 *   right one again, and nothing is sent
 */
function readFields(host: CheckoutHost): boolean {
  const { _form: form } = host
  const shown = form.fields().map((field) => ({ field, id: field.id as FieldName, text: field.value }))
  for (const { field, id, text } of shown) {
    if (!('readOnly' in field && field.readOnly)) form._heard(id, text)
    else if (text !== fieldText(form.values(), id)) {
      field.value = fieldText(form.values(), id)
      show(host, { [id]: 'errAmount' })
      return false
    }
  }
  form._picking?.close()
  return true
}

const read = ({ _form: form, _pressing: pressing }: CheckoutHost): ReturnType<typeof readForm> =>
  readForm(form.values(), Boolean(form._picking?._isUnclear), pressing.replaces)

/** Shows errors of fields, whoever found them, and focuses the first. */
function show(host: CheckoutHost, faults: Faults): void {
  host._form.faults = faults
  host._checkout.dismiss()
  host.requestUpdate()
  void host.updateComplete.then(() => {
    const wrong = host.renderRoot.querySelector<HTMLElement>('[aria-invalid=true]')
    // It may be behind a row that was opened and closed again.
    wrong?.closest('details')?.setAttribute('open', '')
    wrong?.focus()
  })
}
