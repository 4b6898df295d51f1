// The peer: a server as people write it from a payment service's manual. Express,
// express-validator, axios; it signs synchronously from the PEM text and stores nothing. All its
// packages come from the given folder.
import { createSign, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { tellFigures } from './figures.ts'

interface ExpressResponse {
  status(code: number): ExpressResponse
  json(body: unknown): void
}
type Handler<Result = unknown> = (
  req: IncomingMessage & { body: Record<string, unknown> & { payer: { name: string; phone: string } } },
  res: ExpressResponse,
) => Result
interface Express {
  (): RequestListener & { use(handler: Handler): void; post(path: string, ...handlers: Handler[]): void }
  json(): Handler
}
interface Chain extends Handler {
  isInt(limits: object): Chain
  isLength(limits: object): Chain
  isIn(values: readonly string[]): Chain
  matches(pattern: RegExp): Chain
  trim(): Chain
}
interface Axios {
  post(url: string, body: object, config: { headers: Record<string, string> }): Promise<{ data: { data: Record<string, string> } }>
} // prettier-ignore

const [folder = '', upstream = ''] = process.argv.slice(2)
const load = createRequire(join(folder, 'package.json'))
const express = load('express') as Express
const axios = load('axios') as Axios
const { body, validationResult } = load('express-validator') as {
  body: (field: string) => Chain
  validationResult: (req: IncomingMessage) => { isEmpty(): boolean; array(): unknown[] }
}
const pem = readFileSync(new URL('../vectors/test-key.pem', import.meta.url), 'utf8')

let token: string | undefined
async function login(): Promise<string> {
  token ??= (await axios.post(`${upstream}/api/v2/auth/login`, {}, { headers: {} })).data.data['access_token'] ?? ''
  return token
}

const deposit: Handler<Promise<void>> = async (req, res) => {
  const errors = validationResult(req)
  if (!errors.isEmpty()) return res.status(422).json({ errors: errors.array() })
  const { amount, currency, payer } = req.body
  const reference = `HCT${randomBytes(11).toString('hex')}`
  const signature = createSign('SHA256')
    .update(`420001${reference}${String(currency)}${String(amount)}`)
    .sign(pem, 'base64')
  const order = {
    wallet_no: '1', reference, acc_name: payer.name, amount, currency, channel: 420001, description: 'x', result_url: 'https://x.example/w',
  } // prettier-ignore
  const headers = { signature, Authorization: `Bearer ${await login()}`, 'x-hash': 'h' }
  const answer = await axios.post(`${upstream}/api/v2/payment/`, order, { headers })
  const { redirect_url: checkoutUrl, transaction_id: transactionId } = answer.data.data
  res.status(201).json({ reference, transactionId, phase: 'open', checkoutUrl, amount, currency })
}

const app = express()
app.use(express.json())
app.post(
  '/v1/deposits',
  body('country').isIn(['KE', 'UG', 'TZ']),
  body('currency').isIn(['KES', 'UGX', 'TZS']),
  body('amount').isInt({ min: 10, max: 150000 }),
  body('payer.name').trim().isLength({ min: 2, max: 100 }),
  body('payer.phone').matches(/^\d{9,15}$/),
  // Express 5 answers for a rejected promise itself.
  // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- as said
  deposit,
)

const server = createServer(app)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', tellFigures)
