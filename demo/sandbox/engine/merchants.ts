// Merchants of the sandbox: their keys, uploaded public key, wallets and channel allocation.
import type { SandboxDatabase } from './database.ts'
import { invalid, ServiceError } from './envelope.ts'
import { digits, secretText, type Random } from './identifiers.ts'
import { CURRENCIES } from './markets.ts'
import type { MerchantSeed } from './merchant-seed.ts'
import { readPublicKey } from './signatures.ts'

export interface Merchant {
  readonly business_id: string
  readonly name: string
  /** The wallet holder's address: gets the receipt when a payment has no email. */
  readonly email: string
  readonly consumer_key: string
  readonly consumer_secret: string
  readonly public_key: string | null
  readonly enabled: 0 | 1
  readonly created_at: number
}

export interface Wallet {
  readonly wallet_no: string
  readonly business_id: string
  readonly currency: string
  /** 1 when channel 420001 is allocated (service.md §3 rule 3). */
  readonly allocated: 0 | 1
}

export interface Merchants {
  /**
   * Creates the merchant of a seed if it is unknown, and adds missing wallets; starting twice with
   * one seed changes nothing.
   */
  seed(seed: MerchantSeed): void
  create(options: { name?: string; email?: string; publicKey?: string }): Merchant
  list(): Merchant[]
  /** @throws {ServiceError} 404 */
  get(businessId: string): Merchant
  /** `retired`: the key was valid once, and has been rotated. */
  byConsumerKey(consumerKey: string): { merchant?: Merchant; retired: boolean }
  /** New consumer key and secret; the old ones stop working at once. */
  rotate(businessId: string): Merchant
  enable(businessId: string, enabled: boolean): Merchant
  uploadPublicKey(businessId: string, pem: string): Merchant
  wallets(businessId?: string): Wallet[]
  wallet(walletNo: string): Wallet | undefined
  /** Adds a wallet, or changes the channel allocation of an existing one. */
  putWallet(wallet: { business_id: string; currency?: string; wallet_no?: string; allocated?: boolean }): Wallet
}

export function createMerchants(db: SandboxDatabase, now: () => number, random: Random): Merchants {
  const byId = db.prepare<[string], Merchant>('SELECT * FROM merchants WHERE business_id = ?')
  const byKey = db.prepare<[string], Merchant>('SELECT * FROM merchants WHERE consumer_key = ?')
  const all = db.prepare<[], Merchant>('SELECT * FROM merchants ORDER BY created_at, business_id')
  const retired = db.prepare<[string], { business_id: string }>('SELECT * FROM retired_keys WHERE consumer_key = ?')
  const walletByNo = db.prepare<[string], Wallet>('SELECT * FROM wallets WHERE wallet_no = ?')
  const insert = db.prepare(
    `INSERT INTO merchants (business_id, name, email, consumer_key, consumer_secret, public_key, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertWallet = db.prepare(
    `INSERT INTO wallets (wallet_no, business_id, currency, allocated) VALUES (@wallet_no, @business_id, @currency, @allocated)
     ON CONFLICT (wallet_no) DO UPDATE SET allocated = excluded.allocated`,
  )

  const get = (businessId: string): Merchant => {
    const merchant = byId.get(businessId)
    if (!merchant) throw new ServiceError(404, 'Merchant not found.')
    return merchant
  }
  const checkedKey = (pem: string): string => {
    const key = readPublicKey(pem)
    if ('fault' in key) throw new ServiceError(422, key.fault, { errors: { public_key: [key.fault] } })
    return key.pem
  }

  const retire = (merchant: Merchant): void => {
    db.prepare('INSERT OR IGNORE INTO retired_keys (consumer_key, business_id, retired_at) VALUES (?, ?, ?)').run(
      merchant.consumer_key,
      merchant.business_id,
      now(),
    )
  }

  return {
    seed: db.transaction((seed: MerchantSeed) => {
      const known = byId.get(seed.businessId)
      if (!known) {
        insert.run(
          seed.businessId,
          seed.name ?? 'Test merchant',
          'wallet-holder@merchant.example',
          seed.consumerKey,
          seed.consumerSecret,
          checkedKey(seed.publicKey),
          now(),
        )
      }
      // A wallet changed in the console since keeps its change.
      for (const [currency, walletNo] of Object.entries(seed.wallets)) {
        if (walletByNo.get(walletNo)) continue
        insertWallet.run({ wallet_no: walletNo, business_id: seed.businessId, currency, allocated: 1 })
      }
    }),
    create: db.transaction((options: { name?: string; email?: string; publicKey?: string }) => {
      const businessId = `BIZ-${digits(random, 8)}`
      insert.run(
        businessId,
        options.name ?? 'Another test merchant',
        options.email ?? 'wallet-holder@merchant.example',
        `ck_test_${secretText(random, 12)}`,
        `cs_test_${secretText(random)}`,
        options.publicKey === undefined ? null : checkedKey(options.publicKey),
        now(),
      )
      return get(businessId)
    }),
    list: () => all.all(),
    get,
    byConsumerKey(consumerKey) {
      const merchant = byKey.get(consumerKey)
      return { ...(merchant ? { merchant } : {}), retired: retired.get(consumerKey) !== undefined }
    },
    rotate: db.transaction((businessId: string) => {
      retire(get(businessId))
      db.prepare('UPDATE merchants SET consumer_key = ?, consumer_secret = ? WHERE business_id = ?').run(
        `ck_test_${secretText(random, 12)}`,
        `cs_test_${secretText(random)}`,
        businessId,
      )
      return get(businessId)
    }),
    enable(businessId, enabled) {
      get(businessId)
      db.prepare('UPDATE merchants SET enabled = ? WHERE business_id = ?').run(enabled ? 1 : 0, businessId)
      return get(businessId)
    },
    uploadPublicKey(businessId, pem) {
      get(businessId)
      db.prepare('UPDATE merchants SET public_key = ? WHERE business_id = ?').run(checkedKey(pem), businessId)
      return get(businessId)
    },
    wallets(businessId) {
      return db
        .prepare<[string, string], Wallet>(
          `SELECT * FROM wallets WHERE ? = '' OR business_id = ? ORDER BY business_id, currency, wallet_no`,
        )
        .all(businessId ?? '', businessId ?? '')
    },
    wallet: (walletNo) => walletByNo.get(walletNo),
    putWallet: db.transaction(
      (wish: { business_id: string; currency?: string; wallet_no?: string; allocated?: boolean }) => {
        get(wish.business_id)
        const known = wish.wallet_no === undefined ? undefined : walletByNo.get(wish.wallet_no)
        if (known && known.business_id !== wish.business_id)
          throw new ServiceError(409, 'Another merchant has this wallet.')
        if (known && wish.currency !== undefined && wish.currency !== known.currency) {
          throw new ServiceError(409, 'The currency of a wallet does not change.')
        }
        const currency = known?.currency ?? wish.currency
        if (currency === undefined) throw invalid({ currency: ['Name the currency of the new wallet.'] })
        if (!CURRENCIES.includes(currency)) throw new ServiceError(400, 'Unsupported currency.')
        const walletNo = wish.wallet_no ?? digits(random, 10)
        insertWallet.run({
          wallet_no: walletNo,
          business_id: wish.business_id,
          currency,
          allocated: wish.allocated === false ? 0 : 1,
        })
        return walletByNo.get(walletNo) as Wallet
      },
    ),
  }
}
