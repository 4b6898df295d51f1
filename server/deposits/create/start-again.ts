// A new attempt with the details of an old one, for a customer who has only the old one's link: the
// details stay on the server.
import type { CreatedDeposit, CreateDeposit } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { Deposit, Session } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import type { DepositService, MayStart } from './service.ts'

/** Another body needs another key. */
const withoutBankOf = (key: string): string => `${key}-without-bank`

export function createStartAgain(
  deposits: Pick<DepositService, 'create' | 'recover'>,
  capabilities: Pick<Capabilities, 'sessionToken'>,
) {
  async function startedWith(key: string): Promise<CreatedDeposit | undefined> {
    try {
      return await deposits.recover(key)
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'not_found') return undefined
      throw error
    }
  }

  return {
    /**
     * The payment once more, replacing `old`. Undefined after retention has erased the payer: the
     * customer enters the details again.
     */
    bodyOf(old: Deposit, session: Session | undefined): CreateDeposit | undefined {
      const name = session?.payer?.name ?? old.payer?.name
      if (name === undefined) return undefined
      const { phone, email } = old.payer ?? {}
      return {
        country: old.country,
        currency: old.currency,
        amount: old.amount,
        // The digits are an international number: the plus keeps it from being read as a local one.
        payer: { name, phone: phone === undefined ? undefined : `+${phone}`, email },
        session: session && capabilities.sessionToken(session.id, session.generation),
        clientReference: old.clientReference,
        locale: old.locale,
        replaces: old.id,
        bankCode: old.bankCode,
      }
    },

    /**
     * One key for each old attempt: two tabs or two clicks start the same new one, also with a new
     * HC_SECRET between them. Its space keeps anybody else from sending it.
     */
    keyOf: (old: Deposit): string => `again ${old.id}`,

    /**
     * Starts it; without its bank if that has left the list since, because it routes nothing.
     * Throws what `create` throws.
     */
    async create(body: CreateDeposit, key: string, mayStart: MayStart): Promise<CreatedDeposit> {
      const { bankCode, ...withoutBank } = body
      const keyWithoutBank = withoutBankOf(key)
      // An earlier click has started it without its bank: this is a repeat, whatever the list says
      // now.
      const earlier = bankCode === undefined ? undefined : await startedWith(keyWithoutBank)
      if (earlier !== undefined) return earlier
      try {
        return await deposits.create(body, key, mayStart)
      } catch (error) {
        if (!(error instanceof CompanionError)) throw error
        // The key is of this old attempt alone: with a new HC_SECRET its session has another token.
        if (error.code === 'idempotency_key_reused') return deposits.recover(key)
        if (error.code !== 'bank_unknown') throw error
        // `mayStart` was called before the bank was looked up.
        return deposits.create(withoutBank, keyWithoutBank, () => undefined)
      }
    },
  }
}
