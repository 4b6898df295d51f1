// `npm run test:outside`: what needs more than this repository installs. The client as npm packs
// it is installed in an empty folder, weighed, compiled against, and run on each runtime that it
// names; all of them come from npm. Whole shops are built from the packed packages and paid in a
// browser. What cannot be obtained fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeListener } from '../server/node.ts'
import { signatureHeaders } from '../server/notices/send-notice.ts'
import { order, shopBackend } from './client/shop-backend.ts'
import { keys } from './helpers/create-test-system.ts'
import { endAll, endWithUs } from './helpers/end-with-us.ts'
import { freePort } from './helpers/free-port.ts'
import { bin, root, run } from './helpers/run-quietly.ts'
import { countsLine, type Counts } from './helpers/test-counts.ts'
import { takenByPromtool } from './outside/prometheus.ts'
import { expressShop, nextShop, phpShop, pythonShop, reactShop } from './outside/shops.ts'
import { tracedCompanion } from './outside/traces.ts'

/** What the README says of the installed client. */
const MOST_BYTES = 1_000_000
const RUNTIMES = {
  bun: 'bun@1.4.5',
  deno: 'deno@2.9.6',
  'node-minimum': 'node-minimum@npm:node@22.14.0',
  workerd: 'workerd@1.20261117.1',
} as const

/** `npm run test:outside -- PHP`: only the steps with that in their name. */
const wanted = process.argv[2]
const total: Counts = { passed: 0, failed: 0, skipped: 0 }
const folder = mkdtempSync(join(tmpdir(), 'hc-outside-'))
const shop = join(folder, 'shop')
const runtimes = join(folder, 'runtimes')

// Also when it is told to end.
process.on('exit', () => {
  endAll()
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
})
for (const place of [shop, runtimes]) {
  mkdirSync(place)
  writeFileSync(join(place, 'package.json'), '{ "private": true, "type": "module" }')
}
const runtimesCame = step('the runtimes come from npm', obtained)
const arePacked = await step('the packages are packed, and the client is installed', installed)
const shops = { folder, tarballs: tarballs(), must }
// Two at once: on both sides there is much waiting.
await Promise.all([largeShops(), theClient().then(plainShops)])
console.log(countsLine(total))
process.exitCode = total.failed > 0 ? 1 : 0

async function theClient(): Promise<void> {
  if (arePacked) {
    await step(`the client has no native code, and less than ${MOST_BYTES} bytes with what it needs`, weighed)
    await step('a backend in TypeScript compiles against it, its declarations too', compiled)
    await runtimesCame
    await onEachRuntime()
  }
  await step('promtool: the alert rules, and the figures of /metrics', takenByPromtool)
  await step('PHP and Python: their clients, by their interpreters', inOtherLanguages)
}

async function largeShops(): Promise<void> {
  if (!arePacked) return
  await step('a shop with Vite, React and Express, in two terminals', () => reactShop(shops))
  await step('a shop with Next.js', () => nextShop(shops))
}

async function plainShops(): Promise<void> {
  if (!arePacked) return
  await step('a shop with Express and plain HTML', () => expressShop(shops))
  await step('a shop with plain PHP', () => phpShop(shops))
  await step('a shop with plain Python', () => pythonShop(shops))
  await step('OpenTelemetry: the spans of a payment, and no key in them', () => tracedCompanion(shops))
}

/** Counts a step, which fails by throwing. */
async function step(name: string, work: () => Promise<string | void>): Promise<boolean> {
  if (wanted !== undefined && !/packed/.test(name) && !name.includes(wanted)) return false
  const started = performance.now()
  const seconds = () => `(${((performance.now() - started) / 1000).toFixed(1)} s)`
  try {
    const said = await work()
    console.log(`ok      ${name}${said === undefined ? '' : `: ${said}`} ${seconds()}`)
    total.passed++
    return true
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.log(`FAILED  ${name} ${seconds()}`)
    total.failed++
    return false
  }
}

async function must(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { code, output } = await run(command, args, { cwd, env, patience: 600_000 })
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

async function installed(): Promise<void> {
  const packages = ['widget', 'server/client', 'demo/sandbox', 'server'].flatMap((place) => ['-w', place])
  await must('npm', ['pack', '--silent', '--pack-destination', folder, ...packages], root)
  const client = tarballs().find((path) => path.includes('hc-checkout-client-')) ?? ''
  await must('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', client], shop)
  cpSync(join(import.meta.dirname, 'outside'), shop, { recursive: true })
}

function tarballs(): string[] {
  return globSync('*.tgz', { cwd: folder }).map((name) => join(folder, name))
}

async function obtained(): Promise<void> {
  await must('npm', ['install', '--no-audit', '--no-fund', ...Object.values(RUNTIMES)], runtimes)
}

async function weighed(): Promise<string> {
  const files = globSync('**/*', { cwd: join(shop, 'node_modules'), withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const native = files.filter(({ name }) => /\.(node|so|dylib|dll|wasm|gyp)$/.test(name))
  if (native.length > 0) throw new Error(`Native: ${native.map(({ name }) => name).join(', ')}.`)
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  if (bytes === 0 || bytes >= MOST_BYTES) throw new Error(`It has ${bytes} bytes.`)
  return `${bytes} bytes`
}

async function compiled(): Promise<void> {
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--types',
    '',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
  ]
  await must(bin('tsc'), [...options, '--module', 'nodenext', 'types.ts'], shop)
}

async function onEachRuntime(): Promise<void> {
  const { system, client, pay } = await shopBackend()
  const listener = nodeListener(system.companion)
  const server = createServer((request, response) => void listener(request, response)).listen(0, '127.0.0.1')
  try {
    await once(server, 'listening')
    for (const orderId of ['P-1', 'P-2']) {
      await pay((await client.sessions.create(order(orderId))).token)
      // Else they have one time, and the list either order.
      await system.advance(1)
    }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const closed = `http://127.0.0.1:${await freePort()}`
    const own = join(runtimes, 'node_modules')
    const commands = [
      ['Node 22.14', join(own, 'node-minimum/bin/node'), []],
      ['Node 24', process.execPath, []],
      ['Bun', join(own, '.bin/bun'), ['run']],
      [
        'Deno',
        join(own, '.bin/deno'),
        ['run', '--no-prompt', '--allow-env=GIVEN', '--allow-net=127.0.0.1', '--node-modules-dir=manual'],
      ],
    ] as const
    for (const [name, command, args] of commands)
      await step(`${name}: sessions, payments, errors, notices`, async () => {
        const given = givenTo(`R-${name}`, { url, closed })
        const output = await must(command, [...args, 'backend.mjs'], shop, { GIVEN: JSON.stringify(given) })
        const expected = JSON.stringify(doneFor(given.orderId))
        if (output.trim() !== expected) throw new Error(`It has printed\n${output}\nin place of\n${expected}`)
      })
    await step('Workers (workerd): sessions, payments, errors, notices', () => inWorkerd({ url, closed }))
  } finally {
    server.closeAllConnections()
    server.close()
    await system.close()
  }
}

async function inWorkerd(at: { readonly url: string; readonly closed: string }): Promise<void> {
  await must(bin('vite'), ['build', '--config', 'worker.config.js', '--logLevel', 'error'], shop)
  const given = givenTo('R-workerd', at)
  const address = `127.0.0.1:${await freePort()}`
  const worker = spawn(
    join(runtimes, 'node_modules/.bin/workerd'),
    ['serve', 'workerd.capnp', `--socket-addr=http=${address}`],
    {
      cwd: shop,
      env: { PATH: process.env['PATH'], GIVEN: JSON.stringify(given) },
      detached: true,
    },
  )
  const end = endWithUs(worker)
  let said = ''
  for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  try {
    const output = await answerOf(`http://${address}/`, () => worker.exitCode !== null || worker.signalCode !== null)
    const expected = JSON.stringify(doneFor(given.orderId))
    if (output !== expected) throw new Error(`It has answered\n${output}\nin place of\n${expected}\n${said}`)
  } finally {
    end()
  }
}

/** The first answer, or why there will be none. */
async function answerOf(url: string, hasEnded: () => boolean): Promise<string> {
  for (let tries = 0; tries < 1200 && !hasEnded(); tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer !== undefined) return answer.text()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return 'nothing'
}

/** The suite's own tests of them, which it skips where an interpreter is missing. */
async function inOtherLanguages(): Promise<void> {
  const report = join(folder, 'report.json')
  const docs = ['client', 'notice', 'session'].map((name) => `test/docs/${name}.test.ts`)
  const files = ['test/client/other-languages.test.ts', 'test/notices/receivers.test.ts', ...docs]
  const only = ['--testNamePattern', 'php|PHP|py|Python']
  await must(bin('vitest'), ['run', '--reporter=json', `--outputFile=${report}`, ...only, ...files], root)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { status: string; fullName: string }[] }[]
  }
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const named = tests.filter(({ fullName }) => /php|py/i.test(fullName))
  const missed = named.filter(({ status }) => status !== 'passed')
  if (missed.length > 0) throw new Error(`Not run:\n${missed.map(({ fullName }) => fullName).join('\n')}`)
  for (const language of [/php/i, /py/i])
    if (!named.some(({ fullName }) => language.test(fullName))) throw new Error(`There is no test of ${language}.`)
}

function givenTo(orderId: string, at: { readonly url: string; readonly closed: string }) {
  const data = { paymentId: 'dep_1', orderId, amount: 2500, currency: 'KES', version: 4, mode: 'test' }
  const body = JSON.stringify({ type: 'payment.succeeded', timestamp: new Date().toISOString(), data })
  const headers = signatureHeaders({ id: 'msg_1', body }, [keys.notifySecret], Date.now())
  const forged = { headers, body: body.replace('2500', '1') }
  return { ...at, orderId, key: keys.merchantKey, secret: keys.notifySecret, genuine: { headers, body }, forged }
}

function doneFor(orderId: string): object {
  return {
    session: 'open',
    same: true,
    refused: ['invalid_request', 'amount'],
    wrongKey: 'bearer_wrong',
    unreachable: 'network',
    listed: ['P-2', 'P-1'],
    believed: [orderId, 'forged'],
    statuses: [204, 204, 401],
    credited: [orderId],
  }
}
