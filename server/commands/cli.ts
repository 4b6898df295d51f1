#!/usr/bin/env node
// The program `hc-checkout-server`.
import { processIo } from './io.ts'
import { runCommand } from './run-command.ts'
import { keepYoungSpaceSmall } from './young-space.ts'

keepYoungSpaceSmall()
process.exitCode = await runCommand(process.argv.slice(2), processIo())
