// What the state becomes while a payment is created and watched: the actions of the parts that are
// loaded after the form. Pure, as checkout-state.ts.
import type { Action, Screen } from './checkout-state.ts'
import type { Deposit } from './types.ts'

const form: Screen = { step: 'form' }

/** A create is sent, or its answer is asked for, until there is a clear one. */
export const settle: Action = (state) => ({ ...state, run: state.run + 1 })

export const sendAgain: Action = (state) => {
  const { screen } = state
  return screen.step === 'submitting' ? { ...state, screen: { ...screen, tries: screen.tries + 1 } } : state
}

export const refused: Action = (state) => (state.screen.step === 'submitting' ? { ...state, screen: form } : state)

/** The companion has answered for the token. */
export const confirmed: Action = (state) => ({ ...state, back: undefined, fault: undefined })

/**
 * The companion does not answer, or does again.
 * @param isFirst it has not answered at all yet. Beside a payment that would be said with each new
 *   watch on a slow network, and be taken back at once: nothing is said there.
 */
export const fallSilent =
  (silent: boolean, isFirst = false): Action =>
  (state) => {
    const { screen } = state
    if (screen.step === 'waiting') return isFirst ? state : { ...state, screen: { ...screen, silent } }
    // A payment of an earlier visit can't be loaded: not a form whose Pay button does nothing.
    const isLoading = screen.step === 'form' || (screen.step === 'submitting' && state.id)
    return isLoading && silent ? { ...state, screen: { step: 'submitting', tries: 2 } } : state
  }

/**
 * A new view of a payment. An older one never replaces a newer: streams, polls and other tabs may
 * answer out of order.
 */
export const hear =
  (deposit: Deposit, isResumed = false): Action =>
  (state) => {
    const { screen } = state
    const known = 'deposit' in screen && screen.deposit.id === deposit.id ? screen : undefined
    if (known && known.deposit.version > deposit.version) return state
    const resumed = known ? known.resumed : isResumed
    const hasEnded = deposit.status !== 'PENDING' || deposit.phase === 'abandoned'
    return {
      ...state,
      checked: known?.deposit.version === deposit.version ? state.checked : undefined,
      screen: hasEnded ? { step: 'ended', deposit, resumed } : { step: 'waiting', deposit, silent: false, resumed },
    }
  }

/** The token opens nothing: what was there before is shown again. */
export const goBack: Action = (state) => {
  const { back, screen } = state
  if (!back) return state
  // Without an id it was a create, whose answer was dropped: it is recovered by its key.
  return { ...state, ...back, back: undefined, screen: back.id ? screen : form }
}
