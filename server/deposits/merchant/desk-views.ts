// What people of the shop did, as the wire has it.
import type { Act, PaidBack } from '../../contract/index.ts'
import type { ActRow, PaidBackRow } from '../ports/desk-store.ts'
import { isoTime } from '../view.ts'

export function toAct({ id, at, name, role, act, depositId, why, detail, result }: ActRow): Act {
  return { id, at: isoTime(at), by: name, role, act, paymentId: depositId, why, detail, result }
}

export function toPaidBack({ onDay, amount, how, name, at }: PaidBackRow): PaidBack {
  return { on: onDay, amount, how, by: name, at: isoTime(at) }
}
