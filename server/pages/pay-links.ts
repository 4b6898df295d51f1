// The links of `/pay/:link`: the one of a payment or session, and what is behind one.
import type { Deposit, Session } from '../deposits/deposit.ts'
import type { Capabilities } from '../deposits/identity.ts'
import { CompanionError } from '../errors.ts'
import type { Store } from '../store/store.ts'

export interface PayLinks {
  /** Paths without the base, beginning with `/pay/`. */
  depositPath(deposit: Deposit): string
  sessionPath(session: Session): string
  /** The row behind a genuine link; throws the same `not_found` for every other link. */
  behind(
    link: string,
  ): Promise<{ readonly id: string } & ({ readonly deposit: Deposit } | { readonly session: Session })>
}

export function createPayLinks(parts: {
  readonly capabilities: Pick<Capabilities, 'link' | 'readLink' | 'isLink'>
  readonly store: Pick<Store, 'deposit' | 'session'>
}): PayLinks {
  const { capabilities, store } = parts
  return {
    depositPath: ({ id, generation }) => `/pay/${capabilities.link({ kind: 'deposit', id }, generation)}`,
    sessionPath: ({ id, generation }) => `/pay/${capabilities.link({ kind: 'session', id }, generation)}`,
    async behind(link) {
      const target = capabilities.readLink(link)
      if (target?.kind === 'deposit') {
        const deposit = await store.deposit(target.id)
        if (deposit !== undefined && capabilities.isLink(link, target, deposit.generation))
          return { id: deposit.id, deposit }
      }
      if (target?.kind === 'session') {
        const session = await store.session(target.id)
        if (session !== undefined && capabilities.isLink(link, target, session.generation))
          return { id: session.id, session }
      }
      throw new CompanionError('not_found', { detail: 'There is no payment behind this link.' })
    },
  }
}
