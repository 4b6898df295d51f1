// Mutation testing of the files that money depends on: every small fault planted in them must make
// a test fail.
//
//   node --conditions=hc-source test/mutants/run.ts
//     the money files and their tests, as listed in groups.ts (hours on two cores)
//   node --conditions=hc-source test/mutants/run.ts --files a.ts,b.ts --tests test/a.test.ts
//     these files; also --only text, --jobs 2, --list
//
// Survivors are compared with survivors.json, where each is explained. Fails if one is not, or if
// more than 3 % survive.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { GROUPS } from './groups.ts'
import { mutantsOf, type Mutant } from './mutate.ts'

/** Timeout of a mutant that loops forever; it counts as killed, and is reported separately. */
const PATIENCE_IN_MS = 60_000
const MOST_SURVIVORS = 0.03

const say = (line: string) => process.stdout.write(`${line}\n`)
const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    files: { type: 'string' },
    tests: { type: 'string' },
    only: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    list: { type: 'boolean', default: false },
  },
})
const groups =
  values.files === undefined ? GROUPS : [{ files: values.files.split(','), tests: (values.tests ?? '').split(',') }]
const explained = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Record<
  string,
  string
>
const mutants = groups
  .flatMap(({ files, tests }) =>
    files.flatMap((path) =>
      mutantsOf(path, readFileSync(join(root, path), 'utf8')).map((mutant) => ({ path, tests, mutant })),
    ),
  )
  .filter(({ mutant }) => mutant.id.includes(values.only))

if (values.list) {
  for (const { mutant } of mutants) say(mutant.id)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

let killedByClock = 0

/** Why a test failed with the mutant in place, or undefined if none did. */
function failureOf(
  path: string,
  tests: readonly string[],
  mutant: Mutant | undefined,
  slot: number,
): Promise<string | undefined> {
  const file = join(folder, `mutant-${slot}.ts`)
  writeFileSync(file, mutant?.source ?? readFileSync(join(root, path)))
  const child = spawn(process.execPath, ['--conditions=hc-source', join(import.meta.dirname, 'quick.ts'), ...tests], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
    env: {
      ...process.env,
      HC_MUTANT_OF: join(root, path),
      HC_MUTANT: file,
      HC_FORGERIES: process.env['HC_FORGERIES'] ?? '3000',
      HC_MODEL_RUNS: process.env['HC_MODEL_RUNS'] ?? '150',
    },
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((settle) => {
    const timer = setTimeout(() => {
      killedByClock += 1
      said += `It had not ended after ${PATIENCE_IN_MS / 1000} s.`
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }, PATIENCE_IN_MS)
    child.on('close', (code) => {
      clearTimeout(timer)
      settle(code === 0 ? undefined : said)
    })
  })
}

if (mutants.length === 0) throw new Error('There is nothing to mutate; look at --files and --only.')

/** Without a mutant the tests must pass: a kill by a test that fails anyway proves nothing. */
async function mustPass(): Promise<void> {
  for (const { files, tests } of groups) {
    const failure = await failureOf(files[0] ?? '', tests, undefined, 0)
    if (failure !== undefined)
      throw new Error(`The tests fail without any mutant; mend them first: ${tests.join(', ')}\n${failure}`)
  }
}
await mustPass()

const survivors: Mutant[] = []
const started = performance.now()
let next = 0
await Promise.all(
  Array.from({ length: Number(values.jobs) }, async (_job, slot) => {
    for (;;) {
      const one = mutants[next]
      next += 1
      if (one === undefined) return
      if (next % 100 === 0) say(`${next} of ${mutants.length} …`)
      if ((await failureOf(one.path, one.tests, one.mutant, slot)) !== undefined) continue
      survivors.push(one.mutant)
      say(`survived  ${one.path}:${one.mutant.line}  ${one.mutant.id}`)
    }
  }),
)

await mustPass()
const unexplained = survivors.filter((mutant) => explained[mutant.id] === undefined)
const share = survivors.length / mutants.length
const seconds = Math.round((performance.now() - started) / 1000)
say(
  `${mutants.length} mutants, ${survivors.length} survived (${(share * 100).toFixed(1)} %), ${unexplained.length} of them unexplained, ${killedByClock} killed by the clock, ${seconds} s`,
)
for (const id of Object.keys(explained)) {
  const path = id.split(' · ')[0] ?? ''
  if (
    values.only === '' &&
    groups.some(({ files }) => files.includes(path)) &&
    !survivors.some((mutant) => mutant.id === id)
  ) {
    say(`no longer survives; take it out of survivors.json: ${id}`)
  }
}
process.exitCode = unexplained.length > 0 || share > MOST_SURVIVORS ? 1 : 0
