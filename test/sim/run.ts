// Runs the simulation from the command line: many worlds, or one replayed with a trace of its
// events. node --conditions=hc-source test/sim/run.ts --seeds 500 [--from 1] [--payments 100]
// [--jobs 2] [--plant NAME] node --conditions=hc-source test/sim/run.ts --seed 42
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { plants } from './plants.ts'
import type { PlantName } from './plants.ts'
import { runWorld } from './world.ts'
import type { WorldReport } from './world.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    payments: { type: 'string', default: '100' },
    jobs: { type: 'string', default: '1' },
    plant: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

/** Parses a whole number of at least `least`: a run without any world would prove nothing. */
function whole(name: 'payments' | 'from' | 'seeds' | 'jobs', least = 1): number {
  const number = Number(values[name])
  if (Number.isSafeInteger(number) && number >= least) return number
  console.error(`--${name} must be a whole number from ${least}.`)
  return process.exit(2)
}
const payments = whole('payments')
const from = whole('from')
// One of several jobs may have no world to run.
const seeds = whole('seeds', values.json ? 0 : 1)
const jobs = whole('jobs')
if (values.plant !== undefined && !(values.plant in plants))
  throw new Error(`There is no plant ${values.plant}; there are ${Object.keys(plants).join(', ')}.`)
const wrong = values.plant === undefined ? undefined : plants[values.plant as PlantName]

type Totals = Record<string, number>

function add(totals: Totals, report: WorldReport | Totals): void {
  for (const [name, value] of Object.entries(report))
    if (typeof value === 'number' && name !== 'seed' && name !== 'lasted') totals[name] = (totals[name] ?? 0) + value
}

function again(seed: number): string {
  const plant = values.plant === undefined ? '' : ` --plant ${values.plant}`
  return `node --conditions=hc-source test/sim/run.ts --seed ${seed} --payments ${payments}${plant}`
}

/** Runs a range of seeds in this process; stops at the first world in which a rule is broken. */
async function stretch(
  first: number,
  count: number,
): Promise<{ totals: Totals; broken?: { seed: number; message: string } }> {
  const totals: Totals = { worlds: 0 }
  for (let seed = first; seed < first + count; seed++) {
    const report = await runWorld({ seed, payments, wrong })
    totals['worlds'] = (totals['worlds'] ?? 0) + 1
    add(totals, report)
    if (report.broken !== undefined) return { totals, broken: { seed, message: report.broken.message } }
  }
  return { totals }
}

/** The same in several processes, each with its own range. */
function spread(): Promise<Awaited<ReturnType<typeof stretch>>[]> {
  const share = Math.ceil(seeds / jobs)
  return Promise.all(
    Array.from({ length: jobs }, (_, job) => {
      const count = Math.max(0, Math.min(share, seeds - job * share))
      const plant = values.plant === undefined ? [] : ['--plant', values.plant]
      const args = [
        '--conditions=hc-source',
        '--max-semi-space-size=32',
        fileURLToPath(import.meta.url),
        '--json',
        '--from',
        String(from + job * share),
        '--seeds',
        String(count),
        '--payments',
        String(payments),
        ...plant,
      ]
      return new Promise<Awaited<ReturnType<typeof stretch>>>((resolve, reject) => {
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
        let text = ''
        child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
        child.on('error', reject)
        child.on('close', () => {
          try {
            resolve(JSON.parse(text) as Awaited<ReturnType<typeof stretch>>)
          } catch (error) {
            reject(error)
          }
        })
      })
    }),
  )
}

if (values.seed !== undefined) {
  const report = await runWorld({
    seed: Number(values.seed),
    payments,
    trace: (line) => console.log(line),
    wrong,
  })
  console.log(report)
  if (report.broken !== undefined) process.exitCode = 1
} else if (values.json) {
  console.log(JSON.stringify(await stretch(from, seeds)))
} else {
  const began = performance.now()
  const results = jobs > 1 ? await spread() : [await stretch(from, seeds)]
  const totals: Totals = {}
  for (const result of results) add(totals, result.totals)
  const seconds = (performance.now() - began) / 1000
  console.log(
    Object.entries(totals)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  )
  console.log(`${seconds.toFixed(1)} s, ${((totals['worlds'] ?? 0) / seconds).toFixed(1)} worlds a second`)
  for (const { broken } of results) {
    if (broken === undefined) continue
    process.exitCode = 1
    console.log(`seed ${broken.seed} broke a rule. ${broken.message}\nSee it again: ${again(broken.seed)}`)
  }
  if (process.exitCode === undefined) console.log('no rule was broken')
}
