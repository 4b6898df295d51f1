// Keeps the payment that is shown up to date: what its stream, a check and a refused token mean for the checkout.
import { mayForget } from './answers.ts'
import { readKept, writeKept } from './attempt-store.ts'
import type { CheckoutError } from './checkout-error.ts'
import type { Action, CheckoutState } from './checkout-state.ts'
import type { CompanionClient } from './companion-client.ts'
import type { watchDeposit } from './deposit-stream.ts'
import { ErrorEvent } from './events.ts'
import { secretsOf } from './secrets.ts'
import type { Deposit } from './types.ts'
import { unknownPayment } from './unknown-payment.ts'

/** What it needs of the checkout (checkout-controller.ts). */
export interface Watched {
  readonly client: CompanionClient
  readonly state: CheckoutState
  readonly _host: EventTarget & { requestUpdate(): void }
  readonly _kept: string
  readonly _run: number
  opened: string
  checked: 'asking' | Date | undefined
  fault: CheckoutError | undefined
  _back: (() => void) | undefined
  _apply(action: Action): void
  _heard(deposit: Deposit, resumed?: boolean, run?: number): Promise<void>
  _doubt(fault: CheckoutError): void
  reset(): void
}

export class Watching {
  private readonly _checkout: Watched
  private readonly _parts: { readonly watchDeposit: typeof watchDeposit }

  constructor(checkout: Watched, parts: { readonly watchDeposit: typeof watchDeposit }) {
    this._checkout = checkout
    this._parts = parts
  }

  /** @returns what ends it */
  begin(id: string, token: string, resumed: boolean): () => void {
    const { _checkout: checkout } = this
    return this._parts.watchDeposit(checkout.client, id, token, {
      onDeposit: (deposit) => {
        checkout._back = undefined
        checkout.fault = undefined
        const secrets = secretsOf(checkout)
        if (secrets.unconfirmed === token) {
          const kept = readKept(checkout._kept)
          // Not over the key of a create whose outcome is unknown.
          if (!kept.key && (kept.token !== token || kept.given))
            writeKept(checkout._kept, { ...(kept.id === id && kept), id, token, given: undefined })
          secrets.unconfirmed = ''
        }
        void checkout._heard(deposit, resumed)
      },
      onSilence: (silent) => checkout._apply({ type: 'silent', silent }),
      onGone: () => {
        const isNew = secretsOf(checkout).unconfirmed === token
        if (checkout._back) checkout._back()
        else if (isNew || mayForget(readKept(checkout._kept))) checkout.reset()
        else return false
        // Of what this browser has stored itself nobody is waiting to hear. No `fault`: it would stand over what is shown again.
        if (isNew) checkout._host.dispatchEvent(new ErrorEvent(unknownPayment()))
        return true
      },
      onTold: (fault) => {
        // What is on the screen stays there.
        if (!checkout._back) checkout._doubt(fault)
      },
      onLeave: () => {
        checkout.opened = id + '-'
      },
    })
  }

  /** Has the companion ask the payment service now; does nothing while no payment is shown. Never rejects. */
  async check(): Promise<void> {
    const { _checkout: checkout } = this
    const { state, _run: run } = checkout
    // While another token is being tried, what is shown cannot be asked for.
    if (!('deposit' in state) || checkout._back) return
    checkout.checked = 'asking'
    checkout._host.requestUpdate()
    let isLost = false
    try {
      const deposit = await checkout.client.check(state.deposit.id, secretsOf(checkout).token)
      await checkout._heard(deposit, undefined, run)
    } catch (error) {
      const { code } = error as CheckoutError
      isLost = code === 'network' || code === 'blocked'
    }
    const isOver = run !== checkout._run
    // News is on the screen by now; if there is none, say so: also when it was pressed too often.
    if (checkout.checked) checkout.checked = isOver || isLost ? undefined : new Date()
    checkout._host.requestUpdate()
    if (isLost && !isOver) checkout._apply({ type: 'silent', silent: true })
  }
}
