// The companion as it is published, built and started by its command: how soon it is ready, and what it holds while nothing happens.
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { details, median, report } from './goals.ts'
import type { Options } from './options.ts'
import { pause, startProgram } from './processes.ts'
import { benchEnv } from './settings.ts'
import { openWire, requestText } from './wire.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const IDLE_MS = 5000

interface Measured {
  readonly readyMs: number
  readonly idleMb: number
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

/** Resident memory in bytes, as Linux tells it. */
function residentOf(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kb) * 1024
}

let runs = 0

async function measure(options: Options, stub: string): Promise<Measured> {
  const port = await freePort()
  const database = `file:${join(options.folder, `idle-${(runs += 1)}.db`)}`
  const env = { PATH: process.env['PATH'] ?? '', ...benchEnv(database, stub, { HC_PORT: String(port) }) }
  const started = performance.now()
  const child = spawn(process.execPath, ['server/dist/commands/cli.js', 'start'], { cwd: ROOT, env, stdio: 'ignore' })
  try {
    const wire = openWire({ host: '127.0.0.1', port })
    while ((await wire.send(requestText('GET', '/readyz', {}))).status !== 200) {
      if (child.exitCode !== null) throw new Error(`The companion ended with ${child.exitCode}.`)
      await pause(5)
    }
    const readyMs = performance.now() - started
    wire.close()
    await pause(IDLE_MS)
    return { readyMs, idleMb: residentOf(child.pid ?? 0) / 1_048_576 }
  } finally {
    child.kill('SIGKILL')
  }
}

export async function idle(options: Options): Promise<void> {
  execFileSync(process.execPath, [join(ROOT, 'server/build.ts')], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
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
    { what: 'memory while idle', ours: idleMb, unit: 'MB', value: idleMb, limit: ['at most', 90] },
  )
}
