// Runs the companion as a merchant does: the built program, started by its command, without any
// benchmark code in it.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../helpers/free-port.ts'
import type { Figures } from './figures.ts'
import { figuresOf } from './figures.ts'
import { end, launch, pause } from './processes.ts'
import { benchEnv } from './settings.ts'
import { openWire, requestText } from './wire.ts'

export const PROGRAM = fileURLToPath(new URL('../../server/dist/cli/cli.js', import.meta.url))
const PATIENCE_MS = 30_000

let isBuilt = false

/** Builds the program, unless it has been done. */
export function build(): void {
  if (isBuilt) return
  // The server last: its build needs the published types of the others.
  for (const part of ['widget', 'demo/sandbox', 'server/client', 'server']) {
    const script = fileURLToPath(new URL(`../../${part}/build.ts`, import.meta.url))
    execFileSync(process.execPath, [script], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  isBuilt = true
}

export interface BuiltServer {
  readonly port: number
  /** From its start to the first green /readyz. */
  readonly readyMs: number
  figures(): Figures
  stop(): Promise<void>
}

/** @param given settings over those of the benchmark */
export async function startBuilt(
  database: string,
  upstream: string,
  given: Readonly<Record<string, string>> = {},
): Promise<BuiltServer> {
  build()
  const port = await freePort()
  const env = benchEnv(database, upstream, { ...given, HC_PORT: String(port) })
  const started = performance.now()
  const child = launch([PROGRAM, 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const wire = openWire({ host: '127.0.0.1', port })
  while ((await wire.send(requestText('GET', '/readyz', {}))).status !== 200) {
    if (child.exitCode !== null) throw new Error(`The companion ended with ${child.exitCode}.`)
    if (performance.now() - started > PATIENCE_MS) throw new Error('The companion was not ready in time.')
    await pause(5)
  }
  const readyMs = performance.now() - started
  wire.close()
  return { port, readyMs, figures: () => figuresOf(child.pid ?? 0), stop: () => end(child) }
}
