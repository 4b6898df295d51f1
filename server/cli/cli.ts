#!/usr/bin/env node
// The program `hc-checkout-server`.
import { existsSync } from 'node:fs'
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { nodeFault } from '../platform/node-version.ts'
import { processIo } from './io.ts'
import { runCommand } from './run-command.ts'

/** After a command has ended, for what it has left to write. */
const LEFT_MS = 2_000

const io = processIo()
const fault = nodeFault(process.versions.node)
if (fault === undefined) {
  process.once('exit', endDespiteLookups)
  // Of mails, PostgreSQL and doctor too: Node's own 250 ms are too short for a host on another
  // continent.
  setDefaultAutoSelectFamilyAttemptTimeout(2_500)
  process.exitCode = await runCommand(process.argv.slice(2), io)
  // Through a proxy that breaks off (NODE_USE_ENV_PROXY) the fetch of Node connects again and
  // again, though nobody waits for it, and doctor would not end.
  setInterval(() => {
    if (process.stdout.writableLength === 0) process.exit()
  }, LEFT_MS).unref()
} else {
  io.err(fault)
  process.exitCode = 2
}

/**
 * Node waits for its threads, so for a resolver that does not answer, 20 s and more. What replaces
 * a process waits for none. Unlike a signal it keeps the exit code, and ends the first process of a
 * container.
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
