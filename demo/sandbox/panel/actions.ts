// The actions of the console, shared by its API and its pages.
import { z } from 'zod'
import type { Deliveries } from '../engine/deliveries.ts'
import { invalid, ServiceError } from '../engine/envelope.ts'
import { Faults, type FaultSwitches } from '../engine/faults.ts'
import type { Random } from '../engine/identifiers.ts'
import type { Merchants } from '../engine/merchants.ts'
import type { Player } from '../engine/player.ts'
import { isForExisting, scenarioNamed } from '../engine/scenarios.ts'
import type { Tokens } from '../engine/tokens.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Transactions } from '../engine/transactions.ts'

export interface ConsoleParts {
  readonly now: () => number
  readonly advance: (seconds: number) => Promise<void>
  readonly publicUrl: string
  readonly merchants: Merchants
  readonly tokens: Tokens
  readonly transactions: Transactions
  readonly deliveries: Deliveries
  readonly player: Player
  readonly faults: FaultSwitches
  readonly random: Random
}

export const TRANSACTION_ACTIONS = [
  'confirm',
  'decline',
  'cancel',
  'expire',
  'lock',
  'paid',
  'processing',
  'forge',
  'recut',
] as const
export type TransactionAction = (typeof TRANSACTION_ACTIONS)[number]

const TEN_YEARS_IN_SECONDS = 315_360_000
const SECONDS_ERROR = { error: 'Give a number of seconds, at most ten years.' }
const Seconds = z.number(SECONDS_ERROR).min(0, SECONDS_ERROR).max(TEN_YEARS_IN_SECONDS, SECONDS_ERROR)
const Id = z.string().min(1).max(128)

export const Bodies = {
  clock: z.object({ advance: Seconds }),
  wallet: z.object({
    business_id: Id.optional(),
    wallet_no: z
      .string()
      .regex(/^\d{4,32}$/)
      .optional(),
    currency: z.string().optional(),
    allocated: z.boolean().optional(),
  }),
  token: z.object({
    revoke: z.union([Id, z.literal(true)], { error: 'Give the id of a token, or "all".' }),
    business_id: Id.optional(),
  }),
  merchant: z.object({
    name: z.string().min(1).max(100).optional(),
    email: z.email().optional(),
    public_key: z.string().max(8192).optional(),
  }),
  publicKey: z.object({ public_key: z.string().max(8192) }),
  scenario: z.object({ scenario: z.string() }),
  faults: Faults.partial(),
}

/** @throws {ServiceError} 422 with `errors` by field */
export function parseBody<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const errors: Record<string, string[]> = {}
  for (const issue of result.error.issues) (errors[issue.path.join('.') || 'body'] ??= []).push(issue.message)
  throw invalid(errors)
}

export function createConsoleActions({ merchants, tokens, transactions, player }: ConsoleParts) {
  return {
    act(id: string, action: TransactionAction): Transaction {
      const transaction = transactions.get(id)
      if (action === 'lock') return transactions.lock(transaction)
      if (action === 'paid') return transactions.pay(transaction)
      if (action === 'processing') return transactions.process(transaction)
      if (action === 'forge' || action === 'recut') {
        transactions.forge(transaction, action)
        return transactions.get(transaction.transaction_id)
      }
      return transactions.end(transaction, action)
    },
    play(id: string, name: string): Transaction {
      const scenario = scenarioNamed(name)
      if (!scenario || !isForExisting(scenario))
        throw new ServiceError(422, 'No such scenario to play.', {
          errors: { scenario: ['Choose one of GET scenarios whose create is "usual".'] },
        })
      const transaction = transactions.get(id)
      if (transaction.step === 'ended') throw new ServiceError(409, 'The transaction has ended.')
      return player.switchTo(transaction, scenario)
    },
    /** Issues new keys; the old ones and their tokens stop working. */
    rotate(id: string) {
      const merchant = merchants.rotate(id)
      tokens.revokeAll(id)
      return merchant
    },
    enable(id: string, enabled: boolean) {
      const merchant = merchants.enable(id, enabled)
      if (!enabled) tokens.revokeAll(id)
      return merchant
    },
    putWallet(wish: z.infer<typeof Bodies.wallet>) {
      const owner = wish.wallet_no === undefined ? undefined : merchants.wallet(wish.wallet_no)?.business_id
      const business_id = wish.business_id ?? owner ?? merchants.list()[0]?.business_id
      if (business_id === undefined) throw new ServiceError(404, 'Merchant not found.')
      return merchants.putWallet({
        business_id,
        wallet_no: wish.wallet_no,
        currency: wish.currency,
        allocated: wish.allocated,
      })
    },
    revoke({ revoke, business_id }: z.infer<typeof Bodies.token>): number {
      if (revoke === true || revoke === 'all') return tokens.revokeAll(business_id)
      tokens.revoke(revoke)
      return 1
    },
  }
}
