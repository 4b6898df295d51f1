// `npm run bench`: deposits and webhooks of the companion beside bare programs, interleaved in one run. Prints medians and ratios;
// asserts nothing. Options: --rounds 3 --seconds 4 --clients 50,200.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { callbackBody } from './load.ts'
import type { Result } from './load.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '50,200' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const folder = mkdtempSync(join(tmpdir(), 'hc-bench-'))
const here = (name: string) => new URL(name, import.meta.url)
let files = 0

function once<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`A process of the benchmark ended with ${code}.`)))
  })
}

interface Row extends Result {
  readonly peakMb: number
}

type Kind = 'deposit' | 'webhook'
type Variant = 'ours' | 'bare' | 'bare-single'

async function measure(kind: Kind, variant: Variant, clients: number): Promise<Row> {
  const loader = fork(here('load.ts'))
  const { stub } = await once<{ stub: string }>(loader)
  const file = join(folder, `${files++}.db`)
  const server =
    variant === 'ours'
      ? fork(here('our-server.ts'), [`file:${file}`, stub], {
          execArgv: ['--conditions=hc-source'],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
      : fork(here('bare-server.ts'), [kind, file, stub, variant === 'bare' ? 'group' : 'single'])
  try {
    const { port } = await once<{ port: number }>(server)
    const url = `http://127.0.0.1:${port}`
    const bodies = kind === 'webhook' ? await callbacks(variant, server, url) : undefined
    loader.send({ url, clients, seconds, kind, bodies })
    const result = await once<Result>(loader)
    server.send('memory')
    const { peak } = await once<{ peak: number }>(server)
    return { ...result, peakMb: peak / 1_048_576 }
  } finally {
    server.removeAllListeners('exit')
    loader.removeAllListeners('exit')
    server.kill('SIGKILL')
    loader.kill('SIGKILL')
  }
}

/** Genuine callbacks for stored deposits: made by the server's own side, since the address holds a derived key. */
async function callbacks(
  variant: Variant,
  server: ChildProcess,
  url: string,
): Promise<{ path: string; body: string }[]> {
  if (variant !== 'ours') {
    return Array.from({ length: 4000 }, (_, n) => ({
      path: '/v1/webhook/x',
      body: callbackBody(`HCT${String(n).padStart(21, '0')}`, `CP${n}`, 'ck_bench_key', '50'),
    }))
  }
  const references: string[] = []
  for (let n = 0; n < 500; n++) {
    const response = await fetch(`${url}/v1/deposits`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
        'x-forwarded-for': `10.9.${n % 250}.${Math.floor(n / 250)}`,
      },
      body: JSON.stringify({
        country: 'KE',
        currency: 'KES',
        amount: 2500,
        payer: { name: 'Achieng Otieno', phone: '254712345678' },
      }),
    })
    references.push(((await response.json()) as { reference: string }).reference)
  }
  server.send({ webhooks: references })
  return (await once<{ bodies: { path: string; body: string }[] }>(server)).bodies
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

async function compare(kind: Kind, variants: readonly Variant[], clients: number): Promise<void> {
  const rows = new Map<Variant, Row[]>(variants.map((variant) => [variant, []]))
  for (let round = 0; round < rounds; round++)
    for (const variant of variants) rows.get(variant)?.push(await measure(kind, variant, clients))
  const middle = (variant: Variant, of: (row: Row) => number) => median((rows.get(variant) ?? []).map(of))
  const rate = middle('bare', (row) => row.perSecond)
  const tail = middle('bare', (row) => row.p99)
  console.log(`\n${kind}s, ${clients} clients, median of ${rounds} rounds of ${seconds} s`)
  console.table(
    Object.fromEntries(
      variants.map((variant) => [
        variant,
        {
          'per s': Math.round(middle(variant, (row) => row.perSecond)),
          'of bare': Number((middle(variant, (row) => row.perSecond) / rate).toFixed(2)),
          'p50 ms': Number(middle(variant, (row) => row.p50).toFixed(1)),
          'p99 ms': Number(middle(variant, (row) => row.p99).toFixed(1)),
          'p99 of bare': Number((middle(variant, (row) => row.p99) / tail).toFixed(2)),
          'peak MB': Math.round(middle(variant, (row) => row.peakMb)),
          bad: middle(variant, (row) => row.bad),
        },
      ]),
    ),
  )
}

try {
  for (const clients of values.clients.split(',').map(Number)) {
    await compare('deposit', ['bare', 'ours'], clients)
    await compare('webhook', ['bare', 'bare-single', 'ours'], clients)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
