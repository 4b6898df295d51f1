#!/usr/bin/env node
// The program `hc-checkout-server`.
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { EACH_ADDRESS_MS } from '../each-address.ts'
import { nodeFault } from '../node-version.ts'
import { exitDespiteLookups } from './hanging-lookups.ts'
import { processIo } from './io.ts'
import { runCommand } from './run-command.ts'

/** After a command has ended, for what it has left to write. */
const LEFT_MS = 2_000

const io = processIo()
const fault = nodeFault(process.versions.node)
if (fault === undefined) {
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
