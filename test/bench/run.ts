// `npm run bench`: the companion against bare programs and peers, interleaved in one run. Prints
// medians, ratios and which goals were reached. The exit code is 0 even if a goal was missed,
// because the machine may be busy, and 1 if something could not be measured.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { abuse } from './abuse.ts'
import { build } from './built-server.ts'
import { consoleSearch } from './console.ts'
import { reportAll } from './goals.ts'
import { idle } from './idle.ts'
import type { Options } from './options.ts'
import { writePage } from './page.ts'
import { streams } from './streams.ts'
import { installPeers } from './peers.ts'
import { twoCompanions } from './two-companions.ts'
import { depositRates, postgresRates, storedPostgresRates, storedRates, webhookRates } from './rates.ts'

const parts: Readonly<Record<string, (options: Options) => Promise<void>>> = {
  deposits: depositRates,
  webhooks: webhookRates,
  streams,
  postgres: postgresRates,
  stored: storedRates,
  idle,
  abuse,
  two: twoCompanions,
}

/** Parts that run only on request. */
const more: typeof parts = { 'stored-postgres': storedPostgresRates, console: consoleSearch }

const all = { ...parts, ...more }

const HELP = `npm run bench -- [--only ${Object.keys(parts).join(',')}] [--rounds 3] [--seconds 3] [--clients 50,200]
                [--streams 15000] [--stored 1000000] [--no-peers]
                [--write: the figures into demo/docs/scale.md]
Only on request: ${Object.keys(more).join(', ')}`

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join() },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    clients: { type: 'string', default: '50,200' },
    streams: { type: 'string', default: '15000' },
    stored: { type: 'string', default: '1000000' },
    peers: { type: 'boolean', default: true },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
  allowNegative: true,
})
const chosen = values.only.split(',')
const unknown = chosen.filter((name) => all[name] === undefined)
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no part ${unknown.join(', ')}.`)
  console.log(HELP)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const options: Options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  clients: values.clients.split(',').map(Number),
  streams: Number(values.streams),
  stored: Number(values.stored),
  peers: values.peers,
  folder: mkdtempSync(join(tmpdir(), 'hc-bench-')),
}
process.on('exit', () => rmSync(options.folder, { recursive: true, force: true }))
console.log(`Node ${process.version}, ${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown processor'}`)

build()
if (options.peers) installPeers()
// What was written until now, by this and by everything before it, would reach the disk during the
// first measurements, whose commits wait for it.
execFileSync('sync')

const broken: string[] = []
for (const name of chosen) {
  const started = performance.now()
  try {
    await all[name]?.(options)
  } catch (error) {
    broken.push(name)
    console.error(`${name} could not be measured:`, error)
  }
  console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
const lines = reportAll()
if (values.write) writePage(lines, ['npm run bench --', ...process.argv.slice(2)].join(' '))
if (broken.length > 0) console.log(`Not measured, see above: ${broken.join(', ')}`)
process.exit(broken.length > 0 ? 1 : 0)
