// The settings of a companion, already checked. `readSettings` makes them from the environment's HC_* variables.
import type { CurrencyCode, Mode } from './contract/index.ts'

export interface Limit {
  readonly min: number
  readonly max: number
}

export interface Settings {
  /** `test` marks everything a customer or backend sees (DESIGN.md). */
  readonly paymentMode: Mode
  readonly authUrl: string
  readonly baseUrl: string
  readonly consumerKey: string
  readonly consumerSecret: string
  /** PEM. */
  readonly privateKey: string
  readonly businessId: string
  /** Wallet per currency; a currency without one is not on offer. */
  readonly wallets: Readonly<Partial<Record<CurrencyCode, string>>>
  /** Where browsers and the service reach this companion; no trailing slash. */
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  /** Origins to which a redirect_url may point. */
  readonly checkoutOrigins: readonly string[]
  readonly databaseUrl: string
  /** Installation secret: tokens, links and webhook keys are derived from it. */
  readonly secret: string
  /** Still accepted after a rotation. */
  readonly previousSecret?: string
  readonly merchantKey: string
  readonly notifyUrl?: string
  /** Standard Webhooks secrets, newest first; all of them sign. */
  readonly notifySecrets: readonly string[]
  readonly opsToken?: string
  /** `sessions`: payments start only from a session of the merchant's backend. */
  readonly mode: 'open' | 'sessions'
  readonly limits: Readonly<Record<CurrencyCode, Limit>>
  /** What an open payment is for. */
  readonly description: string
  readonly locales: readonly string[]
  readonly retentionDays: number
  /** CIDR blocks or addresses whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** When not empty, only these addresses may call the webhook. */
  readonly webhookAllow: readonly string[]
  readonly host: string
  readonly port: number
  readonly confirm: 'query' | 'callback'
  readonly hashOrder: 'documented' | 'received'
  /** Keys of the webhook hash; the consumer key unless set. */
  readonly hashKey: string
  readonly previousHashKey?: string
  readonly queryPath: string
  readonly maxReference: number
  readonly maxDescription: number
  readonly maxName: number
  /** Requests a minute to the service, shared by all instances. */
  readonly rate: number
  /** Currencies or countries on offer; all with a wallet unless set. */
  readonly alerts: {
    readonly webhookUrl?: string
    readonly email?: { readonly smtpUrl: string; readonly from: string; readonly to: string }
    /** Minutes without any callback, while payments are open, before a person is told. 0 = never. */
    readonly silentMinutes: number
  }
}
