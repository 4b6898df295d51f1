// The sandbox's clock: the system time plus the offset by which it was moved forward, which
// survives a restart.
import type { Settings } from './database.ts'

export interface MovableClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves the clock to `time` (ms), never backwards. */
  moveTo(time: number): void
}

const OFFSET = 'clock.offset'

export function createMovableClock(now: () => number, settings: Settings): MovableClock {
  let offset = settings.get<number>(OFFSET, 0)
  return {
    now: () => now() + offset,
    moveTo(time) {
      const ahead = time - (now() + offset)
      if (ahead <= 0) return
      offset += ahead
      settings.set(OFFSET, offset)
    },
  }
}

/**
 * "2026-11-21 01:34:02 PM": date and 12-hour clock with its marker, UTC (service.md, Payment
 * result).
 */
export function serviceDate(time: number, hours24 = false): string {
  const iso = new Date(time).toISOString()
  const hour = Number(iso.slice(11, 13))
  const shown = hours24 ? hour : hour % 12 || 12
  return `${iso.slice(0, 10)} ${String(shown).padStart(2, '0')}${iso.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`
}
