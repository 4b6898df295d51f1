// The circuit breaker by itself: what a call that began before it opened may change, and who may try when its time is over.
import { beforeEach, expect, it } from 'vitest'
import { createBreaker, type Breaker, type Leave } from '../../server/upstream/breaker.ts'

let at: number
let breaker: Breaker
beforeEach(() => {
  at = 0
  breaker = createBreaker({ now: () => at, random: (count) => new Uint8Array(count) })
})

function enter(): Leave {
  const entry = breaker.enter()
  if ('waitMs' in entry) throw new Error(`It waits ${entry.waitMs} ms.`)
  return entry.leave
}
function fail(calls: readonly Leave[]): void {
  for (const leave of calls) leave('failed')
}
const five = () => Array.from({ length: 5 }, enter)

it('opened by five of ten calls at once is not opened further by the rest', () => {
  const [calls, others] = [five(), five()]
  fail(calls)
  expect([breaker.state(), breaker.waitMs()]).toEqual(['open', 750])
  at += 700
  fail(others)
  expect(breaker.waitMs()).toBe(50)
})

it('counts no call that was not made', () => {
  for (const leave of five()) leave('unknown')
  expect(breaker.state()).toBe('closed')
})

it('lets one call try when the time is over; the others wait until it ends', () => {
  fail(five())
  at += 750
  const probe = enter()
  expect([breaker.state(), breaker.waitMs(), breaker.enter()]).toEqual(['half_open', 1000, { waitMs: 1000 }])
  // A call that was not made after all leaves the place to another.
  probe('unknown')
  expect(breaker.waitMs()).toBe(0)
  enter()('failed')
  expect(breaker.waitMs()).toBe(1500)
})

it('is not closed by the failure of an old call, but by its answer', () => {
  const [old, older] = five() as [Leave, Leave]
  fail(five())
  old('failed')
  expect(breaker.state()).toBe('open')
  older('reached')
  expect(breaker.state()).toBe('closed')
  // From there the waits begin anew.
  fail(five())
  expect(breaker.waitMs()).toBe(750)
})

it('closed by an answer ignores the failures of calls from before it opened', () => {
  const old = five()
  const answered = enter()
  fail(five())
  answered('reached')
  fail(old)
  expect(breaker.state()).toBe('closed')
})
