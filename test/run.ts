// `npm test`: every suite, quiet on success, whole output on failure; the last line is the total.
// With arguments, as in `npm test -- test/deposit.test.ts`, only those files.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildConsoleIfStale } from '../demo/console-pages.ts'
import { buildDocsIfStale } from '../demo/docs-site.ts'
import { buildPagesIfStale } from '../demo/page-build.ts'
import { buildWidgetIfStale } from '../demo/widget-bundle.ts'
import { addCounts, countsLine, elementCounts, type Counts } from './helpers/test-counts.ts'
import { RUNNING, stillRunning } from './helpers/running-tests.ts'
import { bin, run, SUITE_PATIENCE_MS } from './helpers/run-quietly.ts'

const named = process.argv.slice(2)
/** These run in a browser, by a runner of their own. */
const elements = named.filter((file) => /^(\.\/)?test\/element\b/.test(file))
const others = named.filter((file) => !elements.includes(file))
const total: Counts = { passed: 0, failed: 0, skipped: 0 }

try {
  await buildWidgetIfStale((line) => console.log(line))
  await Promise.all([
    buildPagesIfStale((line) => console.log(line)),
    buildConsoleIfStale((line) => console.log(line)),
    // Each system of the browser tests builds the documentation if it is stale. Two at once would
    // mix their files, and one whose test has ended would be cut off.
    named.length === 0 ? buildDocsIfStale() : undefined,
  ])
} catch (error) {
  console.error((error as Error).message)
  total.failed++
}
if (named.length === 0) console.log('All suites: ten to twenty minutes on two cores, and quiet until each has ended.')
// Beside each other: the element tests mostly wait.
await Promise.all([
  elements.length === 0 || others.length > 0 ? add('Server, system and pure tests', vitest(others)) : undefined,
  elements.length > 0 || named.length === 0 ? add('Element tests', elementTests(elements)) : undefined,
])

console.log(countsLine(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

async function add(name: string, suite: Promise<Suite>): Promise<void> {
  const { counts, seconds, output } = await suite
  addCounts(total, counts)
  if (counts.failed > 0) console.error(output)
  console.log(`${name}: ${countsLine(counts)} (${seconds.toFixed(0)} s)`)
}

interface Suite {
  counts: Counts
  seconds: number
  output: string
}

async function vitest(files: readonly string[]): Promise<Suite> {
  const folder = mkdtempSync(join(tmpdir(), 'hc-test-'))
  const report = join(folder, 'report.json')
  const running = join(folder, 'running')
  const { code, output, seconds, ended } = await run(
    bin('vitest'),
    [
      'run',
      '--silent=passed-only',
      '--reporter=default',
      '--reporter=json',
      '--reporter=./test/helpers/running-tests.ts',
      `--outputFile.json=${report}`,
      ...files,
    ],
    // What one process has compiled, the hundreds after it read.
    { env: { NODE_COMPILE_CACHE: join(folder, 'compiled'), [RUNNING]: running }, patience: SUITE_PATIENCE_MS },
  )
  const hung = ended ? stillRunning(running) : ''
  const counts = existsSync(report) ? readReport(report) : { passed: 0, failed: 0, skipped: 0 }
  rmSync(folder, { recursive: true, force: true })
  // A file that does not load, or an error outside a test, fails no test of its own.
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return { counts, seconds, output: output + hung }
}

function readReport(file: string): Counts {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    testResults: { status: string; assertionResults: { status: string }[] }[]
  }
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status, assertionResults } of report.testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed++
      else if (test.status === 'failed') counts.failed++
      else counts.skipped++
    }
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed++
  }
  return counts
}

async function elementTests(files: readonly string[]): Promise<Suite> {
  const folder = mkdtempSync(join(tmpdir(), 'hc-test-'))
  const running = join(folder, 'running')
  const { code, output, seconds } = await run(bin('wtr'), files.length > 0 ? ['--files', ...files] : [], {
    env: { [RUNNING]: running },
    patience: SUITE_PATIENCE_MS,
  })
  // A test that has ended is in it no more, so what is left has hung, whether the runner or we have
  // ended it.
  const hung = stillRunning(running)
  rmSync(folder, { recursive: true, force: true })
  const counts = elementCounts(output)
  // No count, or a fault outside the tests (an axe or a coverage threshold, a page that crashed):
  // never green.
  if ((code !== 0 && counts.failed === 0) || counts.passed + counts.failed === 0) counts.failed++
  return { counts, seconds, output: output + hung }
}
