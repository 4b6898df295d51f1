// The circuit breaker by itself: what a call that began before it opened may change, and who may
// try when its time is over.
import { beforeEach, expect, it } from 'vitest'
import { createBreaker, type Breaker, type Leave } from '../../server/upstream/breaker.ts'

let at: number
/** What `random` gives for one byte. */
let chance: readonly number[]
let breaker: Breaker
beforeEach(() => {
  at = 0
  chance = [0]
  breaker = createBreaker({
    now: () => at,
    random(count) {
      expect(count).toBe(1)
      return Uint8Array.from(chance)
    },
  })
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

it('lets calls through at once before any has failed', () => {
  expect([breaker.state(), breaker.waitMs()]).toEqual(['closed', 0])
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

it('opens at the fifth failure in a row, and an answer begins the count again', () => {
  fail(five().slice(1))
  expect([breaker.state(), breaker.waitMs()]).toEqual(['closed', 0])
  enter()('reached')
  fail(five().slice(1))
  expect(breaker.state()).toBe('closed')
  enter()('failed')
  expect([breaker.state(), breaker.waitMs()]).toEqual(['open', 750])
})

it('counts what one call tells twice once', () => {
  const [call = () => {}] = five()
  for (let times = 0; times < 5; times += 1) call('failed')
  expect(breaker.state()).toBe('closed')
  fail(five().slice(1))
  expect(breaker.state()).toBe('open')
})

it('waits twice as long after each try that failed, and a minute at most', () => {
  fail(five())
  const waits = Array.from({ length: 9 }, () => {
    const wait = breaker.waitMs()
    at += wait
    enter()('failed')
    return wait
  })
  expect(waits).toEqual([750, 1500, 3000, 6000, 12_000, 24_000, 45_000, 45_000, 45_000])
})

it.each([
  [[0], 750],
  [[51], 850],
  [[255], 1250],
  [[], 750],
])('spreads the waits of several instances by chance: %j gives %i ms', (drawn, wait) => {
  chance = drawn
  fail(five())
  expect(breaker.waitMs()).toBe(wait)
})

it('lets nobody through a millisecond early', () => {
  fail(five())
  at += 749
  expect([breaker.state(), breaker.waitMs(), breaker.enter()]).toEqual(['open', 1, { waitMs: 1 }])
  at += 1
  expect([breaker.state(), breaker.waitMs()]).toEqual(['half_open', 0])
  enter()
})

it('waits for no more than twice its longest wait when the clock is set back', () => {
  fail(five())
  at = 750 - 120_000
  expect([breaker.state(), breaker.waitMs()]).toEqual(['open', 120_000])
  at -= 1
  expect([breaker.state(), breaker.waitMs()]).toEqual(['half_open', 0])
})

it('closed by an old answer while a call tries lets the next one try in its turn', () => {
  const [old, ...others] = [enter(), ...five()]
  fail(others)
  at += 750
  enter()
  old('reached')
  expect([breaker.state(), breaker.waitMs()]).toEqual(['closed', 0])
  fail(five())
  at += 750
  expect(breaker.waitMs()).toBe(0)
  enter()
})
