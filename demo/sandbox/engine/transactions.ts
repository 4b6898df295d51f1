// The sandbox's transactions: how they are created, each move they make, and how they end.
// service.md "States and transitions", open-points.md "Which unfinished checkouts stay PENDING and
// which become FAILED".
import { agentsOf, feesOf } from './agents.ts'
import { callbackBody, forgedBody, recutBody, SUCCESS_TEXT, type CallbackQuirks } from './callbacks.ts'
import type { SandboxDatabase } from './database.ts'
import type { Deliveries } from './deliveries.ts'
import { ServiceError } from './envelope.ts'
import { capitals, secretText, type Random } from './identifiers.ts'
import { marketFor, MARKETS, marketsOf } from './markets.ts'
import type { Merchants } from './merchants.ts'
import type { PaymentRequest } from './payment-request.ts'
import { MANUAL, type ScenarioStep } from './scenarios.ts'
import type { Transaction } from './transaction.ts'
import { createTransactionQueries, type TransactionQueries } from './transaction-queries.ts'
import type { Work } from './work.ts'

/** service.md "Limits": the life of a session without a locked order. */
const SESSION_LIFE_IN_SECONDS = 15 * 60
/** open-points.md: how long a locked order waits for its agent. */
export const ORDER_LIFE_IN_SECONDS = 24 * 3600

/** Stands for the browser when a scenario or the console locks the order. */
export const BY_NOBODY = 'scenario'

export type Ending = 'confirm' | 'decline' | 'cancel' | 'expire' | 'close'

/**
 * The result of each ending; the codes other than 0 and 1032, and the texts of failures, are ours.
 */
const ENDINGS: Readonly<Record<Ending, { status: 'SUCCESS' | 'FAILED'; code: number; text: string }>> = {
  confirm: { status: 'SUCCESS', code: 0, text: SUCCESS_TEXT },
  decline: { status: 'FAILED', code: 2001, text: 'The agent has not received the payment.' },
  cancel: { status: 'FAILED', code: 1032, text: 'Request cancelled by user.' },
  expire: { status: 'FAILED', code: 1037, text: 'Checkout session expired, no order was locked.' },
  close: { status: 'FAILED', code: 1037, text: 'The order was not confirmed within 24 hours.' },
}

/** How the callback and the status query tell of an ending. */
type EndingManner = Pick<ScenarioStep, 'callbacks' | 'callbackAfter' | 'queryAfter'>

export interface Transactions extends TransactionQueries {
  /** @throws {ServiceError} 400 "Duplicate reference." */
  create(businessId: string, request: PaymentRequest, scenario: string): Transaction
  /**
   * Another scenario decides from now on; the automatic agent, who confirms payments that people
   * play, does not.
   */
  follow(transaction: Transaction, scenario: string): Transaction
  opened(transaction: Transaction, browser: string): void
  choose(transaction: Transaction, country: string, operator: string | null): Transaction
  /**
   * Locks an order: the 15 minutes no longer apply, and its 24 hours begin. Without a choice, takes
   * the first agent on offer.
   */
  lock(transaction: Transaction, choice?: { agent: string; browser: string }): Transaction
  pay(transaction: Transaction): Transaction
  process(transaction: Transaction): Transaction
  /**
   * @throws {ServiceError} 409 when it has ended; only a failed one can still be confirmed, late.
   */
  end(transaction: Transaction, ending: Ending, manner?: EndingManner): Transaction
  /** Sends a callback that the service never made, or a re-cut genuine one. */
  forge(transaction: Transaction, how: 'forge' | 'recut'): void
}

interface Parts {
  readonly db: SandboxDatabase
  readonly now: () => number
  readonly random: Random
  readonly work: Work
  readonly merchants: Merchants
  readonly deliveries: Deliveries
  readonly quirks: () => CallbackQuirks
  /** Seconds until the automatic agent confirms a paid order; undefined: people decide. */
  readonly agentAfter: () => number | undefined
}

export function createTransactions(parts: Parts): Transactions {
  const { db, now, random, work, merchants, deliveries, quirks, agentAfter } = parts
  const queries = createTransactionQueries(db)
  const taken = db.prepare<{ businessId: string; reference: string }>(
    `SELECT 1 FROM transactions WHERE business_id = @businessId AND reference = @reference
     UNION ALL SELECT 1 FROM used_references WHERE business_id = @businessId AND reference = @reference`,
  )
  const write = db.prepare('INSERT INTO timeline (transaction_id, at, what, detail) VALUES (?, ?, ?, ?)')
  const save = db.prepare(
    `UPDATE transactions SET status = @status, status_description = @status_description, result_code = @result_code, fees = @fees,
       step = @step, country = @country, operator = @operator, agent = @agent, opened_by = @opened_by, locked_by = @locked_by,
       locked_at = @locked_at, paid_at = @paid_at, ended_at = @ended_at, query_sees_from = @query_sees_from, scenario = @scenario,
       version = version + 1
     WHERE transaction_id = @transaction_id AND version = @version`,
  )

  const note = (id: string, what: string, detail = ''): void => void write.run(id, now(), what, detail)

  const change = (transaction: Transaction, changes: Partial<Transaction>, what: string, detail = ''): Transaction => {
    const next = { ...transaction, ...changes }
    if (save.run(next).changes === 0) throw new ServiceError(409, 'The transaction has changed meanwhile.')
    if (what) note(transaction.transaction_id, what, detail)
    return { ...next, version: transaction.version + 1 }
  }
  const needs = (transaction: Transaction, ...steps: Transaction['step'][]): void => {
    if (!steps.includes(transaction.step))
      throw new ServiceError(409, `Not possible: the transaction is ${transaction.step}.`)
  }

  const choiceOf = (transaction: Transaction): { country: string; operator: string } => {
    const market = MARKETS.get(transaction.country ?? '') ?? marketsOf(transaction.currency)[0]
    return { country: market?.country ?? '', operator: transaction.operator ?? market?.operators[0] ?? '' }
  }

  return {
    ...queries,
    create: db.transaction((businessId: string, request: PaymentRequest, scenario: string) => {
      if (taken.get({ businessId, reference: request.reference })) throw new ServiceError(400, 'Duplicate reference.')
      const id = `CP${capitals(random, 9)}`
      const at = now()
      db.prepare(
        `INSERT INTO transactions (transaction_id, business_id, wallet_no, reference, acc_name, acc_no, email, amount, currency,
           description, result_url, session, third_party_id, status, status_description, fees, scenario, step, country, created_at, expires_at)
         VALUES (@transaction_id, @business_id, @wallet_no, @reference, @acc_name, @acc_no, @email, @amount, @currency,
           @description, @result_url, @session, @third_party_id, 'PENDING', 'Pending', @fees, @scenario, 'open', @country, @at, @expires_at)`,
      ).run({
        ...request,
        transaction_id: id,
        business_id: businessId,
        session: secretText(random),
        third_party_id: `SP${capitals(random, 8)}`,
        fees: feesOf(request.amount, 2),
        scenario,
        country: marketFor(request.currency, request.acc_no)?.country ?? null,
        at,
        expires_at: at + SESSION_LIFE_IN_SECONDS * 1000,
      })
      note(id, 'created', scenario)
      work.add('expire', at + SESSION_LIFE_IN_SECONDS * 1000, id)
      return queries.get(id)
    }),
    follow: db.transaction((transaction: Transaction, scenario: string) => {
      work.drop('agent', transaction.transaction_id)
      return change(transaction, { scenario }, 'scenario', scenario)
    }),
    opened: db.transaction((transaction: Transaction, browser: string) => {
      if (transaction.opened_by === null) change(transaction, { opened_by: browser }, 'opened')
    }),
    choose: db.transaction((transaction: Transaction, country: string, operator: string | null) => {
      needs(transaction, 'open')
      return change(transaction, { country, operator }, 'chose', operator ?? country)
    }),
    lock: db.transaction((transaction: Transaction, choice?: { agent: string; browser: string }) => {
      needs(transaction, 'open')
      const { country, operator } = choiceOf(transaction)
      const agents = agentsOf(country, operator, MARKETS.get(country)?.callingCode ?? '')
      const agent = choice ? agents.find(({ id }) => id === choice.agent) : agents[0]
      if (!agent) throw new ServiceError(404, 'Agent not found.')
      const id = transaction.transaction_id
      work.drop('expire', id)
      work.add('close', now() + ORDER_LIFE_IN_SECONDS * 1000, id)
      return change(
        transaction,
        {
          step: 'locked',
          country,
          operator,
          agent: agent.id,
          fees: feesOf(transaction.amount, agent.rate),
          locked_at: now(),
          locked_by: choice?.browser ?? BY_NOBODY,
        },
        'locked',
        `${agent.name}, ${operator}`,
      )
    }),
    pay: db.transaction((transaction: Transaction) => {
      needs(transaction, 'locked')
      const wait = transaction.scenario === MANUAL ? agentAfter() : undefined
      if (wait !== undefined) work.add('agent', now() + wait * 1000, transaction.transaction_id)
      return change(transaction, { step: 'paid', paid_at: now() }, 'paid', 'The customer says that the money was sent.')
    }),
    process: db.transaction((transaction: Transaction) => {
      needs(transaction, 'open', 'locked', 'paid')
      return change(transaction, { status: 'PROCESSING', status_description: 'Processing' }, 'processing')
    }),
    end: db.transaction((transaction: Transaction, wish: Ending, manner: EndingManner = {}) => {
      // A locked order outlives the 15 minutes: what expires for it is its 24 hours.
      const ending = wish === 'expire' && transaction.locked_at !== null ? 'close' : wish
      const { callbacks = 1, callbackAfter = 0, queryAfter = 0 } = manner
      const late = ending === 'confirm' && transaction.status === 'FAILED'
      if (!late) needs(transaction, 'open', 'locked', 'paid')
      const { status, code, text } = ENDINGS[ending]
      const id = transaction.transaction_id
      for (const kind of ['expire', 'close', 'agent'] as const) work.drop(kind, id)
      const ended = change(
        transaction,
        {
          status,
          status_description: text,
          result_code: code,
          step: 'ended',
          ended_at: now(),
          query_sees_from: queryAfter > 0 ? now() + queryAfter * 1000 : null,
        },
        ending,
        late ? `${text} (after it had failed)` : text,
      )
      const merchant = merchants.get(ended.business_id)
      // service.md "email": who gets the receipt. The sandbox sends no mail.
      if (ending === 'confirm') note(id, 'receipt', `for ${ended.email || merchant.email}`)
      const body = callbackBody(ended, merchant.consumer_key, quirks())
      for (let sent = 0; sent < callbacks; sent += 1)
        deliveries.queue(ended, 'result', body, now() + callbackAfter * 1000)
      return ended
    }),
    forge: db.transaction((transaction: Transaction, how: 'forge' | 'recut') => {
      if (how === 'recut' && transaction.status !== 'FAILED')
        throw new ServiceError(409, 'Only a failed callback can be cut anew.')
      const key = merchants.get(transaction.business_id).consumer_key
      const body = how === 'forge' ? forgedBody(transaction) : recutBody(transaction, key)
      deliveries.queue(transaction, 'forged', body, now())
      note(transaction.transaction_id, how === 'forge' ? 'forged' : 'recut')
    }),
  }
}
