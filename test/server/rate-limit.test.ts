// Requests by key in a minute: who has used them up is told how long to wait, and strangers cannot
// fill the memory.
import { expect, it } from 'vitest'
import { createRateLimit } from '../../server/http/rate-limit.ts'

let at: number
const limitOf = (most: number) => {
  at = 0
  return createRateLimit({ most, now: () => at })
}

it('is used up until the next minute, for one key alone, and says how many seconds are left', () => {
  const limit = limitOf(2)
  const again = () => limit.use('one')
  again()
  at = 10_500
  again()
  expect(again).toThrow(expect.objectContaining({ code: 'rate_limited', retryAfter: 50 }))
  limit.use('another')
  at = 59_999
  expect(again).toThrow(expect.objectContaining({ retryAfter: 1 }))
  at = 60_000
  again()
  again()
  expect(again).toThrow(expect.objectContaining({ retryAfter: 60 }))
})

it('calls without a key are not counted', () => {
  const limit = limitOf(1)
  for (let n = 0; n < 3; n++) limit.use(undefined)
})

it('starts to count anew rather than hold more keys than its memory allows', () => {
  const limit = limitOf(1)
  for (let n = 0; n < 99_999; n++) limit.use(String(n))
  expect(() => limit.use('0')).toThrow()
  limit.use('the last one')
  limit.use('0')
})
