// Runs the companion as a merchant does, in a separate process for the benchmarks, controlled over
// Node's channel; its log is written as always, and discarded.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCompanion } from '../../server/node.ts'
import { createCapabilities } from '../../server/deposits/identity.ts'
import { tellFigures } from './figures.ts'
import { benchEnv, SECRET } from './settings.ts'

const [database = 'file::memory:', upstream = '', given = '{}'] = process.argv.slice(2)
const running = await startCompanion(benchEnv(database, upstream, JSON.parse(given) as Record<string, string>))
const { store } = running

/**
 * Writes a change of a watched deposit as the mover would, which reads again if another was faster:
 * `POST /ID`.
 */
async function change(id: string): Promise<void> {
  const row = await store.deposit(id)
  if (row === undefined) throw new Error(`No deposit ${id}.`)
  const moved = { ...row, version: row.version + 1, updatedAt: Date.now() }
  const line = { depositId: id, at: moved.updatedAt, kind: 'bench', phase: moved.phase, version: moved.version }
  const { applied } = await store.apply({ deposit: { row: moved, expect: row.version, before: row }, timeline: [line] })
  if (!applied) await change(id)
}

const control = createServer((req, res) => {
  change((req.url ?? '').slice(1)).then(
    () => res.writeHead(200, { 'content-length': 2 }).end('{}'),
    (error: unknown) => res.writeHead(500).end(String(error)),
  )
})
// A request on a connection that is being closed for idleness is not answered, and counted as a
// change that nobody saw.
control.keepAliveTimeout = 0
await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))

process.send?.({ port: Number(new URL(running.url).port), control: (control.address() as AddressInfo).port })
process.on('message', (message: 'figures' | 'collect' | { references: string[] }) => {
  if (typeof message === 'object') {
    const capabilities = createCapabilities(SECRET)
    process.send?.(
      message.references.map((reference) => ({ reference, path: `/v1/webhook/${capabilities.webhookKey(reference)}` })),
    )
  } else tellFigures(message)
})
