// What a shop's backend imports.
export { expressNotices, fastifyNotices, honoNotices } from './adapters.ts'
export type { FastifyReply, FastifyServer, NodeRequest, NodeResponse } from './adapters.ts'
export { createClient } from './client.ts'
export type { CallOptions } from './ask.ts'
export type { Client, ClientOptions, CreateSessionOptions, PaymentFilter, Payments, Sessions } from './client.ts'
export type * from './contract.ts'
export type { DayOptions, Desk, Links, LinkTerms, OwedBack, PageOptions } from './desk.ts'
export { CheckoutError, NoticeError } from './errors.ts'
export type { FailureCode, FailureDetails, NoticeFault } from './errors.ts'
export { memoryNoticeStore } from './memory-store.ts'
export { createNoticeReceiver } from './notice-receiver.ts'
export type { NoticeReceiver, NoticeReceiverOptions } from './notice-receiver.ts'
export { noticeTables, postgresNoticeStore, sqliteNoticeStore } from './sql-stores.ts'
export type { PostgresConnection, SqliteConnection } from './sql-stores.ts'
export { takeNotice } from './take-notice.ts'
export type {
  Heard,
  NoticeData,
  NoticeRows,
  NoticeRules,
  NoticeStore,
  OrderNoticeData,
  Settled,
  Soon,
  WhyUncredited,
} from './take-notice.ts'
export { verifyNotice } from './verify-notice.ts'
export type { NoticeHeaders } from './verify-notice.ts'
