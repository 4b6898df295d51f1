// The statements of the card are true where they are shown: after a reload, and in the browser of
// whoever opened the link.
import { expect, it } from 'vitest'
import { failures } from '../../widget/locales/by-code.ts'
import { am, en, fr, ha, rn, rw, so, sw } from '../../widget/locales/index.ts'

it.each(Object.entries({ en, fr, sw, am, ha, rn, rw, so }))(
  'who comes back to a payment that ran out is not promised, in %s, that what was typed is still there',
  (_, words) => {
    expect(words.expiredText).toContain('15')
    expect(words.expiredText).not.toMatch(/kept|gardé|hifadhi/i)
  },
)

it.each(Object.entries({ en, fr, sw, am, ha, rn, rw, so }))(
  'whoever may have sent money for a payment that ended without a reason, or was cancelled, is sent to the shop, in %s, not just to another payment',
  (code, words) => {
    const ifMoneyLeft = words.failedPin.slice(words.failedPin.search(/(?<=[.።]) ?/)).trim()
    expect(ifMoneyLeft.length).toBeGreaterThan(30)
    expect(words.expiredText).toContain(ifMoneyLeft)
    // 1032 as well: a payment can be cancelled after the money was sent.
    expect(words.failedCancelled).toContain(ifMoneyLeft)
    expect(failures).toMatchObject({ failed: 'failedPin', 1032: 'failedCancelled' })
  },
)

it.each(Object.entries({ en, fr, sw, am, ha, rn, rw, so }))(
  'of the mobile operator’s results only the one that tells of too little money says, in %s, nothing of money that has left',
  (_, words) => {
    const ifMoneyLeft = words.failedPin.slice(words.failedPin.search(/(?<=[.።]) ?/)).trim()
    const silent = Object.entries(failures).filter(
      ([code, text]) => /^\d/.test(code) && !words[text].includes(ifMoneyLeft),
    )
    expect(silent).toEqual([['1', 'failedFunds']])
  },
)

it.each([
  ['en', en, /^If you have not sent money, /],
  ['fr', fr, /^Si vous n’avez pas envoyé d’argent, /],
  ['sw', sw, /^Kama hujatuma pesa, /],
  ['am', am, /^ገንዘብ ካልላኩ /],
  ['ha', ha, /^Idan ba ku tura kuɗi ba, /],
  ['rn', rn, /^Nimba ata mahera mwarungitse, /],
  ['rw', rw, /^Niba nta mafaranga mwohereje, /],
  ['so', so, /^Haddii aadan lacag dirin, /],
])('nor is it so, in %s, until that sentence has come, or without the network for it', (_, words, unlessSent) => {
  expect(words.failedOther).toMatch(unlessSent)
})

it.each(Object.entries({ en, fr, sw, am, ha, rn, rw, so }))(
  'who has cancelled nothing is not told so, in %s: the result 1032 comes for a phone that was not reached too (open-points.md, failed webhook)',
  (code, words) => {
    expect(failures['1032']).toBe('failedCancelled')
    const or = { en: 'or', fr: 'ou', sw: 'au', am: 'ወይም', ha: 'ko', rn: 'canke', rw: 'cyangwa', so: 'ama' }[code]
    expect(words.failedCancelled).toContain(` ${or} `)
  },
)

it.each(['account_refused', 'invalid_signature', 'address_not_allowed', 'a code of tomorrow'])(
  'nobody is told to choose another currency where the service refuses the shop: %s',
  (code) => {
    const known: Readonly<Record<string, keyof typeof en>> = failures
    expect(en[known[code] ?? failures.rejected]).toBe('Nothing was charged. Try again.')
  },
)
