// Benchmark of abuse: slow sockets, endless bodies and forged callbacks at once. What do customers
// notice, and how much memory does it cost?
import { join } from 'node:path'
import type { Attacked, AttackJob, GoodJob, Served } from './abuse-load.ts'
import { startBuilt } from './built-server.ts'
import { openPayments } from './filled.ts'
import { details, median, report } from './goals.ts'
import type { Options } from './options.ts'
import { pause, startProgram } from './processes.ts'

const SECONDS = 10
/** From one address the proxy passes 300 (nginx.conf): this is a flood from seven. */
const FORGED_A_SECOND = 2_000
const SLOW = 1000
const GOOD_A_SECOND = 50

interface Measured extends Served, Omit<Attacked, 'perSecond'> {
  readonly forgedPerSecond: number
  readonly grownMb: number
}

let runs = 0

async function measure(options: Options): Promise<Measured> {
  const database = `file:${join(options.folder, `abuse-${(runs += 1)}.db`)}`
  const [order] = await openPayments(database, 1)
  if (order === undefined) throw new Error('No payment was stored.')
  const customers = await startProgram<{ stub: string }>('./abuse-load.ts')
  const abusers = await startProgram('./abuse-load.ts')
  const server = await startBuilt(database, customers.ready.stub)
  try {
    const { port } = server
    const attack = (seconds: number, perSecond: number, slow: number) =>
      abusers.ask<Attacked>({ attack: { port, seconds, perSecond, slow }, order } satisfies AttackJob)
    const serve = (seconds: number) =>
      customers.ask<Served>({ good: { port, seconds, perSecond: GOOD_A_SECOND } } satisfies GoodJob)
    // Warm-up with customers and a little abuse, so that the code is compiled and the heap has its
    // size.
    await Promise.all([serve(4), attack(4, FORGED_A_SECOND / 4, 0)])
    await pause(500)
    const before = server.figures()
    const attacking = attack(SECONDS, FORGED_A_SECOND, SLOW)
    const serving = serve(SECONDS)
    let most = before.rss
    const until = performance.now() + SECONDS * 1000
    while (performance.now() < until) {
      await pause(250)
      most = Math.max(most, server.figures().rss)
    }
    const [{ perSecond: forgedPerSecond, ...attacked }, served] = await Promise.all([attacking, serving])
    return { ...served, forgedPerSecond, ...attacked, grownMb: (most - before.rss) / 1_048_576 }
  } finally {
    await Promise.all([server.stop(), customers.stop(), abusers.stop()])
  }
}

export async function abuse(options: Options): Promise<void> {
  const rows: Measured[] = []
  for (let round = 0; round < options.rounds; round += 1) rows.push(await measure(options))
  const middle = (figure: keyof Measured) => median(rows.map((row) => row[figure]))
  const most = (figure: keyof Measured) => Math.max(...rows.map((row) => row[figure]))
  details(`abuse for ${SECONDS} s: ${SLOW} slow sockets, bodies of 100 MB, forged callbacks: median (least-most)`, {
    ours: rows,
  })
  const row = (what: string, figure: number, unit: string, limit: readonly ['at least' | 'at most', number]) =>
    ({ what: `abuse, ${what}`, ours: figure, unit, value: figure, limit }) as const
  report(
    row('forged callbacks refused', middle('forgedPerSecond'), '/s', ['at least', FORGED_A_SECOND * 0.99]),
    row('forged callbacks not refused', most('notRefused'), '', ['at most', 0]),
    row('good requests p99', middle('p99'), 'ms', ['at most', 500]),
    row('good requests refused', most('bad'), '', ['at most', 0]),
    row('memory grown', middle('grownMb'), 'MB', ['at most', 50]),
  )
}
