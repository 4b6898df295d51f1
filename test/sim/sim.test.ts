// Simulated worlds in every test run: seeded faults, crashes and forgeries, and what must hold in
// spite of them. HC_SIM_SEEDS changes how many; a failing seed is shown with the command that
// replays it.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { plants } from './plants.ts'
import type { PlantName } from './plants.ts'
import { runWorld } from './world.ts'

const seeds = Number(process.env['HC_SIM_SEEDS'] ?? 200)
const jobs = Number(process.env['HC_SIM_JOBS'] ?? 2)

/** Runs the simulation in separate processes: two at once, without the test runner. */
function simulate(args: readonly string[]): Promise<{ code: number; text: string }> {
  return new Promise((resolve) => {
    const program = fileURLToPath(new URL('run.ts', import.meta.url))
    execFile(
      process.execPath,
      ['--conditions=hc-source', program, ...args],
      { maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : 1, text: stdout + stderr })
      },
    )
  })
}

describe('in simulated worlds', () => {
  it(
    `${seeds} x 100 payments with every fault we can name: nothing lost, doubled, wrongly credited or stuck`,
    async () => {
      const { code, text } = await simulate(['--seeds', String(seeds), '--payments', '100', '--jobs', String(jobs)])
      console.log(text)
      expect(text).toContain('no rule was broken')
      expect(code).toBe(0)
    },
    20 * 60_000,
  )

  it('no worlds are no proof', async () => {
    for (const seeds of ['many', '0', '1.5']) {
      const { code, text } = await simulate(['--seeds', seeds])
      expect(code).toBe(1)
      expect(text).toContain('--seeds must be a whole number')
    }
  })

  it('the same seed is the same world, to the event', async () => {
    const lines: string[][] = [[], []]
    const reports = []
    for (const trace of lines)
      reports.push(await runWorld({ seed: 7, payments: 40, trace: (line) => trace.push(line) }))
    expect(lines[0]?.length).toBeGreaterThan(100)
    expect(lines[1]).toEqual(lines[0])
    expect(reports[1]).toEqual(reports[0])
  })
})

/**
 * Number of seeds within which each planted bug must be found; well within the 200 that are always
 * run.
 */
const foundWithin: Readonly<Record<PlantName, number>> = {
  'ack-before-commit': 5,
  'blind-retry': 20,
  'hash-only': 30,
  'callback-decides-failed': 60,
  'first-result-wins': 5,
  'outbox-outside': 120,
  'durability-normal': 5,
  'expired-at-15-minutes': 5,
  'first-is-duplicate': 5,
  'late-unmarked': 5,
  'paid-order-led-on': 60,
  'notice-of-another': 5,
  'dead-token': 5,
}
const rules: Readonly<Record<PlantName, RegExp>> = {
  'ack-before-commit': /^durable/,
  'blind-retry': /^(row before call|money)/,
  'hash-only': /^(forgery|truth)/,
  'callback-decides-failed': /^truth/,
  'first-result-wins': /^liveness/,
  'outbox-outside': /^liveness/,
  'durability-normal': /^durable/,
  'expired-at-15-minutes': /^truth/,
  'first-is-duplicate': /^money/,
  'late-unmarked': /^money/,
  'paid-order-led-on': /^paid twice/,
  'notice-of-another': /^money/,
  'dead-token': /^durable/,
}

describe('a planted bug is found', () => {
  it.each(Object.keys(plants) as PlantName[])(
    '%s',
    async (name) => {
      let message = ''
      for (let seed = 1; seed <= foundWithin[name] && message === ''; seed++) {
        const { broken } = await runWorld({ seed, payments: 100, wrong: plants[name] })
        message = broken?.message ?? ''
      }
      expect(message).toMatch(rules[name])
    },
    300_000,
  )
})
