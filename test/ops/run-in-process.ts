// Runs a command of the program in this process, and keeps what it said.
import type { CommandIo } from '../../server/cli/io.ts'
import { runCommand } from '../../server/cli/run-command.ts'

export async function run(
  argv: string[],
  env: Readonly<Record<string, string | undefined>> = {},
  changes: Partial<CommandIo> = {},
) {
  const out: string[] = []
  const err: string[] = []
  const code = await runCommand(argv, {
    env,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    fetch: globalThis.fetch,
    now: Date.now,
    stopped: () => new Promise(() => {}),
    ...changes,
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

/** Runs doctor and reads its checks. */
export async function doctor(
  env: Readonly<Record<string, string | undefined>>,
  changes: Partial<CommandIo> = {},
  argv: readonly string[] = [],
) {
  const { code, out } = await run(['doctor', '--json', ...argv], env, changes)
  const { checks } = JSON.parse(out) as { checks: { name: string; state: string; says: string }[] }
  return { code, out, checks }
}
