// Benchmark of the published companion, built and started by its command: time until ready, and
// memory while idle.
import { join } from 'node:path'
import { startBuilt } from './built-server.ts'
import { details, median, report } from './goals.ts'
import type { Options } from './options.ts'
import { pause, startProgram } from './processes.ts'

const IDLE_MS = 5000

interface Measured {
  readonly readyMs: number
  readonly idleMb: number
}

let runs = 0

async function measure(options: Options, stub: string): Promise<Measured> {
  const database = `file:${join(options.folder, `idle-${(runs += 1)}.db`)}`
  const server = await startBuilt(database, stub)
  try {
    await pause(IDLE_MS)
    return { readyMs: server.readyMs, idleMb: server.figures().rss / 1_048_576 }
  } finally {
    await server.stop()
  }
}

export async function idle(options: Options): Promise<void> {
  const service = await startProgram<{ stub: string }>('./load.ts')
  const rows: Measured[] = []
  try {
    for (let round = 0; round < options.rounds; round += 1) rows.push(await measure(options, service.ready.stub))
  } finally {
    await service.stop()
  }
  details(`built and started; ${IDLE_MS / 1000} s after it was ready: median (least-most)`, { ours: rows })
  const [readyMs, idleMb] = [median(rows.map((row) => row.readyMs)), median(rows.map((row) => row.idleMb))]
  report(
    { what: 'start until ready', ours: readyMs, unit: 'ms', value: readyMs, limit: ['at most', 1000] },
    { what: 'memory while idle', ours: idleMb, unit: 'MB', value: idleMb, limit: ['at most', 110] },
  )
}
