// Benchmark of deposits and webhooks a second: the companion, the bare program and the Express
// peer, interleaved; then the companion on one database against another.
import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { startPostgres } from '../helpers/postgres.ts'
import type { Figures } from './figures.ts'
import { startBuilt } from './built-server.ts'
import { filledPostgres, filledSqlite, openPayments } from './filled.ts'
import type { OpenPayment } from './filled.ts'
import { details, interleave, median, report } from './goals.ts'
import { WARM_SECONDS } from './load.ts'
import type { Load, LoadJob } from './load.ts'
import type { Options } from './options.ts'
import { installPeers } from './peers.ts'
import { startProgram } from './processes.ts'

type Kind = LoadJob['kind']
type Variant = 'ours' | 'bare' | 'bare-single' | 'express'
type Orders = LoadJob['orders']

interface Measured extends Omit<Load, 'sent'> {
  readonly peakMb: number
  /** CPU time of one request in microseconds, including the thread pool. */
  readonly cpuMicros: number
}

/** The companion's database, and the payments whose callbacks are sent. */
interface Prepared {
  readonly database: string
  readonly orders: Orders
}

/**
 * Creates run without the payment service's rate limit, to measure beyond it; webhooks run with a
 * merchant's limit, so that the queries they trigger are made as in production.
 */
const SETTINGS: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  deposit: { HC_RATE: '1000000' },
  webhook: { HC_RATE: '1500' },
}

let files = 0
const newFile = (options: Options): string => join(options.folder, `${(files += 1)}.db`)

interface Server {
  readonly port: number
  figures(): Promise<Figures> | Figures
  stop(): Promise<void>
}

async function startServer(options: Options, variant: Variant, kind: Kind, database: string, stub: string): Promise<Server> {
  if (variant === 'ours') return startBuilt(database, stub, SETTINGS[kind])
  const [file, args] =
    variant === 'express'
      ? ['./express-server.ts', [installPeers(), stub]]
      : ['./bare-server.ts', [newFile(options), stub, variant === 'bare' ? 'group' : 'single']]
  const program = await startProgram<{ port: number }>(file, args)
  return { port: program.ready.port, figures: () => program.ask<Figures>('figures'), stop: program.stop }
} // prettier-ignore

/** Measures one program under one load. */
async function measure(
  options: Options,
  variant: Variant,
  kind: Kind,
  clients: number,
  prepared: Prepared = { database: `file:${newFile(options)}`, orders: BARE_ORDERS },
): Promise<Measured> {
  const loader = await startProgram<{ stub: string }>('./load.ts')
  const { stub } = loader.ready
  const server = await startServer(options, variant, kind, prepared.database, stub)
  try {
    const url = `http://127.0.0.1:${server.port}`
    const before = await server.figures()
    const orders = kind === 'deposit' ? [] : prepared.orders
    const { sent, ...result } = await loader.ask<Load>({ url, clients, seconds: options.seconds, kind, orders })
    const { peak, cpu } = await server.figures()
    return { ...result, peakMb: peak / 1_048_576, cpuMicros: (cpu - before.cpu) / sent }
  } finally {
    await Promise.all([server.stop(), loader.stop()])
  }
}

const BARE_ORDERS: Orders = Array.from({ length: 500 }, (_, n) => ({
  path: '/v1/webhook/x',
  reference: `HCT${String(n).padStart(21, '0')}`,
}))

/**
 * More payments than callbacks in one measurement: each callback is the first of its payment, as
 * nearly all are.
 */
const ordersFor = (options: Options): number => Math.min(100_000, 14_000 * (options.seconds + WARM_SECONDS))

const ordersOf = (payments: readonly OpenPayment[]): Orders =>
  payments.map(({ path, reference }) => ({ path, reference }))

/** A SQLite file with open payments, copied for each measurement. */
async function sqliteCopies(options: Options, filled = 0, open = ordersFor(options)): Promise<() => Promise<Prepared>> {
  const path = newFile(options)
  if (filled > 0) await filledSqlite(path, filled)
  const orders = ordersOf(await openPayments(`file:${path}`, open))
  return async () => {
    const copy = newFile(options)
    copyFileSync(path, copy)
    // Otherwise gigabytes of the copy would be flushed to disk during the first measured seconds.
    const file = openSync(copy, 'r+')
    fsyncSync(file)
    closeSync(file)
    return { database: `file:${copy}`, orders }
  }
}

const rate = (rows: readonly Measured[]) => median(rows.map((row) => row.perSecond))
const tail = (rows: readonly Measured[]) => median(rows.map((row) => row.p99))

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
    if (express.length === 0) continue
    report(
      { what: `${what}, rate of Express`, ours: rate(ours), bare: rate(bare), peer: rate(express), unit: '/s', value: rate(ours) / rate(express), limit: ['at least', 1.5] },
      { what: `${what}, p99 of Express`, ours: tail(ours), bare: tail(bare), peer: tail(express), unit: 'ms', value: tail(ours) / tail(express), limit: ['at most', 1] },
    ) // prettier-ignore
  }
}

export async function webhookRates(options: Options): Promise<void> {
  const copy = await sqliteCopies(options)
  for (const clients of options.clients) {
    const run = (variant: Variant) => async () =>
      measure(options, variant, 'webhook', clients, variant === 'ours' ? await copy() : undefined)
    const result = await interleave(options.rounds, {
      bare: run('bare'),
      ours: run('ours'),
      ...(options.peers ? { 'one commit each': run('bare-single') } : {}),
    })
    const { bare, ours } = result
    const single = options.peers ? result['one commit each'] : []
    const what = `webhooks, ${clients} clients`
    details(`${what}, ${options.rounds} rounds of ${options.seconds} s: median (least-most)`, result)
    if (single.length === 0) continue
    report(
      { what: `${what}, rate of one commit each`, ours: rate(ours), bare: rate(bare), peer: rate(single), unit: '/s', value: rate(ours) / rate(single), limit: ['at least', 1] },
      { what: `${what}, p99 of one commit each`, ours: tail(ours), bare: tail(bare), peer: tail(single), unit: 'ms', value: tail(ours) / tail(single), limit: ['at most', 1] },
    ) // prettier-ignore
  }
}

type Copy = () => Promise<Prepared>

/** Compares the companion on two databases, for both kinds of work. */
async function compare(
  options: Options,
  base: readonly [string, Copy],
  other: readonly [string, Copy],
  least: number,
): Promise<void> {
  const clients = options.clients[0] ?? 50
  for (const kind of ['deposit', 'webhook'] as const) {
    const run = (copy: Copy) => async () => measure(options, 'ours', kind, clients, await copy())
    const rows = await interleave(options.rounds, { base: run(base[1]), other: run(other[1]) })
    const what = `${kind}s, ${clients} clients`
    details(`${what}, ${options.rounds} rounds of ${options.seconds} s: median (least-most)`, {
      [base[0]]: rows.base,
      [other[0]]: rows.other,
    })
    const [ours, peer] = [rate(rows.other), rate(rows.base)]
    report({ what: `${what}, ${other[0]} of ${base[0]}`, ours, peer, unit: '/s', value: ours / peer, limit: ['at least', least] }) // prettier-ignore
  }
}

/** PostgreSQL over a pool of 8 connections, on the machine of the companion. */
export async function postgresRates(options: Options): Promise<void> {
  const clients = options.clients[0] ?? 50
  const server = await startPostgres()
  try {
    const copy = await postgresCopies(server, async (url) => ordersOf(await openPayments(url, ordersFor(options) / 2)))
    for (const kind of ['deposit', 'webhook'] as const) {
      const rows = await interleave(options.rounds, {
        PostgreSQL: async () => measure(options, 'ours', kind, clients, await copy()),
      })
      const what = `${kind}s, ${clients} clients, PostgreSQL`
      details(`${what}, ${options.rounds} rounds of ${options.seconds} s: median (least-most)`, rows)
      const ours = rate(rows.PostgreSQL)
      report({ what, ours, unit: '/s', value: ours, limit: ['at least', 500] })
    }
  } finally {
    await server.stop()
  }
}

type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Makes a database once, and copies it as a template for each measurement. */
async function postgresCopies(server: Postgres, make: (url: string) => Promise<Orders>): Promise<Copy> {
  const url = await server.freshDatabase()
  const template = new URL(url).pathname.slice(1)
  const orders = await make(url)
  let copies = 0
  return async () => {
    const name = `${template}_${(copies += 1)}`
    await server.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
    await server.query('CHECKPOINT')
    return { database: url.replace(template, name), orders }
  }
}

const FEW = 1000
/**
 * Open payments besides the stored ones; after one round the callbacks are repeats, on both
 * databases.
 */
const OPEN = 10_000

/** After years of use: a million stored payments against a thousand. */
export async function storedRates(options: Options): Promise<void> {
  const few = await sqliteCopies(options, FEW, OPEN)
  const many = await sqliteCopies(options, options.stored, OPEN)
  await compare(options, [`${FEW} stored`, few], [`${options.stored} stored`, many], 0.9)
}

/** The same on PostgreSQL. Not part of the default run: filling takes minutes. */
export async function storedPostgresRates(options: Options): Promise<void> {
  const server = await startPostgres()
  const filled = (count: number) =>
    postgresCopies(server, async (url) => {
      await filledPostgres(url, count)
      return ordersOf(await openPayments(url, OPEN))
    })
  try {
    const [few, many] = [await filled(FEW), await filled(options.stored)]
    await compare(options, [`PostgreSQL, ${FEW} stored`, few], [`${options.stored} stored`, many], 0.9)
  } finally {
    await server.stop()
  }
}
