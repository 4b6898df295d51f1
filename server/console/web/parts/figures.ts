// Makes plots of what the companion has counted. Pure.
import type { Figures } from '../../../contract/index.ts'
import type { App } from '../base/app.ts'
import { fill } from '../base/format.ts'
import type { Plotted } from './plot.ts'

type Hour = Figures['hours'][number]
type Delays = Figures['paidAfter']

interface Sums {
  started: number
  succeeded: number
  failed: number
  waiting: number
  volume: number
}

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
const DAY_MS = 86_400_000

const zero = (): Sums => ({ started: 0, succeeded: 0, failed: 0, waiting: 0, volume: 0 })

function add(sums: Sums, { started, succeeded, failed, waiting, volume }: Hour): void {
  sums.started += started
  sums.succeeded += succeeded
  sums.failed += failed
  sums.waiting += waiting
  sums.volume += volume
}

/** Sums by key, in the order of `keys`; those of other keys come after them. */
function grouped(hours: readonly Hour[], keys: readonly string[], keyOf: (hour: Hour) => string): Map<string, Sums> {
  const groups = new Map<string, Sums>(keys.map((key) => [key, zero()]))
  for (const hour of hours) {
    const key = keyOf(hour)
    const sums = groups.get(key) ?? zero()
    groups.set(key, sums)
    add(sums, hour)
  }
  return groups
}

/** Each day from the first to the last, as 2026-03-31. */
function daysOf({ fromDay, toDay }: Figures): string[] {
  const days: string[] = []
  for (let at = Date.parse(fromDay); at <= Date.parse(toDay); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

const shareOf = ({ started, succeeded }: Sums): number | null => (started === 0 ? null : succeeded / started)

/** One sentence for the whole. */
export function summaryOf({ words, format }: App, { hours }: Figures): string {
  const all = zero()
  for (const hour of hours) add(all, hour)
  return fill(words.figures.summary, {
    started: format.number(all.started),
    paid: format.number(all.succeeded),
    share: format.percent(shareOf(all) ?? 0),
  })
}

export function plotsOf(app: App, figures: Figures): Plotted[] {
  const { words, format } = app
  const t = words.figures
  const { hours, fromDay, toDay } = figures
  const isOneDay = fromDay === toDay
  const keyOf = ({ at }: Hour): string => (isOneDay ? format.hour(at) : format.dayField(new Date(at)))
  const keys = isOneDay ? HOURS : daysOf(figures)
  const groups = grouped(hours, keys, keyOf)
  const places = [...groups.keys()].map((key) => (isOneDay ? key : format.shortDay(key)))
  const of = (rows: Map<string, Sums>, value: (sums: Sums) => number | null): (number | null)[] =>
    [...rows.values()].map(value)
  const axis = isOneDay ? t.hour : t.day
  const counts = (rows: Map<string, Sums>): Plotted['series'] => [
    { name: t.started, values: of(rows, ({ started }) => started), write: format.number },
    { name: t.paid, values: of(rows, ({ succeeded }) => succeeded), write: format.number },
  ]
  const currencies = [...new Set(hours.map(({ currency }) => currency))]
  const byMarket = grouped(hours, [], ({ country }) => country)
  return [
    { title: t.payments, axis, places, series: counts(groups), short: format.short },
    ...currencies.map((currency): Plotted => {
      const own = grouped(
        hours.filter((hour) => hour.currency === currency),
        keys,
        keyOf,
      )
      const write = (value: number): string => format.money(value, currency)
      return {
        title: fill(t.volume, { currency }),
        axis,
        places,
        short: format.short,
        series: [{ name: t.paid, values: of(own, ({ volume }) => volume), write }],
      }
    }),
    {
      title: t.share,
      axis,
      places,
      isLine: true,
      short: format.percent,
      series: [{ name: t.share, values: of(groups, shareOf), write: format.percent }],
    },
    {
      title: t.markets,
      axis: words.payments.market,
      places: [...byMarket.keys()].map(format.country),
      series: counts(byMarket),
      short: format.short,
    },
  ]
}

/** A histogram of how long something took. */
export function delayPlot({ words, format }: App, title: string, delays: Delays): Plotted {
  const t = words.figures
  return {
    title,
    axis: t.time,
    short: format.short,
    places: delays.map(({ seconds }) =>
      seconds === null ? t.longer : fill(t.upTo, { time: format.span(seconds * 1000) }),
    ),
    series: [{ name: t.count, values: delays.map(({ count }) => count), write: format.number }],
  }
}

/** Within what time half of them, and nine of ten, were done. */
export function withinOf({ words, format }: App, delays: Delays): string {
  const t = words.figures
  const total = delays.reduce((sum, { count }) => sum + count, 0)
  const at = (share: number): string => {
    let sum = 0
    for (const { seconds, count } of delays) {
      sum += count
      if (sum >= share * total) return seconds === null ? t.longer : format.span(seconds * 1000)
    }
    return t.longer
  }
  return fill(t.within, { n: format.number(total), half: at(0.5), ninety: at(0.9) })
}
