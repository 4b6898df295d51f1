// The states of a checkout and the transitions between them. Pure: no Lit, no DOM, no clock.
import type { Deposit } from './types.ts'

export type CheckoutState =
  | { readonly step: 'form' }
  /** `tries` counts the attempts to reach the companion with the same key. */
  | { readonly step: 'submitting'; readonly tries: number }
  | { readonly step: 'waiting'; readonly deposit: Deposit; readonly silent: boolean; readonly resumed: boolean }
  | { readonly step: 'ended'; readonly deposit: Deposit; readonly resumed: boolean }

export type Action =
  | { readonly type: 'submit' }
  | { readonly type: 'again' }
  | { readonly type: 'refused' }
  | { readonly type: 'deposit'; readonly deposit: Deposit; readonly resumed?: boolean | undefined }
  | { readonly type: 'silent'; readonly silent: boolean }
  | { readonly type: 'reset' }

function hasEnded(deposit: Deposit): boolean {
  return deposit.status !== 'PENDING' || deposit.phase === 'abandoned'
}

/** An older view never replaces a newer one: answers of streams, polls and other tabs may arrive out of order. */
export function transition(state: CheckoutState, action: Action): CheckoutState {
  switch (action.type) {
    case 'submit':
      return { step: 'submitting', tries: 1 }
    case 'again':
      return state.step === 'submitting' ? { step: 'submitting', tries: state.tries + 1 } : state
    case 'refused':
      return state.step === 'submitting' ? { step: 'form' } : state
    case 'deposit': {
      const { deposit } = action
      const known = 'deposit' in state && state.deposit.id === deposit.id ? state : undefined
      if (known && known.deposit.version > deposit.version) return state
      const resumed = known ? known.resumed : Boolean(action.resumed)
      return hasEnded(deposit)
        ? { step: 'ended', deposit, resumed }
        : { step: 'waiting', deposit, silent: false, resumed }
    }
    case 'silent':
      if (state.step === 'waiting') return { ...state, silent: action.silent }
      // A payment of an earlier visit can't be loaded: not a form whose Pay button does nothing.
      return state.step === 'form' && action.silent ? { step: 'submitting', tries: 2 } : state
    case 'reset':
      return { step: 'form' }
  }
}
