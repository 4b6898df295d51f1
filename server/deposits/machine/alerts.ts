// Every kind of alert that a person can get. It is also the `kind` of a metric and of a log line,
// so no name may change.
import type { ReviewReason } from './deposit.ts'

export const PLAIN_ALERT_KINDS = [
  'review',
  'login_refused',
  'login_unanswered',
  'notice_dead',
  'notice_late',
  'notice_receiver_gone',
  'upstream_down',
  'upstream_paused',
  'market_off',
  'address_not_allowed',
  'query_path_missing',
  'query_unanswered',
  'silent',
  'webhook_refused',
  'webhook_stray',
  'webhook_wrong_fields',
  'webhook_other_sum',
  'callback_unconfirmed',
  'webhook_wrong_address',
  'webhook_unmatched',
  'webhook_unmatched_for_a_day',
  'success_after_rejection',
  'failure_after_success',
  'create_refused',
  'create_unanswered',
  'store_failing',
  'other_secret',
  'other_handlers',
  'shared_file',
] as const

/** A kind without a reason. For its text see operations/alerts/advice.ts. */
export type PlainAlertKind = (typeof PLAIN_ALERT_KINDS)[number]

/** A payment under review; the reason makes it a kind of its own. */
export type ReviewAlertKind = `review:${ReviewReason}`

export type AlertKind = PlainAlertKind | ReviewAlertKind
