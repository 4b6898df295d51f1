// Benchmark of watching customers: the cost of 15,000 open streams in one process, and the delay of
// a change, against a bare program that does the same. In both a change is one durable commit, then
// the event.
import { join } from 'node:path'
import { openPayments } from './filled.ts'
import type { Figures } from './figures.ts'
import { details, interleave, median, report } from './goals.ts'
import type { Options } from './options.ts'
import { pause, startProgram } from './processes.ts'
import type { Opened, Seen, StreamJob } from './stream-load.ts'

const WARM = 500
/**
 * Changes, and as many before as warm-up: the first queries and the compilation of code happen only
 * once.
 */
const CHANGES = { perSecond: 500, seconds: 8 }
/** The default rate, the service's own limit: watching must work with it. */
const RATE = '1500'

interface Measured {
  readonly kbEach: number
  readonly p50: number
  readonly p99: number
  readonly openSeconds: number
  readonly cpuSeconds: number
  readonly lost: number
}

let runs = 0

async function measure(options: Options, variant: 'ours' | 'bare'): Promise<Measured> {
  const loader = await startProgram<{ stub: string }>('./stream-load.ts')
  const file = join(options.folder, `streams-${(runs += 1)}.db`)
  const watches =
    variant === 'ours'
      ? await openPayments(`file:${file}`, options.streams)
      : Array.from({ length: options.streams }, (_, n) => ({ id: `dep_${String(n).padStart(26, '0')}`, token: 'x'.repeat(43) }))
  const nodeFlags = ['--expose-gc']
  const server =
    variant === 'ours'
      ? await startProgram<{ port: number; control: number }>(
          './our-server.ts',
          [`file:${file}`, loader.ready.stub, JSON.stringify({ HC_RATE: RATE })],
          { nodeFlags },
        )
      : await startProgram<{ port: number; control: number }>('./bare-streams.ts', [file], { nodeFlags })
  const tell = <T>(job: StreamJob) => loader.ask<T>(job)
  try {
    const { port, control } = server.ready
    await tell<Opened>({ open: watches.slice(0, WARM), port })
    await tell<Seen>({ change: { perSecond: 500, seconds: 1 }, control })
    await tell({ close: true })
    await pause(500)
    const before = await server.ask<Figures>('collect')
    const { open, seconds } = await tell<Opened>({ open: watches, port })
    if (open < watches.length) throw new Error(`Only ${open} of ${watches.length} streams were open.`)
    await pause(1500)
    const after = await server.ask<Figures>('collect')
    await tell<Seen>({ change: CHANGES, control })
    const warm = await server.ask<Figures>('figures')
    const seen = await tell<Seen>({ change: CHANGES, control })
    const { cpu } = await server.ask<Figures>('figures')
    return {
      kbEach: (after.rss - before.rss) / watches.length / 1024,
      p50: seen.p50,
      p99: seen.p99,
      openSeconds: seconds,
      cpuSeconds: (cpu - warm.cpu) / 1e6 / CHANGES.seconds,
      lost: seen.lost,
    }
  } finally {
    await Promise.all([server.stop(), loader.stop()])
  }
} // prettier-ignore

export async function streams(options: Options): Promise<void> {
  const result = await interleave(options.rounds, {
    bare: () => measure(options, 'bare'),
    ours: () => measure(options, 'ours'),
  })
  const middle = (name: 'ours' | 'bare', figure: keyof Measured) => median(result[name].map((row) => row[figure]))
  const what = `${options.streams} streams`
  details(`${what}, ${CHANGES.perSecond} changes a second: median (least-most)`, result)
  const row = (name: string, figure: keyof Measured, unit: string, limit: number) => {
    const [ours, bare] = [middle('ours', figure), middle('bare', figure)]
    return { what: `${what}, ${name} of bare`, ours, bare, unit, value: ours / bare, limit: ['at most', limit] } as const
  } // prettier-ignore
  report(
    row('memory each', 'kbEach', 'kB', 1.3),
    row('change seen p99', 'p99', 'ms', 2),
    { what: `${what}, changes nobody saw`, ours: middle('ours', 'lost'), bare: middle('bare', 'lost'), unit: '', value: Math.max(...result.ours.map(({ lost }) => lost)), limit: ['at most', 0] },
  ) // prettier-ignore
}
