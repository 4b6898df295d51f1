// Runs a program and captures its output, for tools that print only if something is wrong.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { settingsTable } from '../../server/settings/table.ts'
import { endWithUs } from './end-with-us.ts'

export interface Ran {
  readonly code: number
  /** Both streams, in order of arrival. */
  readonly output: string
  readonly seconds: number
  /** True when its patience was over, and it was ended. */
  readonly ended?: boolean
}

export const root = join(import.meta.dirname, '../..')

/** What this machine sets for a companion of its own is not for those of the tests. */
const noSettings = Object.fromEntries(
  ['PORT', ...settingsTable.flatMap(({ name }) => [name, `${name}_FILE`])].map((name) => [name, undefined]),
)

/**
 * For a suite that hangs outside its tests, each of which has its own patience. Three times what
 * the longest takes on two cores: a machine that is busy with others gets through, and nobody waits
 * longer than half an hour to hear of it.
 */
export const SUITE_PATIENCE_MS = 30 * 60_000

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Milliseconds after which it is killed and counts as failed. */
  readonly patience?: number
}

/**
 * Never throws: a program that cannot be started ends with code 127 and the reason as its output.
 */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const started = performance.now()
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...noSettings,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    ...options.env,
  }
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // A browser that is left over holds its output open, and then nobody hears of the end.
  const end = endWithUs(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  let ended = false
  const patience = setTimeout(() => {
    ended = true
    output += `\nEnded after ${(options.patience ?? 0) / 1000} s without an end of its own.\n`
    end()
  }, options.patience ?? 2_147_483_647)
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output += error.message
      resolve(127)
    })
    child.once('close', (exit) => resolve(exit ?? 1))
  })
  clearTimeout(patience)
  return { code, output, seconds: (performance.now() - started) / 1000, ended }
}

/** A program of node_modules/.bin. */
export function bin(name: string): string {
  return join(root, 'node_modules/.bin', name)
}
