// The bare program to compare with: only node:http. A deposit: two durable group commits, one
// RSA-2048 signature, one upstream call. A webhook: parse, HMAC, one durable commit before 200.
import { createHmac, createPrivateKey, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tellFigures } from './figures.ts'
import { bareStore } from './group-commit.ts'

const [file = ':memory:', upstream = '', grouping = 'group'] = process.argv.slice(2)
const key = createPrivateKey(readFileSync(new URL('../vectors/test-key.pem', import.meta.url)))
const store = bareStore(
  file,
  `CREATE TABLE IF NOT EXISTS d (id TEXT PRIMARY KEY, ref TEXT UNIQUE, phase TEXT, amount INTEGER, currency TEXT, body TEXT, url TEXT, tx TEXT) WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS w (id TEXT PRIMARY KEY, ref TEXT, body BLOB) WITHOUT ROWID;`,
  { group: grouping === 'group' },
)
const insert = store.db.prepare(
  "INSERT INTO d (id, ref, phase, amount, currency, body) VALUES (?, ?, 'creating', ?, ?, ?)",
)
const update = store.db.prepare("UPDATE d SET phase = 'open', url = ?, tx = ? WHERE id = ? AND phase = 'creating'")
const inbox = store.db.prepare('INSERT OR IGNORE INTO w (id, ref, body) VALUES (?, ?, ?)')
const agent = new Agent({ keepAlive: true, maxSockets: 256 })

function body(message: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => resolve(Buffer.concat(chunks)))
    message.on('error', reject)
  })
}

function signed(text: string): Promise<string> {
  return new Promise((resolve, reject) =>
    sign('sha256', Buffer.from(text), key, (error, value) =>
      error ? reject(error) : resolve(value.toString('base64')),
    ),
  )
}

function post(path: string, payload: string, headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const out = request(
      `${upstream}${path}`,
      {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload), ...headers },
      },
      (answer) => {
        body(answer).then(resolve, reject)
      },
    )
    out.on('error', reject)
    out.end(payload)
  })
}

function answer(res: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  res.end(text)
}

async function deposit(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const raw = await body(req)
  const input = JSON.parse(raw.toString()) as { amount: number; currency: string; payer: { name: string } }
  if (!Number.isInteger(input.amount) || input.amount < 1 || input.payer.name.length < 2)
    return answer(res, 422, { error: 'invalid' })
  const id = randomBytes(16).toString('hex')
  const reference = `HCT${randomBytes(11).toString('hex')}`
  await store.commit(() => void insert.run(id, reference, input.amount, input.currency, raw))
  const signature = await signed(`420001${reference}${input.currency}${input.amount}`)
  const payload = JSON.stringify({
    wallet_no: '1',
    reference,
    acc_name: input.payer.name,
    amount: input.amount,
    currency: input.currency,
    channel: 420001,
    description: 'x',
    result_url: 'https://x.example/w',
  })
  const created = JSON.parse(
    (await post('/api/v2/payment/', payload, { signature, authorization: 'Bearer t', 'x-hash': 'h' })).toString(),
  ) as { data: { redirect_url: string; transaction_id: string } }
  await store.commit(() => void update.run(created.data.redirect_url, created.data.transaction_id, id))
  answer(res, 201, {
    id,
    reference,
    phase: 'open',
    checkoutUrl: created.data.redirect_url,
    amount: input.amount,
    currency: input.currency,
  })
}

const order = [
  'channel',
  'reference',
  'transaction_id',
  'third_party_id',
  'currency',
  'amount',
  'fees',
  'acc_name',
  'result_code',
  'result_description',
]

async function webhook(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const raw = await body(req)
  const input = JSON.parse(raw.toString()) as Record<string, string>
  const mac = createHmac('sha256', 'ck_bench_key')
    .update(order.map((name) => String(input[name])).join(''))
    .digest()
  const given = Buffer.from(input['hash'] ?? '', 'hex')
  if (given.length !== 32 || !timingSafeEqual(mac, given)) return answer(res, 401, {})
  await store.commit(
    () =>
      void inbox.run(
        `${input['reference']}${input['transaction_id']}${randomBytes(4).toString('hex')}`,
        input['reference'],
        raw,
      ),
  )
  answer(res, 200, { received: true })
}

createServer((req, res) => {
  const url = req.url ?? ''
  const work = url.startsWith('/v1/webhook') ? webhook(req, res) : deposit(req, res)
  work.catch((error: unknown) => answer(res, 500, { error: String(error) }))
}).listen(0, '127.0.0.1', function (this: import('node:net').Server) {
  process.send?.({ port: (this.address() as { port: number }).port })
})
process.on('message', tellFigures)
