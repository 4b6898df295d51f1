// The bare program for streams: handwritten server-sent events on node:http. A change is one
// durable commit, then the event is written.
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tellFigures } from './figures.ts'
import { bareStore } from './group-commit.ts'

const [file = ':memory:'] = process.argv.slice(2)
const store = bareStore(file, 'CREATE TABLE IF NOT EXISTS d (id TEXT PRIMARY KEY, version INTEGER, body TEXT) WITHOUT ROWID', {
  group: true,
}) // prettier-ignore
const write = store.db.prepare(
  'INSERT INTO d VALUES (?, 2, ?) ON CONFLICT (id) DO UPDATE SET version = version + 1 RETURNING version',
)
const streams = new Map<string, ServerResponse>()

const server = createServer((req, res) => {
  const id = (req.url ?? '').split('/')[3] ?? ''
  res.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  res.write(`retry: 2000\n\nid: 1\nevent: deposit\ndata: ${JSON.stringify({ id, version: 1, phase: 'open' })}\n\n`)
  streams.set(id, res)
  res.on('close', () => streams.delete(id))
})
server.listen(0, '127.0.0.1')

async function change(id: string): Promise<void> {
  const view = { id, version: 2, phase: 'open', amount: 2500, currency: 'KES' }
  await store.commit(() => {
    view.version = (write.get(id, JSON.stringify(view)) as { version: number }).version
  })
  streams.get(id)?.write(`id: ${view.version}\nevent: deposit\ndata: ${JSON.stringify(view)}\n\n`)
}

const control = createServer((req, res) => {
  change((req.url ?? '').slice(1)).then(
    () => res.writeHead(200, { 'content-length': 2 }).end('{}'),
    (error: unknown) => res.writeHead(500).end(String(error)),
  )
})
// As in our-server.ts.
control.keepAliveTimeout = 0
control.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, control: (control.address() as AddressInfo).port })
})
process.on('message', tellFigures)
