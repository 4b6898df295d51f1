// Back to the form: after the end, after "I have not sent money", or because the payment is to be forgotten.
import type { CheckoutController } from './checkout-controller.ts'
import { depositOf } from './checkout-state.ts'
import type { FormController } from './form-controller.ts'
import type { Pressing } from './pressing.ts'

export class StartOver {
  private readonly _checkout: CheckoutController
  private readonly _form: FormController
  private readonly _pressing: Pressing

  constructor(checkout: CheckoutController, form: FormController, pressing: Pressing) {
    this._checkout = checkout
    this._form = form
    this._pressing = pressing
  }

  /** While the payment may still be paid, the customer is asked first. Resolves with whether it was forgotten. */
  reset(): Promise<boolean> {
    const checkout = this._checkout
    if (!checkout.mayBePaid) {
      this._forgotten()
      return Promise.resolve(true)
    }
    return checkout.ask().then((isForgotten) => {
      if (isForgotten) this._forgotten()
      return isForgotten
    })
  }

  private _forgotten(): void {
    this._form.faults = {}
    this._pressing.replaces = undefined
    this._checkout.reset()
    this._pressing.mustHaveSession()
  }

  /** "Not you? Forget": erases payer details too. */
  async forget(): Promise<void> {
    if (await this.reset()) this._form.forgetPayer()
  }

  /** After "I have not sent money". */
  notSent(): void {
    const deposit = depositOf(this._checkout.state)
    if (!deposit) return
    // Kept on this device until the new attempt replaces it: a reload before that finds it again.
    this._form.faults = {}
    this._checkout.reset(true)
    this._pressing.replaces = deposit.id
  }
}
