// Creates a deposit as its scenario says: as usual, or with a response that is late, lost, refused
// or overtaken by the callback.
import type { SandboxDatabase } from '../engine/database.ts'
import { ServiceError } from '../engine/envelope.ts'
import type { Deliveries } from '../engine/deliveries.ts'
import type { Merchant } from '../engine/merchants.ts'
import type { PaymentRequest } from '../engine/payment-request.ts'
import type { Player } from '../engine/player.ts'
import type { Retention } from '../engine/retention.ts'
import { MANUAL, scenarioOfPhone, type Scenario } from '../engine/scenarios.ts'
import type { Tokens } from '../engine/tokens.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Transactions } from '../engine/transactions.ts'
import type { Work } from '../engine/work.ts'

export interface DepositCreation {
  /**
   * @throws {ServiceError} when the service, or the scenario, answers with an error instead of a
   *   deposit
   */
  create(merchant: Merchant, tokenId: string, request: PaymentRequest, signal: AbortSignal): Promise<Transaction>
}

interface Parts {
  readonly db: SandboxDatabase
  readonly tokens: Tokens
  readonly transactions: Transactions
  readonly player: Player
  readonly work: Work
  readonly deliveries: Deliveries
  readonly retention: Retention
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

const HANG_IN_MS = 6000
const CALLBACK_FIRST_IN_MS = 5000

export function createDepositCreation(parts: Parts): DepositCreation {
  const { db, tokens, transactions, player, work, deliveries, retention, wait } = parts
  const remember = db.prepare('INSERT OR IGNORE INTO seen (name) VALUES (?)')
  /** True for the first create of a reference. */
  const isFirst = (merchant: Merchant, reference: string): boolean =>
    remember.run(`${merchant.business_id}/${reference}`).changes === 1

  const record = db.transaction((merchant: Merchant, request: PaymentRequest, scenario: Scenario | undefined) => {
    retention.deleteOld()
    const transaction = transactions.create(merchant.business_id, request, scenario?.name ?? MANUAL)
    if (scenario?.create === 'after-callback') player.playNow(transaction, scenario)
    else if (scenario) player.play(transaction, scenario)
    return transaction
  })

  return {
    async create(merchant, tokenId, request, signal) {
      const scenario = scenarioOfPhone(request.acc_no)
      const manner = scenario?.create ?? 'usual'
      if (manner === 'error') throw new ServiceError(500, 'Internal server error.')
      if (manner === 'rate-limited-once' && isFirst(merchant, request.reference)) {
        throw new ServiceError(429, 'Rate limit exceeded.', { headers: { 'Retry-After': '2' } })
      }
      if (manner === 'token-revoked-once' && isFirst(merchant, request.reference)) {
        tokens.revoke(tokenId)
        throw new ServiceError(401, 'Unauthorized.', { headers: { 'WWW-Authenticate': 'Bearer' } })
      }
      const transaction = record(merchant, request, scenario)
      if (manner === 'error-processed') throw new ServiceError(500, 'Internal server error.')
      if (manner === 'timeout') {
        await wait(HANG_IN_MS, signal)
        throw new ServiceError(504, 'Gateway timeout.')
      }
      if (manner === 'after-callback') {
        const sent = deliveries.of(transaction.transaction_id).map(({ id }) => work.now('deliver', String(id)))
        await Promise.race([Promise.all(sent), wait(CALLBACK_FIRST_IN_MS, signal)])
      }
      return transaction
    },
  }
}
