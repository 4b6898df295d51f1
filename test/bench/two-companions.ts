// Benchmark of two companions on one PostgreSQL: one gets the callback, the customer watches at the
// other. How soon does the change arrive?
import { startPostgres } from '../helpers/postgres.ts'
import { openPayments } from './filled.ts'
import { details, median, percentile, report } from './goals.ts'
import type { Options } from './options.ts'
import { pause, startProgram } from './processes.ts'
import { callbackBody } from './settings.ts'
import { openStream } from './stream-load.ts'
import { openWire, requestText } from './wire.ts'

const PAYMENTS = 200
const PER_SECOND = 40

interface Measured {
  readonly confirmingP50: number
  readonly confirmingP99: number
  readonly succeededP50: number
  readonly succeededP99: number
  readonly unseen: number
}

async function measure(database: string): Promise<Measured> {
  const payments = await openPayments(database, PAYMENTS)
  const stub = await startProgram<{ stub: string }>('./load.ts', ['SUCCESS'])
  const start = () => startProgram<{ port: number }>('./our-server.ts', [database, stub.ready.stub])
  const [a, b] = [await start(), await start()]
  const confirming: number[] = []
  const succeeded: number[] = []
  try {
    const rung = new Map<string, number>()
    const close = await Promise.all(
      payments.map(({ id, token }, number) =>
        openStream({ id, token }, b.ready.port, number, (event) => {
          const since = performance.now() - (rung.get(id) ?? Number.NaN)
          if (event.includes('"phase":"confirming"')) confirming.push(since)
          if (event.includes('"phase":"succeeded"')) succeeded.push(since)
        }),
      ),
    )
    const wires = Array.from({ length: 8 }, () => openWire({ host: '127.0.0.1', port: a.ready.port }))
    // The first request opens the connection, and is not measured.
    await Promise.all(wires.map((wire) => wire.send(requestText('GET', '/healthz', {}))))
    for (const [n, { id, path, reference }] of payments.entries()) {
      const request = requestText('POST', path, {}, callbackBody(reference, '50'))
      rung.set(id, performance.now())
      void wires[n % wires.length]?.send(request)
      await pause(1000 / PER_SECOND)
    }
    for (let waited = 0; succeeded.length < PAYMENTS && waited < 5000; waited += 100) await pause(100)
    for (const end of close) end()
    for (const wire of wires) wire.close()
  } finally {
    await Promise.all([a.stop(), b.stop(), stub.stop()])
  }
  const [first, last] = [confirming.toSorted((x, y) => x - y), succeeded.toSorted((x, y) => x - y)]
  return {
    confirmingP50: percentile(first, 0.5),
    confirmingP99: percentile(first, 0.99),
    succeededP50: percentile(last, 0.5),
    succeededP99: percentile(last, 0.99),
    unseen: PAYMENTS - last.length,
  }
}

export async function twoCompanions(options: Options): Promise<void> {
  const server = await startPostgres()
  const rows: Measured[] = []
  try {
    for (let round = 0; round < options.rounds; round += 1) rows.push(await measure(await server.freshDatabase()))
  } finally {
    await server.stop()
  }
  details('callback at A, stream at B, in ms: median (least-most)', { ours: rows })
  const row = (what: string, figure: number, unit: string, most: number) =>
    ({ what: `two companions, ${what}`, ours: figure, unit, value: figure, limit: ['at most', most] }) as const
  report(
    row('callback at A seen at B p99', median(rows.map((one) => one.confirmingP99)), 'ms', 250),
    row('success proven and seen at B p99', median(rows.map((one) => one.succeededP99)), 'ms', 250),
    row('successes not seen', Math.max(...rows.map((one) => one.unseen)), '', 0),
  )
}
