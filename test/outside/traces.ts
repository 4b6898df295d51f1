// OpenTelemetry beside the packed companion, by the file that the package brings: which spans a
// payment makes, and that none shows the address of a payment's page or callback.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { createClient } from '../../server/client/index.ts'
import { kenyanDeposit, keys, newKey } from '../helpers/create-test-system.ts'
import { endWithUs } from '../helpers/end-with-us.ts'
import { freePorts } from '../helpers/free-port.ts'
import type { Packed } from './shops.ts'

const OTEL = ['sdk-node@0.301.0', 'instrumentation-http@0.301.0', 'instrumentation-undici@0.34.0']
const PATIENCE_MS = 120_000
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 2: of a request that came; 3: of a call that was made. */
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[]
}

export async function tracedCompanion({ folder, tarballs, must }: Packed): Promise<string> {
  const cwd = join(folder, 'traced')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = OTEL.map((name) => `@opentelemetry/${name}`)
  await must('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, ...packages], cwd)

  const spans: Span[] = []
  const told: (string | undefined)[] = []
  async function collect(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.url === '/v1/traces') spans.push(...spansIn(body))
    if (request.url === '/notices') told.push(request.headers['traceparent'] as string | undefined)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }
  const collector = createServer((request, response) => void collect(request, response))
  collector.listen(0, '127.0.0.1')
  await once(collector, 'listening')
  const [port = 0, sandboxPort = 0] = await freePorts(2)
  const programs: ChildProcess[] = []
  let said = ''
  const open = (args: readonly string[], env: Record<string, string>): void => {
    const { PATH, HOME, TMPDIR } = process.env
    const program = spawn(process.execPath, args, { cwd, env: { PATH, HOME, TMPDIR, ...env }, detached: true })
    endWithUs(program)
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
    programs.push(program)
  }
  const until = async (what: string, isSo: () => Promise<boolean> | boolean): Promise<void> => {
    for (const end = performance.now() + PATIENCE_MS; !(await isSo()); await wait(100))
      if (performance.now() > end || programs.some(({ exitCode }) => exitCode !== null))
        throw new Error(
          `Not reached: ${what}.\n${said}\n${spans.map(({ kind, name }) => `${kind} ${name}`).join('\n')}`,
        )
  }
  try {
    const collected = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const companion = `http://127.0.0.1:${port}`
    const own = 'node_modules/hc-checkout-server'
    open([`${own}/program.js`, 'sandbox', '--port', String(sandboxPort)], {})
    await until('the sandbox listens', async () => answers(`http://127.0.0.1:${sandboxPort}/openapi.json`))
    open(['--import', `./${own}/deploy/tracing.mjs`, `${own}/program.js`, 'start'], {
      ...(parseEnv(readFileSync(join(cwd, '.hc/sandbox-companion.env'), 'utf8')) as Record<string, string>),
      HC_DATABASE_URL: 'file:companion.db',
      HC_PUBLIC_URL: companion,
      HC_ALLOWED_ORIGINS: companion,
      HC_PORT: String(port),
      HC_SECRET: keys.secret,
      HC_MERCHANT_KEY: keys.merchantKey,
      HC_NOTIFY_SECRET: keys.notifySecret,
      HC_NOTIFY_URL: `${collected}/notices`,
      OTEL_EXPORTER_OTLP_ENDPOINT: collected,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    })
    await until('the companion listens', async () => answers(`${companion}/healthz`))

    const client = createClient({ url: companion, key: keys.merchantKey })
    const order = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Lamp' } as const
    const { token, payUrl } = await client.sessions.create(order, { traceparent: TRACEPARENT })
    await fetch(payUrl)
    const payer = { name: 'Achieng Otieno', phone: '254700000001' }
    await fetch(`${companion}/v1/deposits`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': newKey() },
      body: JSON.stringify(kenyanDeposit({ session: token, payer, bankCode: undefined })),
    })
    await until('the notice has come', () => told.length > 0)
    if (told[0] !== TRACEPARENT) throw new Error(`The notice came with the trace ${told[0]}.`)

    const came = (name: string) => spans.find((span) => span.kind === 2 && span.name === name)
    const called = (path: string) =>
      spans.find(({ kind, attributes }) => kind === 3 && attributes.some(({ value }) => value.stringValue === path))
    for (const name of ['POST /v1/sessions', 'GET /pay/-', 'POST /v1/deposits', 'POST /v1/webhook/-'])
      await until(`the span ${name}`, () => came(name) !== undefined)
    for (const path of ['/api/v2/payment/', '/api/v2/payment/status-query'])
      await until(`the span of the call ${path}`, () => called(path) !== undefined)
    if (came('POST /v1/sessions')?.traceId !== TRACE) throw new Error('The span is not of the trace that was given.')
    if (called('/api/v2/payment/')?.traceId !== came('POST /v1/deposits')?.traceId)
      throw new Error('The call of the service is not of the trace of the request.')
    const capability = /\/(pay|v1\/webhook)\/(?!-")[^"]/
    const shown = spans.filter((span) => capability.test(JSON.stringify(span)))
    if (shown.length > 0)
      throw new Error(`These show an address that is a key:\n${JSON.stringify(shown, undefined, 2)}`)
    return `${spans.length} spans`
  } finally {
    for (const program of programs.filter(({ exitCode }) => exitCode === null)) {
      program.kill()
      await once(program, 'close')
    }
    collector.closeAllConnections()
    collector.close()
  }
}

function spansIn(body: string): Span[] {
  const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
}

const answers = async (url: string): Promise<boolean> => (await fetch(url).catch(() => undefined))?.ok === true
