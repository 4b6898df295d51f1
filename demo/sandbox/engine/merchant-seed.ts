// The type of a merchant known in advance. In its own file, so that a shop that starts a sandbox
// needs no database types.

/** A merchant configured before the first start, as in `.hc/credentials.json`. */
export interface MerchantSeed {
  readonly businessId: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** PEM */
  readonly publicKey: string
  /** Wallet number by currency. */
  readonly wallets: Readonly<Record<string, string>>
  readonly name?: string
}
