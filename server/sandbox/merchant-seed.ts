// A merchant as the sandbox is told of it. In a file of its own: a shop that starts a sandbox needs no types of the database behind it.

/** A merchant known before the first start, as in `.hc/credentials.json`. */
export interface MerchantSeed {
  businessId: string
  consumerKey: string
  consumerSecret: string
  /** PEM */
  publicKey: string
  /** Wallet number by currency. */
  wallets: Record<string, string>
  name?: string
}
