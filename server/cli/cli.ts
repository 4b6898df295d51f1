#!/usr/bin/env node
// The program `hc-checkout-server`.
import { existsSync } from 'node:fs'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { processIo } from './io.ts'
import { runCommand } from './run-command.ts'

/** After a command has ended, for what it has left to write. */
const LEFT_MS = 2_000

process.once('exit', endDespiteLookups)
// Also for mails, PostgreSQL and doctor. Node's own 250 ms are too short for another continent.
setDefaultAutoSelectFamilyAttemptTimeout(2_500)
process.exitCode = await runCommand(process.argv.slice(2), processIo())
// Behind a proxy that breaks off (NODE_USE_ENV_PROXY), Node's fetch connects again and again, and
// doctor would not end.
setInterval(() => {
  if (process.stdout.writableLength === 0) process.exit()
}, LEFT_MS).unref()

/**
 * Node waits for its threads, 20 s and more for a resolver that does not answer. Replacing the
 * process ends them at once. Unlike a signal it keeps the exit code, and ends the first process of
 * a container.
 */
function endDespiteLookups(code: number): void {
  const { execve, execPath } = process
  if (execve === undefined || !existsSync(execPath)) return
  if (!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) return
  try {
    execve(execPath, [execPath, '--eval', `process.exitCode = ${code}`], {})
  } catch {
    // On Windows there is none, and Node's permission model forbids it: it waits.
  }
}
