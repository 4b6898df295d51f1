// How the console presents merchants, tokens, transactions and deliveries: plain data, times in RFC
// 3339.
import type { Attempt, Deliveries, Delivery } from '../engine/deliveries.ts'
import type { Merchant, Merchants, Wallet } from '../engine/merchants.ts'
import type { TokenRow } from '../engine/tokens.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Transactions } from '../engine/transactions.ts'

export const time = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function walletView({ wallet_no, business_id, currency, allocated }: Wallet) {
  return { wallet_no, business_id, currency, allocated: allocated === 1 }
}

export function merchantView(merchant: Merchant, merchants: Merchants) {
  const { business_id, name, email, consumer_key, consumer_secret, public_key, enabled, created_at } = merchant
  const wallets = merchants.wallets(business_id).map(walletView)
  return {
    id: business_id,
    business_id,
    name,
    email,
    enabled: enabled === 1,
    consumer_key,
    consumer_secret,
    public_key,
    wallets,
    created_at: time(created_at),
  }
}

export function tokenView(token: TokenRow, now: number) {
  const { id, business_id, issued_at, expires_at, revoked_at } = token
  return {
    id,
    business_id,
    issued_at: time(issued_at),
    expires_at: time(expires_at),
    revoked_at: time(revoked_at),
    live: revoked_at === null && expires_at > now,
  }
}

export function transactionView(transaction: Transaction, publicUrl: string) {
  const {
    acc_name,
    acc_no,
    email,
    session,
    created_at,
    expires_at,
    locked_at,
    paid_at,
    ended_at,
    opened_by: _o,
    locked_by: _l,
    ...rest
  } = transaction
  return {
    id: transaction.transaction_id,
    ...rest,
    payer: { name: acc_name, phone: acc_no, email },
    redirect_url: `${publicUrl}/checkout/${session}`,
    created_at: time(created_at),
    expires_at: time(expires_at),
    locked_at: time(locked_at),
    paid_at: time(paid_at),
    ended_at: time(ended_at),
    query_sees_from: time(transaction.query_sees_from),
  }
}

export function timelineView(transaction: Transaction, transactions: Transactions) {
  return transactions
    .timeline(transaction.transaction_id)
    .map(({ at, what, detail }) => ({ at: time(at), what, detail }))
}

function attemptView({ number, at, took_ms, request_headers, status, answer, error }: Attempt) {
  return {
    number,
    at: time(at),
    took_ms,
    request_headers: JSON.parse(request_headers) as unknown,
    status,
    answer,
    error,
  }
}

/** Every callback, forged ones too, carries the reference. */
export function bodyOf({ body }: Delivery): { readonly reference: string } {
  return JSON.parse(body) as { readonly reference: string }
}

export function deliveryView(delivery: Delivery, deliveries: Deliveries) {
  const body = bodyOf(delivery)
  return {
    ...delivery,
    reference: body.reference,
    body,
    raw_body: delivery.body,
    created_at: time(delivery.created_at),
    next_at: time(delivery.next_at),
    log: deliveries.attempts(delivery.id).map(attemptView),
  }
}
