// The tokens of a checkout. In a module, not in a property: what walks through the objects of a
// page does not meet them.

export interface Secrets {
  /** Opens the payment that is shown, or is being loaded; kept when the form is back. */
  token: string
  /** Opens what was shown before, until the companion has confirmed `token`. */
  before: string
  /**
   * Token from the page that the companion has not confirmed yet: then it takes the place of a
   * stored one.
   */
  _unconfirmed: string | undefined
}

const known = new WeakMap<object, Secrets>()

export function secretsOf(checkout: object): Secrets {
  let secrets = known.get(checkout)
  if (!secrets) known.set(checkout, (secrets = { token: '', before: '', _unconfirmed: undefined }))
  return secrets
}
