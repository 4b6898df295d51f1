// The service's own endpoints: login, bank list, deposit creation and status query. service.md
// "Endpoints".
import { Hono, type Context } from 'hono'
import { timingSafeEqual } from 'node:crypto'
import { serviceDate } from '../engine/clock.ts'
import { answer, ServiceError } from '../engine/envelope.ts'
import type { Endpoint, FaultSwitches } from '../engine/faults.ts'
import { JsonTextError, readJson, type JsonValue } from '../engine/json-text.ts'
import { CURRENCIES, MARKETS } from '../engine/markets.ts'
import type { Merchant, Merchants } from '../engine/merchants.ts'
import { readBankQuestion, readLogin, readPayment, readStatusQuestion, CHANNEL } from '../engine/payment-request.ts'
import type { RateLimit } from './rate.ts'
import { peerOf } from './peer.ts'
import { readBody } from './request-body.ts'
import { isSignedBy } from '../engine/signatures.ts'
import type { DepositCreation } from './deposit-creation.ts'
import { TOKEN_LIFE_IN_SECONDS, type Tokens } from '../engine/tokens.ts'
import type { Transactions } from '../engine/transactions.ts'

interface Parts {
  readonly now: () => number
  readonly publicUrl: string
  readonly allowHttpResultUrl: boolean
  readonly merchants: Merchants
  readonly tokens: Tokens
  readonly transactions: Transactions
  readonly creation: DepositCreation
  readonly faults: FaultSwitches
  readonly rate: RateLimit
  /**
   * Resolves when the sandbox's clock or the real one has advanced by so many milliseconds, or when
   * the caller has left.
   */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>
}

const FAULT_TIMEOUT_IN_MS = 30_000

export function serviceRoutes(parts: Parts): Hono {
  const { now, merchants, tokens, transactions, faults, rate } = parts
  const app = new Hono()

  const limit = (who: string): void => {
    const seconds = rate.take(who)
    if (seconds > 0)
      throw new ServiceError(429, 'Rate limit exceeded.', { headers: { 'Retry-After': String(seconds) } })
  }

  const bearer = (c: Context): { merchant: Merchant; tokenId: string } => {
    const token = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(c.req.header('Authorization') ?? '')?.[1]
    const row = token === undefined ? undefined : tokens.find(token)
    limit(row?.business_id ?? 'unknown')
    const merchant = row && merchants.get(row.business_id)
    if (!row || !merchant?.enabled) {
      throw new ServiceError(401, 'Unauthorized.', { headers: { 'WWW-Authenticate': 'Bearer' } })
    }
    return { merchant, tokenId: row.id }
  }

  const json = async (c: Context): Promise<JsonValue> => {
    const type = (c.req.header('Content-Type') ?? '').toLowerCase()
    if (!/^application\/json *(; *charset="?utf-8"? *)?$/.test(type))
      throw new ServiceError(415, 'Unsupported media type.')
    if (c.req.header('Content-Encoding') !== undefined) throw new ServiceError(415, 'Unsupported content encoding.')
    const bytes = await readBody(c)
    try {
      return readJson(bytes)
    } catch (error) {
      if (error instanceof JsonTextError)
        throw new ServiceError(400, `Malformed JSON. ${error.message}.`, { cause: error })
      throw error
    }
  }

  const checkSignature = (c: Context, merchant: Merchant, header: string, text: string, refusal: string): void => {
    const key = merchant.public_key
    if (key === null || !isSignedBy(key, text, c.req.header(header) ?? '')) throw new ServiceError(401, refusal)
  }

  /**
   * Registers an endpoint, with what all of them share: allow-list, Accept check, latency and the
   * active faults.
   */
  const endpoint = (path: string, name: Endpoint, work: (c: Context) => Promise<Response>): void => {
    app.post(path, async (c) => {
      const { ip_allow_list, latency_ms, query_path_missing } = faults.get()
      const address = peerOf(c) ?? ''
      if (ip_allow_list.length > 0 && !ip_allow_list.includes(address))
        throw new ServiceError(403, 'IP address not allowed.')
      const accept = c.req.header('Accept') ?? '*/*'
      if (!/(^|,|\s)(\*\/\*|application\/(json|\*))/i.test(accept)) throw new ServiceError(406, 'Not acceptable.')
      if (latency_ms > 0) await parts.wait(latency_ms, c.req.raw.signal)
      if (name === 'query' && query_path_missing !== false) return missingPath(c, query_path_missing)
      if (faults.hit('rate_limited', name))
        throw new ServiceError(429, 'Rate limit exceeded.', { headers: { 'Retry-After': '2' } })
      if (faults.hit('server_error', name)) throw new ServiceError(500, 'Internal server error.')
      const response = await work(c)
      if (faults.hit('timeout', name)) {
        await parts.wait(FAULT_TIMEOUT_IN_MS, c.req.raw.signal)
        throw new ServiceError(504, 'Gateway timeout.')
      }
      return faults.hit('cut', name) ? cutOff(c) : response
    })
  }

  endpoint('/api/v2/auth/login', 'login', async (c) => {
    const { consumer_key, consumer_secret } = readLogin(await json(c))
    const { merchant, retired } = merchants.byConsumerKey(consumer_key)
    limit(merchant?.business_id ?? 'unknown')
    const good = merchant !== undefined && sameText(merchant.consumer_secret, consumer_secret)
    // open-points.md "Login 400 or 401": a disabled or rotated key is 401, a wrong one 400.
    if (retired || (good && !merchant.enabled)) throw new ServiceError(401, 'Unauthorized.')
    if (!good) throw new ServiceError(400, 'Invalid credentials.')
    const access_token = tokens.issue(merchant.business_id)
    return answer(c, 'Success', { access_token, token_type: 'bearer', expires_in: TOKEN_LIFE_IN_SECONDS })
  })

  endpoint('/api/v2/banks/get-by-country', 'banks', async (c) => {
    bearer(c)
    const market = MARKETS.get(readBankQuestion(await json(c)).country_code)
    if (!market) throw new ServiceError(400, 'Invalid country code.')
    return answer(c, 'Successfully initiated', market.banks)
  })

  const create = async (c: Context): Promise<Response> => {
    const { merchant, tokenId } = bearer(c)
    const request = readPayment(await json(c), parts.allowHttpResultUrl)
    if (!CURRENCIES.includes(request.currency)) throw new ServiceError(400, 'Unsupported currency.')
    const signed = `${CHANNEL}${request.reference}${request.currency}${request.amount}`
    checkSignature(c, merchant, 'Signature', signed, 'Invalid signature.')
    checkSignature(c, merchant, 'x-hash', merchant.business_id, 'Invalid x-hash.')
    const wallet = merchants.wallet(request.wallet_no)
    if (wallet?.business_id !== merchant.business_id) throw new ServiceError(400, 'Wallet not found.')
    if (wallet.currency !== request.currency) throw new ServiceError(400, 'Wallet does not match currency.')
    if (!wallet.allocated) throw new ServiceError(403, `Channel ${CHANNEL} is not allocated to this wallet.`)
    const transaction = await parts.creation.create(merchant, tokenId, request, c.req.raw.signal)
    return answer(c, 'Successfully initiated', {
      transaction_id: transaction.transaction_id,
      reference: transaction.reference,
      status: transaction.status,
      status_description: transaction.status_description,
      amount: Number(transaction.amount),
      currency: transaction.currency,
      redirect_url: `${parts.publicUrl}/checkout/${transaction.session}`,
      date: serviceDate(transaction.created_at, faults.get().date_24_hours),
    })
  }
  endpoint('/api/v2/payment/', 'create', create)
  endpoint('/api/v2/payment', 'create', create)

  endpoint('/api/v2/payment/status-query', 'query', async (c) => {
    const { merchant } = bearer(c)
    const { wallet_no, by, id } = readStatusQuestion(await json(c))
    checkSignature(c, merchant, 'Signature', `${wallet_no}${id}`, 'Invalid signature.')
    const transaction = transactions.find(merchant.business_id, wallet_no, by, id)
    if (!transaction) throw new ServiceError(404, 'Transaction not found.')
    const behind = transaction.query_sees_from !== null && now() < transaction.query_sees_from
    return answer(c, 'Successfully fetched', {
      acc_name: transaction.acc_name,
      acc_no: transaction.acc_no,
      description: transaction.description,
      transaction_id: transaction.transaction_id,
      reference: transaction.reference,
      status: behind ? 'PENDING' : transaction.status,
      status_description: behind ? 'Pending' : transaction.status_description,
      date: serviceDate(transaction.created_at, faults.get().date_24_hours),
    })
  })

  return app
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** As a web server in front of the service answers for a missing path: no envelope. */
function missingPath(c: Context, status: true | 404 | 405 | 501): Response {
  const code = status === true ? 404 : status
  // RFC 9110, 10.2.1: empty where no method is allowed.
  if (code === 405) c.header('Allow', '')
  return c.html(`<html><head><title>${code}</title></head><body><center><h1>${code}</h1></center></body></html>`, code)
}

/** Closes the connection without a response. */
function cutOff(c: Context): Response {
  const env = c.env as { outgoing?: { destroy(): void } } | undefined
  env?.outgoing?.destroy()
  return new Response(
    new ReadableStream({ start: (controller) => controller.error(new Error('The connection was cut.')) }),
  )
}
