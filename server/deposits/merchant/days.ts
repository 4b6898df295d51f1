// Days of the shop: where each begins and ends in its time zone.

const DAY_MS = 86_400_000

/** @param timeZone a name that Intl knows */
export function createDays(timeZone: string) {
  let format: Intl.DateTimeFormat | undefined

  /** Milliseconds by which the clocks of the zone are ahead of UTC at a moment. */
  function aheadAt(at: number): number {
    if (timeZone === 'UTC') return 0
    format ??= new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    const shown: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) shown[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  }

  function beginningOf(day: string): number {
    const midnight = Date.parse(`${day}T00:00:00Z`)
    const guess = midnight - aheadAt(midnight)
    // Where the clocks are moved between the two, the second look is right.
    return midnight - aheadAt(guess)
  }

  const shownAt = (at: number): string => new Date(at + aheadAt(at)).toISOString()

  return {
    timeZone,
    /** The time on the clocks, as 2026-11-28 14:05:09: so a spreadsheet knows it for one. */
    clockOf: (at: number): string => shownAt(at).slice(0, 19).replace('T', ' '),
    /** The day of a moment, as 2026-11-28. */
    dayOf: (at: number): string => shownAt(at).slice(0, 10),
    /** From the beginning of one day to the end of another one, which is exclusive. */
    span(fromDay: string | undefined, toDay: string | undefined): { readonly from?: number; readonly to?: number } {
      return {
        from: fromDay === undefined ? undefined : beginningOf(fromDay),
        to: toDay === undefined ? undefined : beginningOf(dayAfter(toDay)),
      }
    },
  }
}

export type Days = ReturnType<typeof createDays>

export function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
