// What a shop's backend imports.
export { createClient } from './client.ts'
export type {
  CallOptions,
  Client,
  ClientOptions,
  CreateSessionOptions,
  PaymentFilter,
  Payments,
  Sessions,
} from './client.ts'
export { CheckoutError, NoticeError } from './errors.ts'
export type { FailureCode, FailureDetails, NoticeFault } from './errors.ts'
export { verifyNotice } from './verify-notice.ts'
export type { NoticeHeaders } from './verify-notice.ts'
export type * from './contract.ts'
