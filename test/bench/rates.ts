// Deposits and webhooks a second: the companion beside the bare program and the server that people write by hand, interleaved.
import { join } from 'node:path'
import type { Figures } from './figures.ts'
import { details, interleave, median, report } from './goals.ts'
import type { Load, LoadJob } from './load.ts'
import { installPeers } from './peers.ts'
import { startProgram } from './processes.ts'
import { depositRequest } from './load.ts'
import type { Options } from './options.ts'
import { openWire, targetOf } from './wire.ts'

type Kind = LoadJob['kind']
type Variant = 'ours' | 'bare' | 'bare-single' | 'express'

interface Measured extends Omit<Load, 'sent'> {
  readonly peakMb: number
  /** Microseconds of processor for one request, thread pool included. */
  readonly cpuMicros: number
}

let files = 0

/** One program, one load, then both end. `database` is for ours; the bare program has a new file each time. */
async function measure(
  options: Options,
  variant: Variant,
  kind: Kind,
  clients: number,
  database?: string,
): Promise<Measured> {
  const loader = await startProgram<{ stub: string }>('./load.ts')
  const { stub } = loader.ready
  const file = join(options.folder, `rate-${(files += 1)}.db`)
  const server =
    variant === 'ours'
      ? await startProgram<{ port: number }>('./our-server.ts', [database ?? `file:${file}`, stub])
      : variant === 'express'
        ? await startProgram<{ port: number }>('./express-server.ts', [installPeers(), stub])
        : await startProgram<{ port: number }>('./bare-server.ts', [
            file,
            stub,
            variant === 'bare' ? 'group' : 'single',
          ])
  try {
    const url = `http://127.0.0.1:${server.ready.port}`
    const orders = kind === 'deposit' ? [] : variant === 'ours' ? await oursOf(server, url) : bareOrders()
    const before = await server.ask<Figures>('figures')
    const { sent, ...result } = await loader.ask<Load>({
      url,
      clients,
      seconds: options.seconds,
      kind,
      orders,
    } satisfies LoadJob)
    const { peak, cpu } = await server.ask<Figures>('figures')
    return { ...result, peakMb: peak / 1_048_576, cpuMicros: (cpu - before.cpu) / sent }
  } finally {
    await Promise.all([server.stop(), loader.stop()])
  }
}

function bareOrders() {
  return Array.from({ length: 500 }, (_, n) => ({
    path: '/v1/webhook/x',
    reference: `HCT${String(n).padStart(21, '0')}`,
  }))
}

/** Payments that were really started, and the addresses their callbacks come to, which hold a derived key. */
export async function oursOf(
  server: { ask<T>(message: unknown): Promise<T> },
  url: string,
  count = 500,
): Promise<{ path: string; reference: string }[]> {
  const references: string[] = []
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const wire = openWire(targetOf(url))
      for (let n = 0; n < count / 10; n += 1) {
        const { status, body } = await wire.send(depositRequest())
        if (status !== 201) throw new Error(`A payment could not be started: ${status} ${body}`)
        references.push((JSON.parse(body) as { reference: string }).reference)
      }
      wire.close()
    }),
  )
  return server.ask({ references })
}

const rate = (rows: readonly Measured[]) => median(rows.map((row) => row.perSecond))
const tail = (rows: readonly Measured[]) => median(rows.map((row) => row.p99))
const peak = (rows: readonly Measured[]) => median(rows.map((row) => row.peakMb))

export async function depositRates(options: Options): Promise<void> {
  for (const clients of options.clients) {
    const run = (variant: Variant) => () => measure(options, variant, 'deposit', clients)
    const result = await interleave(options.rounds, {
      bare: run('bare'),
      ours: run('ours'),
      ...(options.peers ? { express: run('express') } : {}),
    })
    const { bare, ours } = result
    const express = options.peers ? result.express : []
    const what = `deposits, ${clients} clients`
    details(`${what}, ${options.rounds} rounds of ${options.seconds} s: median (least-most)`, result)
    const [ourRate, bareRate] = [rate(ours), rate(bare)]
    report(
      { what: `${what}, rate of bare`, ours: ourRate, bare: bareRate, unit: '/s', value: ourRate / bareRate, limit: ['at least', 0.75] },
      { what: `${what}, p99 of bare`, ours: tail(ours), bare: tail(bare), unit: 'ms', value: tail(ours) / tail(bare), limit: ['at most', 1.5] },
      ...(express.length === 0
        ? []
        : ([
            { what: `${what}, rate of Express`, ours: ourRate, peer: rate(express), unit: '/s', value: ourRate / rate(express), limit: ['at least', 3] },
            { what: `${what}, peak memory of Express`, ours: peak(ours), peer: peak(express), unit: 'MB', value: peak(ours) / peak(express), limit: ['at most', 0.9] },
          ] as const)),
    ) // prettier-ignore
  }
}

export async function webhookRates(options: Options): Promise<void> {
  for (const clients of options.clients) {
    const run = (variant: Variant) => () => measure(options, variant, 'webhook', clients)
    const result = await interleave(options.rounds, {
      bare: run('bare'),
      ours: run('ours'),
      ...(options.peers ? { 'one commit each': run('bare-single') } : {}),
    })
    const { bare, ours } = result
    const single = options.peers ? result['one commit each'] : []
    const what = `webhooks, ${clients} clients`
    details(`${what}, ${options.rounds} rounds of ${options.seconds} s: median (least-most)`, result)
    report(
      { what: `${what}, rate of bare`, ours: rate(ours), bare: rate(bare), unit: '/s', value: rate(ours) / rate(bare), limit: ['at least', 0.6] },
      { what: `${what}, p99 of bare`, ours: tail(ours), bare: tail(bare), unit: 'ms', value: tail(ours) / tail(bare), limit: ['at most', 2] },
      ...(single.length === 0
        ? []
        : ([
            { what: `${what}, rate of one commit each`, ours: rate(ours), peer: rate(single), unit: '/s', value: rate(ours) / rate(single), limit: ['at least', 3] },
          ] as const)),
    ) // prettier-ignore
  }
}

/** The companion on one database beside the companion on another, for both kinds of work. */
export async function compareDatabases(
  options: Options,
  names: { readonly base: string; readonly other: string },
  open: (name: 'base' | 'other') => Promise<string | undefined>,
  least: number,
): Promise<void> {
  const clients = options.clients[0] ?? 50
  for (const kind of ['deposit', 'webhook'] as const) {
    const run = (name: 'base' | 'other') => async () => measure(options, 'ours', kind, clients, await open(name))
    const { base, other } = await interleave(options.rounds, { base: run('base'), other: run('other') })
    const what = `${kind}s, ${clients} clients`
    details(`${what}: median (least-most)`, { [names.base]: base, [names.other]: other })
    report({
      what: `${what}, ${names.other} of ${names.base}`,
      ours: rate(other),
      peer: rate(base),
      unit: '/s',
      value: rate(other) / rate(base),
      limit: ['at least', least],
    })
  }
}
