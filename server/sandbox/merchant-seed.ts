// The type of a merchant known in advance. In its own file, so that a shop that starts a sandbox needs no database types.

/** A merchant configured before the first start, as in `.hc/credentials.json`. */
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
