// The country that the form starts with, before any answer.
import { afterEach, expect, test, vi } from 'vitest'
import { guessCountry } from '../../widget/base/markets.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['a phone in Nairobi set to British English', 'Africa/Nairobi', ['en-GB'], 'KE'],
  ['a phone in Abidjan', 'Africa/Abidjan', ['fr-FR'], 'CI'],
  ['a phone in Porto-Novo', 'Africa/Porto-Novo', ['fr'], 'BJ'],
  ['a traveller whose phone speaks Swahili of Tanzania', 'Europe/Berlin', ['de-DE', 'sw-TZ'], 'TZ'],
  ['a browser that hides its time zone', 'UTC', ['en-UG'], 'UG'],
  ['a phone that says nothing of Africa', 'Europe/Berlin', ['de-DE', 'en'], undefined],
] as const)('%s', (_, timeZone, languages, country) => {
  vi.stubGlobal('navigator', { languages })
  expect(guessCountry(timeZone)).toBe(country)
})
