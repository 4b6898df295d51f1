// The signatures that the service requires: RSASSA-PKCS1-v1_5 with SHA-256 in Base64 over texts
// without separators (open-points.md).
import { sign, type KeyObject } from 'node:crypto'

/** Channel of every deposit (service.md, "What the service does", 4). */
export const DEPOSIT_CHANNEL = 420001

export interface DepositToSign {
  readonly reference: string
  readonly currency: string
  /** Whole major units. */
  readonly amount: number
}

/**
 * `channel + reference + currency + amount`; the amount as written as a JSON number in the body, so
 * that both agree.
 */
export function depositText(order: DepositToSign): string {
  if (!Number.isSafeInteger(order.amount) || order.amount <= 0) {
    throw new RangeError('The amount of a deposit must be a whole number of major units above 0.')
  }
  return `${DEPOSIT_CHANNEL}${order.reference}${order.currency}${order.amount}`
}

/** `wallet_no + reference`. */
export function queryText(order: { readonly walletNo: string; readonly reference: string }): string {
  return `${order.walletNo}${order.reference}`
}

/**
 * Signs on libuv's thread pool, so that a signature (a quarter of a millisecond) does not block the
 * event loop.
 *
 * @param options.key RSA private key, parsed once; `readPrivateKey` rejects other kinds, which
 *   would sign differently.
 * @param options.businessId shown in the service's portal; `x-hash` signs it.
 */
export function createSigner(options: { readonly key: KeyObject; readonly businessId: string }) {
  // The bare key: RSA keys sign with PKCS #1 v1.5 by default, and passing it in an options object
  // makes Node's key lookup slower.
  const { businessId, key } = options
  let hash: Promise<string> | undefined

  const signed = (text: string) =>
    new Promise<string>((resolve, reject) => {
      sign('sha256', Buffer.from(text, 'utf8'), key, (error, signature) => {
        if (error === null) resolve(signature.toString('base64'))
        else reject(new Error('The signature could not be made.', { cause: error }))
      })
    })

  return {
    /** `Signature` header of a deposit (service.md, "Authentication", 4). */
    async deposit(order: DepositToSign): Promise<string> {
      return signed(depositText(order))
    },
    /** `Signature` header of a status query (open-points.md, "Transaction query"). */
    query: (order: { readonly walletNo: string; readonly reference: string }): Promise<string> =>
      signed(queryText(order)),
    /**
     * `x-hash` header: the same for every deposit, so it is computed once (open-points.md,
     * "x-hash"). Redact it like a password.
     */
    hash(): Promise<string> {
      // A failed signature must not be cached.
      hash ??= signed(businessId).catch((error: unknown) => {
        hash = undefined
        throw error
      })
      return hash
    },
  }
}
