// The console's words, in each of its languages, and how it writes money, times and phones.
import { textsOf as cardTexts } from 'hc-checkout/locales'
import { expect, test } from 'vitest'
import { ActKind, CountryCode, type PaymentDetail, problems } from '../../server/contract/index.ts'
import type { App } from '../../server/console/web/base/app.ts'
import { fill, formats, phone } from '../../server/console/web/base/format.ts'
import { storyOf } from '../../server/console/web/parts/story.ts'
import { hrefOf, routeOf } from '../../server/console/web/base/router.ts'
import { languages } from '../../server/console/web/words/index.ts'
import { factCodes } from '../../server/console/statement/facts.ts'
import { type RefusalCode, refusals } from '../../server/console/statement/statement-error.ts'
import { TROUBLES } from '../../server/operations/troubles.ts'
import { countries, normalisePhone } from '../../server/deposits/markets.ts'
import type { ReviewReason, TimelineKind } from '../../server/deposits/machine/deposit.ts'

/** Each sentence by its place. */
function sentences(words: object, place = ''): [place: string, text: string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[`${place}${name}`, value]] : sentences(value as object, `${place}${name}.`),
  )
}

const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()

test('each language says the same things, with the same values in them', () => {
  const english = new Map(sentences(languages.en))
  expect(english.size).toBeGreaterThan(350)
  for (const language of ['fr', 'sw'] as const) {
    const own = new Map(sentences(languages[language]))
    expect([...own.keys()].toSorted()).toEqual([...english.keys()].toSorted())
    for (const [place, text] of own)
      expect(placeholders(text), `${language} ${place}`).toEqual(placeholders(english.get(place)!))
  }
})

test('a sentence that is longer than a label differs from the English one', () => {
  for (const language of ['fr', 'sw'] as const)
    for (const [place, text] of sentences(languages[language]))
      if (text.split(' ').length > 3)
        expect(text, `${language} ${place}`).not.toBe(new Map(sentences(languages.en)).get(place))
})

test('each trouble of the health checks has words for the owner of a shop', () => {
  for (const { words } of Object.values(languages))
    expect(Object.keys(words.health.troubles).toSorted()).toEqual(Object.keys(TROUBLES).toSorted())
})

test('each fact of a comparison has a sentence', () => {
  for (const { words } of Object.values(languages))
    expect(Object.keys(words.books.facts).toSorted()).toEqual(factCodes.toSorted())
})

test('each reason to refuse a statement has a sentence, which takes only values that come with it', () => {
  for (const { words } of Object.values(languages)) {
    expect(Object.keys(words.books.refusals).toSorted()).toEqual(Object.keys(refusals).toSorted())
    for (const [code, sentence] of Object.entries(words.books.refusals))
      for (const place of sentence.match(/\{\w+\}/g) ?? [])
        expect(refusals[code as RefusalCode], `${code}: ${sentence}`).toContain(place)
  }
})

/** Types have no list of their own: with a kind more or less this does not compile. */
const kinds: Record<TimelineKind, true> = {
  started: true,
  created: true,
  created_late: true,
  create_unknown: true,
  refused: true,
  not_processed: true,
  callback: true,
  callback_differs: true,
  callback_sum: true,
  unconfirmed: true,
  callback_decided: true,
  query_success: true,
  query_failed: true,
  query_refused: true,
  query_sum: true,
  query_back: true,
  still_pending: true,
  overdue: true,
  asked_for_30_days: true,
  address_lost: true,
  never_arrived: true,
  replaced: true,
  order_paid: true,
  contradiction: true,
  review: true,
  decision: true,
}
const reasons: Record<ReviewReason, true> = {
  transaction_mismatch: true,
  transaction_conflict: true,
  redirect_origin: true,
  query_reference: true,
  query_amount: true,
  callback_sum: true,
  query_missing: true,
  query_not_found: true,
  pending_after_30_days: true,
}

test('each kind of event, and each reason of a review, has words', () => {
  for (const { story } of Object.values(languages)) {
    expect(Object.keys(story.kinds).toSorted()).toEqual(Object.keys(kinds).toSorted())
    expect(Object.keys(story.reviews).toSorted()).toEqual(Object.keys(reasons).toSorted())
  }
})

const firstSentence = (text: string): string => /^.*?\./.exec(text)?.[0] ?? text

test('staff and customer are told the same cause of a failed payment, which leaves open that money was sent', () => {
  for (const language of ['en', 'fr', 'sw'] as const) {
    const { results } = languages[language].story
    const card = cardTexts(language)
    expect(results).toMatchObject({ 1: firstSentence(card.failedFunds) })
    const sent = results['2001']!.slice(firstSentence(card.failedPin).length)
    expect(sent.length, language).toBeGreaterThan(25)
    expect(results['2001']).toBe(firstSentence(card.failedPin) + sent)
    expect(results['1032']).toBe(firstSentence(card.failedCancelled) + sent)
    expect(results['expired']).toBe(results['1037'])
    for (const code of ['1037', 'failed']) expect(results[code]!.endsWith(sent), `${language} ${code}`).toBe(true)
  }
})

test('the story says of a notice that was not delivered when it is tried again, and what sends it at once', () => {
  const notice = { id: 'msg_1', type: 'payment.succeeded', body: '{}', attempts: 3, createdAt: '2026-11-28T09:00:00Z' }
  for (const { words, story } of Object.values(languages)) {
    const format = formats('en', 'UTC')
    const told = (given: object): string => {
      const payment = { timeline: [], notices: [{ ...notice, ...given }] } as unknown as PaymentDetail
      return JSON.stringify(storyOf({ words, story, format } as App, payment))
    }
    const nextAttemptAt = '2026-11-28T11:30:00Z'
    const waiting = told({ state: 'waiting', nextAttemptAt })
    for (const part of [format.exact(nextAttemptAt), words.acts.resend, '3']) expect(waiting).toContain(part)
    for (const part of [words.acts.resend, '3']) expect(told({ state: 'dead' })).toContain(part)
    expect(told({ state: 'delivered', deliveredAt: nextAttemptAt })).not.toContain(words.acts.resend)
  }
})

test.each(['query_sum', 'callback_sum'])('the story names the sum of %s beside ours, where it is one', (kind) => {
  for (const { words, story } of Object.values(languages)) {
    const told = (detail?: string): unknown => {
      const timeline = [{ at: '2026-11-28T09:00:00Z', kind, detail }]
      const payment = { timeline, notices: [] } as unknown as PaymentDetail
      const shown = storyOf({ words, story, format: formats('en', 'UTC') } as App, payment)
      return JSON.stringify(shown)
    }
    expect(told('KES 999 instead of KES 2500')).toMatch(/"KES 999".*"KES 2500"/)
    for (const without of [undefined, 'another sum instead of KES 2500']) expect(told(without)).not.toContain('KES')
  }
})

test('a contradiction that each question brings again is told once, with how often and when last', () => {
  for (const { words, story } of Object.values(languages)) {
    const format = formats('en', 'UTC')
    const at = (minute: number): string => `2026-11-28T11:${String(minute).padStart(2, '0')}:00Z`
    const entry = (minute: number, kind: TimelineKind, detail?: string, phase = 'failed') => ({
      at: at(minute),
      kind,
      detail,
      phase,
      version: minute,
    })
    const timeline = [
      entry(1, 'query_failed', 'x'),
      entry(2, 'contradiction', 'query_amount'),
      entry(3, 'query_refused', 'busy'),
      entry(4, 'contradiction', 'query_amount'),
      entry(5, 'contradiction', 'query_currency'),
      entry(6, 'contradiction', 'query_amount'),
      entry(7, 'query_failed', 'x'),
      entry(8, 'contradiction', 'query_amount', 'expired'),
    ]
    const payment = { timeline, notices: [] } as unknown as PaymentDetail
    const told = JSON.stringify(storyOf({ words, story, format } as App, payment))
    const times = (text: string): number => told.split(JSON.stringify(text).slice(1, -1)).length - 1
    expect(times(story.kinds['contradiction']!)).toBe(3)
    expect(times(fill(story.again, { n: 3, time: format.exact(at(6)) }))).toBe(1)
    // What decides is told each time.
    expect(times(story.kinds['query_failed']!)).toBe(2)
    expect(times(format.exact(at(2)))).toBe(1)
    expect(times(format.exact(at(4)))).toBe(0)
    // What came once says nothing of how often.
    expect(times(fill(story.again, { n: 1, time: format.exact(at(5)) }))).toBe(0)
  }
})

test('each act has words', () => {
  for (const { story } of Object.values(languages))
    expect(Object.keys(story.done).toSorted()).toEqual(ActKind.options.toSorted())
})

test('money is written with the sign and the grouping of the place', () => {
  const english = formats('en', 'Africa/Nairobi')
  expect(english.money(2500, 'KES')).toBe('KSh\u00a02,500')
  expect(english.money(1_250_000, 'NGN')).toBe('₦1,250,000')
  expect(formats('sw', 'Africa/Nairobi').money(75_000, 'TZS')).toBe('TSh\u00a075,000')
  expect(formats('fr', 'Africa/Dakar').money(75_000, 'XOF')).toBe('75\u202f000\u00a0FCFA')
})

test('times and days are those of the time zone of the shop', () => {
  const nairobi = formats('en', 'Africa/Nairobi')
  expect(nairobi.exact('2026-11-27T22:30:05Z')).toMatch(/28 Nov.*01:30:05/)
  expect(nairobi.exact('2026-11-27T21:00:00Z')).toMatch(/28 Nov.*00:00:00/)
  expect(nairobi.dayField(new Date('2026-11-27T22:30:05Z'))).toBe('2026-11-28')
  expect(nairobi.hour('2026-11-27T21:10:00Z')).toBe('00')
  expect(formats('en', 'Africa/Abidjan').dayField(new Date('2026-11-27T22:30:05Z'))).toBe('2026-11-27')
  expect(nairobi.shortDay('2026-03-01')).toBe('1 Mar')
})

test('a span is written in the measure that a person would use', () => {
  const { span } = formats('en', 'UTC')
  expect([400, 40_000, 300_000, 7_200_000, 172_800_000].map(span).join(' ').replaceAll('\u00a0', '')).toBe(
    '0.4s 40s 5min 2h 2d',
  )
})

/** As it is read out in each country. */
const PHONES = {
  KE: '+254 712 123 456',
  TZ: '+255 621 234 567',
  UG: '+256 712 345 678',
  ET: '+251 911 234 567',
  SO: '+252 612 345 678',
  RW: '+250 720 123 456',
  BI: '+257 79 56 12 34',
  NG: '+234 802 123 4567',
  GH: '+233 231 234 567',
  BJ: '+229 01 95 12 34 56',
  BF: '+226 70 12 34 56',
  CI: '+225 01 23 45 67 89',
  GW: '+245 955 012 345',
  ML: '+223 65 01 23 45',
  NE: '+227 93 12 34 56',
  SN: '+221 701 234 567',
  TG: '+228 90 11 23 45',
} as const satisfies Record<CountryCode, string>

test.each(CountryCode.options)('a phone of %s is read out by its calling code, then in groups', (country) => {
  const [, , , example] = countries[country]
  expect(phone(normalisePhone(example, country))).toBe(PHONES[country])
})

test('a phone of elsewhere has its own calling code, and what is too short stays as it was typed', () => {
  expect(phone('447911123456')).toBe('+44 791 112 3456')
  expect(phone('27821234567')).toBe('+27 821 234 567')
  expect(phone('12015550123')).toBe('+1 201 555 0123')
  expect(phone('2547123')).toBe('+254 7123')
  expect(phone('0712')).toBe('0712')
})

test('a value that is missing leaves no braces', () => {
  expect(fill('{a} and {b}', { a: 1 })).toBe('1 and ')
})

test('each address leads to its view, and an unknown one to the payments', () => {
  for (const route of [{ view: 'payment', id: 'dep_1/2' }, { view: 'owed' }, { view: 'audit' }] as const)
    expect(routeOf(hrefOf(route))).toEqual(route)
  expect(routeOf('')).toEqual({ view: 'payments' })
  expect(routeOf('#/nothing')).toEqual({ view: 'payments' })
})

test('the refusals that the console explains are words of the contract', () => {
  for (const code of ['role_too_low', 'sign_in_missing', 'sign_in_refused', 'decision_not_open', 'not_owed'])
    expect(problems).toHaveProperty(code)
})
