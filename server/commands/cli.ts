#!/usr/bin/env node
// The program `hc-checkout-server`.
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { availableParallelism } from 'node:os'
import { EACH_ADDRESS_MS } from '../each-address.ts'
import { nodeFault } from '../node-version.ts'
import { exitDespiteLookups } from './hanging-lookups.ts'
import { processIo } from './io.ts'
import { runCommand } from './run-command.ts'
import { fitThreadPool } from './thread-pool.ts'
import { prepareV8 } from './v8.ts'

/** After a command has ended, for what it has left to write. */
const LEFT_MS = 2_000

const io = processIo()
const fault = nodeFault(process.versions.node)
if (fault === undefined) {
  fitThreadPool(process.env, availableParallelism())
  prepareV8()
  exitDespiteLookups()
  // Of notices, mails, PostgreSQL and doctor too.
  setDefaultAutoSelectFamilyAttemptTimeout(EACH_ADDRESS_MS)
  process.exitCode = await runCommand(process.argv.slice(2), io)
  // Through a proxy that breaks off (NODE_USE_ENV_PROXY) the fetch of Node connects again and again, though nobody waits for it, and doctor would not end.
  setInterval(() => {
    if (process.stdout.writableLength === 0) process.exit()
  }, LEFT_MS).unref()
} else {
  io.err(fault)
  process.exitCode = 2
}
