// Every scenario of the table, played to its end on a clock that tests move.
import { describe, expect, test } from 'vitest'
import { phoneOf, SCENARIOS, scenarioOfPhone } from '../../demo/sandbox/engine/scenarios.ts'
import { createSandboxFixture, hashOf, START, type SandboxFixture } from './sandbox-fixture.ts'

const play = async (fixture: SandboxFixture, name: string, seconds = 60) => {
  const scenario = SCENARIOS.find((one) => one.name === name)!
  const answer = await fixture.create({ acc_no: phoneOf(scenario), reference: 'PLAY-1' })
  await fixture.sandbox.clock.advance(seconds)
  return answer
}
const codes = (fixture: SandboxFixture) =>
  fixture.callbacks.map(({ at, body }) => [(at - START) / 1000, body.result_code])

describe('a scenario, chosen by phone', () => {
  test.each(SCENARIOS.map(({ name }) => name))('%s comes to the ending that the table names', async (name) => {
    const fixture = createSandboxFixture()
    const scenario = SCENARIOS.find((one) => one.name === name)!
    if (scenario.create === 'timeout') {
      const creating = fixture.create({ acc_no: phoneOf(scenario), reference: 'PLAY-1' })
      while ((await fixture.console('GET', 'transactions')).data.length === 0);
      await fixture.sandbox.clock.advance(60)
      const answer = await creating
      expect([answer.status, answer.json.success]).toEqual([504, false])
    } else {
      const first = await play(fixture, name)
      const refused = { 'rate-limited-once': 429, 'token-revoked-once': 401, error: 500, 'error-processed': 500 }[
        scenario.create as string
      ]
      expect(first.status).toBe(refused ?? 200)
      if (first.status === 429) expect(first.headers.get('Retry-After')).toBe('2')
      if (first.status === 429 || first.status === 401) {
        expect((await fixture.query('PLAY-1')).status).toBe(404)
        expect((await play(fixture, name)).status).toBe(200)
      }
    }
    const { status, json } = await fixture.query('PLAY-1')
    if (scenario.ending === 'NONE') return expect(status).toBe(404)
    expect([status, json.data.status]).toEqual([200, scenario.ending])
    const genuine = fixture.callbacks.filter(({ body }) => body.hash === hashOf(body))
    if (scenario.resultCode !== undefined && name !== 'callback-never' && name !== 'callback-out-of-order') {
      const last = genuine.filter(({ body }) => body.third_party_id !== '').at(-1)
      expect(last?.body.result_code).toBe(scenario.resultCode)
    }
    await fixture.sandbox.close()
    return undefined
  })

  test.each([
    ['success', [[3, 0]]],
    ['declined', [[3, 2001]]],
    ['cancelled', [[2, 1032]]],
    ['expires', [[3, 1037]]],
    ['locked-then-slow', [[15, 0]]],
    ['callback-late', [[18, 0]]],
    [
      'callback-twice',
      [
        [3, 0],
        [3, 0],
      ],
    ],
    ['callback-never', []],
    ['callback-before-answer', [[0, 0]]],
    [
      'callback-out-of-order',
      [
        [4, 0],
        [8, 1037],
      ],
    ],
    [
      'callback-forged',
      [
        [1, 0],
        [3, 1032],
        [5, 0],
      ],
    ],
    [
      'success-after-expiry',
      [
        [2, 1037],
        [6, 0],
      ],
    ],
  ])('%s sends its callbacks at their times', async (name, expected) => {
    const fixture = createSandboxFixture()
    await play(fixture, name)
    expect(codes(fixture)).toEqual(expected)
    await fixture.sandbox.close()
  })

  test('never-answered stays PENDING to the last second of 24 hours, then fails', async () => {
    const fixture = createSandboxFixture()
    await play(fixture, 'never-answered', 1)
    await fixture.sandbox.clock.advance(24 * 3600 - 1)
    expect((await fixture.query('PLAY-1')).json.data.status).toBe('PENDING')
    await fixture.sandbox.clock.advance(1)
    expect((await fixture.query('PLAY-1')).json.data.status).toBe('FAILED')
    expect(codes(fixture)).toEqual([[1 + 24 * 3600, 1037]])
    await fixture.sandbox.close()
  })

  test('the callback that comes before the answer is delivered while the create call still waits', async () => {
    const fixture = createSandboxFixture()
    let answered = false
    fixture.receiver.answer = () => {
      expect(answered).toBe(false)
      return new Response('OK')
    }
    const answer = await fixture.create({ acc_no: '254700000010' })
    answered = true
    expect(answer.status).toBe(200)
    expect(fixture.callbacks).toHaveLength(1)
    await fixture.sandbox.close()
  })

  test('the second forged callback carries the hash of the genuine failed one, and it verifies as a success', async () => {
    const fixture = createSandboxFixture()
    await play(fixture, 'callback-forged')
    const [made, genuine, recut] = fixture.callbacks.map(({ body }) => body)
    expect(made!.hash).not.toBe(hashOf(made!))
    expect(genuine!.hash).toBe(hashOf(genuine!))
    expect(recut!.hash).toBe(genuine!.hash)
    expect(recut).toMatchObject({ result_code: 0, amount: '', hash: hashOf(recut!) })
    await fixture.sandbox.close()
  })

  test('the status query lags behind the callback where the scenario says so', async () => {
    const fixture = createSandboxFixture()
    await play(fixture, 'query-behind', 4)
    expect(codes(fixture)).toEqual([[3, 0]])
    expect((await fixture.query('PLAY-1')).json.data.status).toBe('PENDING')
    await fixture.sandbox.clock.advance(4)
    expect((await fixture.query('PLAY-1')).json.data.status).toBe('SUCCESS')
    await fixture.sandbox.close()
  })

  test('PROCESSING is seen on the way', async () => {
    const fixture = createSandboxFixture()
    await play(fixture, 'processing', 4)
    expect((await fixture.query('PLAY-1')).json.data.status).toBe('PROCESSING')
    await fixture.sandbox.close()
  })

  test.each(['254712345678', '0712345678', '254700000000', '254700000099', '254700010001', ''])(
    'the phone %j plays nothing by itself',
    (phone) => {
      expect(scenarioOfPhone(phone)).toBeUndefined()
    },
  )

  test('every scenario has a number and a name of its own', () => {
    expect(new Set(SCENARIOS.map(({ number }) => number)).size).toBe(SCENARIOS.length)
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length)
    for (const scenario of SCENARIOS) expect(scenarioOfPhone(phoneOf(scenario, '257'))).toBe(scenario)
  })
})
