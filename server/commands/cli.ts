#!/usr/bin/env node
// The program `hc-checkout-server`.
import { availableParallelism } from 'node:os'
import { nodeFault } from '../node-version.ts'
import { processIo } from './io.ts'
import { runCommand } from './run-command.ts'
import { fitThreadPool } from './thread-pool.ts'
import { prepareV8 } from './v8.ts'

const io = processIo()
const fault = nodeFault(process.versions.node)
if (fault === undefined) {
  fitThreadPool(process.env, availableParallelism())
  prepareV8()
  process.exitCode = await runCommand(process.argv.slice(2), io)
} else {
  io.err(fault)
  process.exitCode = 2
}
