// Figures for plots: payments and what was paid, hour by hour, and how long people and programs
// waited.
import { setImmediate } from 'node:timers/promises'
import type { FigureQuery, Figures } from '../contract/index.ts'
import { dayAfter, type Days } from '../deposits/merchant/days.ts'
import { type BackRow, type DelayRow, DELAY_STEPS_S, type DeskStore } from '../deposits/ports/desk-store.ts'
import type { Store } from '../deposits/ports/store.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'

const HOUR_MS = 3_600_000
const MOST_DAYS = 31
/** A month of figures reads a month of payments. */
const MOST_AT_ONCE = 2
/** Newest payments whose timelines are looked at. */
const SAMPLE = 200

type Hour = Figures['hours'][number]
type Day = Figures['days'][number]

/** Counts by step, for all windows together. */
function createHistogram() {
  const counts = Array.from({ length: DELAY_STEPS_S.length + 1 }, () => 0)
  return {
    add(rows: readonly DelayRow[]): void {
      for (const { step, count } of rows) counts[step] = (counts[step] ?? 0) + count
    },
    shown: () => counts.map((count, step) => ({ seconds: DELAY_STEPS_S[step] ?? null, count })),
  }
}

export function createFigures(parts: {
  readonly settings: Pick<Settings, 'timeZone'>
  readonly store: Pick<Store, 'payments' | 'timeline'>
  readonly desk: Pick<DeskStore, 'figures' | 'paidBackOn' | 'paidDelays' | 'noticeDelays'>
  readonly days: Days
  readonly now: () => number
}): (query: FigureQuery) => Promise<Figures> {
  const { settings, store, desk, days, now } = parts
  let running = 0

  /** From the call to the service until its answer, as the timelines have it. */
  async function serviceDelays(from: number, to: number): Promise<DelayRow[]> {
    const rows: DelayRow[] = []
    for (const { id } of await store.payments({ from, to, limit: SAMPLE })) {
      const timeline = await store.timeline(id)
      const started = timeline.find(({ kind }) => kind === 'started')
      const created = timeline.find(({ kind }) => kind === 'created' || kind === 'created_late')
      if (started === undefined || created === undefined) continue
      const step = DELAY_STEPS_S.findIndex((seconds) => created.at - started.at <= seconds * 1000)
      rows.push({ step: step === -1 ? DELAY_STEPS_S.length : step, count: 1 })
    }
    return rows
  }

  /** @param back of the same days and country */
  function daysOf(hours: readonly Hour[], back: readonly BackRow[]): Day[] {
    const totals = new Map<string, Day>()
    const add = (more: Pick<Day, 'day' | 'currency'> & Partial<Day>): void => {
      const { day, currency, paid = 0, paidSum = 0, paidBack = 0, paidBackSum = 0 } = more
      const key = `${day} ${currency}`
      const before = totals.get(key) ?? { day, currency, paid: 0, paidSum: 0, paidBack: 0, paidBackSum: 0 }
      totals.set(key, {
        day,
        currency,
        paid: before.paid + paid,
        paidSum: before.paidSum + paidSum,
        paidBack: before.paidBack + paidBack,
        paidBackSum: before.paidBackSum + paidBackSum,
      })
    }
    for (const { at, currency, succeeded, volume } of hours)
      add({ day: days.dayOf(Date.parse(at)), currency, paid: succeeded, paidSum: volume })
    for (const { onDay: day, currency, count: paidBack, sum: paidBackSum } of back)
      add({ day, currency, paidBack, paidBackSum })
    return [...totals.values()].toSorted((a, b) => b.day.localeCompare(a.day) || a.currency.localeCompare(b.currency))
  }

  async function count(
    from: number,
    to: number,
    { country }: FigureQuery,
  ): Promise<Omit<Figures, 'fromDay' | 'toDay' | 'days'>> {
    const hours: Hour[] = []
    const [paid, notices, service] = [createHistogram(), createHistogram(), createHistogram()]
    for (let at = from; at < to; at += HOUR_MS) {
      const end = Math.min(at + HOUR_MS, to)
      const ofHour = new Map<string, Hour>()
      for (const row of await desk.figures(at, end)) {
        if (country !== undefined && row.country !== country) continue
        const hour = ofHour.get(row.country) ?? {
          at: new Date(at).toISOString(),
          country: row.country,
          currency: row.currency,
          started: 0,
          succeeded: 0,
          failed: 0,
          waiting: 0,
          volume: 0,
        }
        ofHour.set(row.country, {
          ...hour,
          started: hour.started + row.count,
          succeeded: hour.succeeded + (row.status === 'SUCCESS' ? row.count : 0),
          failed: hour.failed + (row.status === 'FAILED' ? row.count : 0),
          waiting: hour.waiting + (row.status === 'PENDING' ? row.count : 0),
          volume: hour.volume + (row.status === 'SUCCESS' ? row.sum : 0),
        })
      }
      hours.push(...ofHour.values())
      paid.add(await desk.paidDelays(at, end))
      notices.add(await desk.noticeDelays(at, end))
      // Customers are served between two hours: a read of SQLite takes no turn of the event loop by
      // itself.
      await setImmediate()
    }
    service.add(await serviceDelays(from, to))
    return {
      timeZone: settings.timeZone,
      hours,
      paidAfter: paid.shown(),
      noticeAfter: notices.shown(),
      serviceAfter: service.shown(),
    }
  }

  return async function figures(query) {
    const today = days.dayOf(now())
    const toDay = query.toDay ?? query.fromDay ?? today
    const fromDay = query.fromDay ?? toDay
    if (fromDay > toDay || dayAfter(fromDay, MOST_DAYS) <= toDay)
      throw new CompanionError('invalid_request', { detail: `Ask for 1 to ${MOST_DAYS} days, the first one first.` })
    if (running >= MOST_AT_ONCE)
      throw new CompanionError('rate_limited', { detail: 'Others read figures just now: try again.', retryAfter: 3 })
    running += 1
    try {
      const { from = 0, to = 0 } = days.span(fromDay, toDay)
      const counted = await count(from, Math.min(to, now() + 1), query)
      const back = await desk.paidBackOn(fromDay, toDay)
      const ofCountry = back.filter(({ country }) => query.country === undefined || country === query.country)
      return { fromDay, toDay, ...counted, days: daysOf(counted.hours, ofCountry) }
    } finally {
      running -= 1
    }
  }
}
