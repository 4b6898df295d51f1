// The schedule of status queries: quick after a callback, regular while someone watches, slow
// afterwards, for 30 days at most.
import type { Deposit } from './deposit.ts'
import type { ScheduleName } from './phases.ts'
import { phases, yieldsToSuccess } from './phases.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Money rule 5: queries for an attempt end after this. */
export const LONGEST_ASKING_MS = 30 * DAY

/**
 * A create without an answer is settled by query after this; longer than the client's total
 * deadline of 20 s.
 */
export const CREATE_SETTLES_AFTER_MS = 30 * SECOND

/**
 * After a callback the result should be available at once, but the service may lag behind its own
 * callback.
 */
export const afterCallback = [1, 2, 4, 8, 15, 30, 60].map((s) => s * SECOND)
/**
 * Queries that fail beyond the quick ones wait a minute longer each time, up to this: a short
 * outage should cost nobody minutes, a long one not the budget, of which new payments would find
 * none left.
 */
export const LONGEST_AFTER_CALLBACK = 5 * MINUTE
/**
 * "Not found" right after a create proves nothing (open-points.md, "Query of an unknown
 * reference").
 */
export const afterUnknown = [2, 5, 15, 30].map((s) => s * SECOND)
/**
 * Ages after a soft end: the service may still turn its FAILED into a success, and these queries
 * cover a lost callback.
 */
export const afterSoftEnd = [2 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 8 * DAY, 16 * DAY, 29 * DAY]
/** Retry after an unanswered query of a soft end: by age alone the next one could be days away. */
export const UNANSWERED_AFTER_END_MS = 5 * MINUTE

/** Between queries of an open payment while its customer watches. */
export const WATCHED_EVERY_MS = 12 * SECOND
/** Between queries while nobody watches: in the first hour, in the first day, then. */
export const UNWATCHED_EVERY_MS = [MINUTE, 5 * MINUTE, HOUR] as const
/** In the first hour of what has been given up or waits for a person. */
export const GIVEN_UP_EVERY_MS = 2 * MINUTE

/** How many of its queries are quick: after a callback, and after a create without an answer. */
export const ASKS_AFTER_CALLBACK = afterCallback.length
export const ASKS_AFTER_UNKNOWN = afterUnknown.length

/**
 * Milliseconds until the next query after one that changed nothing; undefined when there is nothing
 * left to ask.
 *
 * @param trustedNow the trusted time (clock-watch.ts).
 */
export function nextAskIn(deposit: Deposit, trustedNow: number, watched: boolean): number | undefined {
  const age = trustedNow - deposit.createdAt
  // At any age.
  if (isSaidPaid(deposit)) return afterCallback[deposit.asks]
  if (age > LONGEST_ASKING_MS) return undefined
  return schedules[phases[deposit.phase].schedule](deposit, age, trustedNow, watched)
}

/** Milliseconds until the next query; undefined when there is nothing left to ask. */
type Schedule = (deposit: Deposit, age: number, trustedNow: number, watched: boolean) => number | undefined

/** When the next status query of a phase is due, by the name that phases.ts gives. */
const schedules: Readonly<Record<ScheduleName, Schedule>> = {
  never: () => undefined,
  creating: () => CREATE_SETTLES_AFTER_MS,
  unknown: ({ asks }, age, _, watched) => afterUnknown[asks] ?? calm(age, watched),
  confirming: ({ asks }, _, __, watched) =>
    afterCallback[asks] ??
    (watched ? WATCHED_EVERY_MS : Math.min((asks - ASKS_AFTER_CALLBACK + 1) * MINUTE, LONGEST_AFTER_CALLBACK)),
  open: (_, age, __, watched) => calm(age, watched),
  ended({ settledAt, reportedCode }, age, trustedNow) {
    // By age, not by count: extra queries must not use up the schedule. A person, a replayed
    // callback or an outage may cause them.
    const next = untilNext(settledAt === undefined ? 0 : trustedNow - settledAt)
    // The service may lag behind its callback for longer than the quick queries last, and by age
    // the next could be days away.
    return reportedCode === '0' ? Math.min(next ?? Infinity, unwatched(age)) : next
  },
  unwatched: (_, age) => unwatched(age),
}

/** Of what has been given up or waits for a person: nobody waits for the answer at the screen. */
const unwatched = (age: number): number => (age < HOUR ? GIVEN_UP_EVERY_MS : calm(age, false))

/**
 * A callback reported success for an ended or abandoned deposit; the status query may lag behind
 * it.
 */
const isSaidPaid = ({ phase, reportedCode, asks }: Deposit): boolean =>
  yieldsToSuccess(phase) && reportedCode === '0' && asks < ASKS_AFTER_CALLBACK

function untilNext(sinceEnd: number): number | undefined {
  const next = afterSoftEnd.find((at) => at > sinceEnd)
  if (next === undefined) return undefined
  // The end lies in the future: the clock was set back since, or is not trusted yet. Don't wait for
  // the length of the step.
  return sinceEnd < 0 ? Math.min(next - sinceEnd, 15 * MINUTE) : next - sinceEnd
}

function calm(age: number, watched: boolean): number {
  if (watched) return WATCHED_EVERY_MS
  const [inFirstHour, inFirstDay, then] = UNWATCHED_EVERY_MS
  if (age < HOUR) return inFirstHour
  return age < DAY ? inFirstDay : then
}
