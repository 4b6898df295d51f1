// What the card says has to hold where it is said: after a reload, and in the browser of whoever opened the link.
import { expect, it } from 'vitest'
import { en, fr, sw } from '../../widget/locales/index.ts'

it.each(Object.entries({ en, fr, sw }))(
  'who comes back to a payment that ran out is not promised, in %s, that what was typed is still there',
  (_, words) => {
    expect(words.expiredText).toContain('15')
    expect(words.expiredText).not.toMatch(/kept|gardé|hifadhi/i)
  },
)
