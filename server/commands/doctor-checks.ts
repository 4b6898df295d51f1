// The doctor's single looks. Each answers what it saw and, where something is wrong, what to do; none throws, none prints a secret.
import { createHash, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createCapabilities, newReference } from '../deposits/identity.ts'
import { countries } from '../deposits/markets.ts'
import type { CountryCode, CurrencyCode } from '../contract/index.ts'
import type { Deposit } from '../deposits/deposit.ts'
import type { Settings } from '../settings.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { CommandIo } from './io.ts'

export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail' | 'skip'
  readonly says: string
}

/** Payments made here of each currency, newest first. */
export type RecentPayments = ReadonlyMap<CurrencyCode, readonly Deposit[]>

const TIMEOUT_MS = 10_000

/** Of all currencies. */
export const newestFirst = (recent: RecentPayments): readonly Deposit[] =>
  [...recent.values()].flat().toSorted((a, b) => b.createdAt - a.createdAt)

/** Closes it whatever `work` meets: one connection left open keeps the program from ending. */
export async function withStore<Found>(databaseUrl: string, work: (store: Store) => Promise<Found>): Promise<Found> {
  const store = await openStore(databaseUrl, { migrate: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** A signature has no date, but tokens, notices and our estimates of the 15 minutes do. */
export async function checkClock(settings: Pick<Settings, 'authUrl'>, io: CommandIo): Promise<Check[]> {
  const name = 'clock'
  const before = io.now()
  let date: string | null
  try {
    const response = await io.fetch(settings.authUrl, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    date = response.headers.get('date')
  } catch {
    return [{ name, state: 'skip', says: 'the service at HC_AUTH_URL does not answer, so its clock cannot be seen' }]
  }
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return [{ name, state: 'skip', says: 'the service sends no Date header' }]
  // The header counts whole seconds: half a second is its middle.
  const skew = Math.round(((before + io.now()) / 2 - (theirs + 500)) / 1000)
  if (Math.abs(skew) <= 5) return [{ name, state: 'ok', says: `within 5 s of the service` }]
  const says = `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the service; let this machine follow NTP (timedatectl set-ntp true)`
  return [{ name, state: Math.abs(skew) > 60 ? 'fail' : 'warn', says }]
}

export function checkKeyPair(settings: Pick<Settings, 'privateKey'>, file: string | undefined): Check[] {
  const name = 'key pair'
  const ours = createPublicKey(settings.privateKey).export({ type: 'spki', format: 'der' })
  const print = createHash('sha256').update(ours).digest('hex').slice(0, 16)
  if (file === undefined) {
    return [
      { name, state: 'skip', says: `public half has SHA-256 ${print}…; compare with the portal by --public-key FILE` },
    ]
  }
  let theirs: Buffer
  try {
    theirs = createPublicKey(readFileSync(file, 'utf8')).export({ type: 'spki', format: 'der' })
  } catch {
    return [{ name, state: 'fail', says: `${file} cannot be read as a public key in PEM` }]
  }
  if (ours.equals(theirs)) return [{ name, state: 'ok', says: `HC_PRIVATE_KEY belongs to ${file}` }]
  return [
    {
      name,
      state: 'fail',
      says: `HC_PRIVATE_KEY does not belong to ${file}: upload the public half of this key in the portal`,
    },
  ]
}

/**
 * Login, the bank list of each market, and a signed query for each wallet.
 * @param recent payments of ours: of one that the service has given an id, it must know.
 */
export async function checkService(settings: Settings, upstream: Upstream, recent: RecentPayments): Promise<Check[]> {
  await upstream.warmUp().catch(() => {})
  const { login, detail, addressRefused } = upstream.health()
  if (addressRefused)
    return [
      {
        name: 'login',
        state: 'fail',
        says: 'the service does not let this address in: have it put on the allow-list of the portal',
      },
    ]
  if (login !== 'ok') {
    const says =
      login === 'refused'
        ? `refused (${detail ?? 'no reason given'}): check HC_CONSUMER_KEY and HC_CONSUMER_SECRET`
        : 'the service at HC_AUTH_URL does not answer: check the address and the network'
    return [{ name: 'login', state: 'fail', says }]
  }
  const checks: Check[] = [{ name: 'login', state: 'ok', says: 'the service gave a token' }]
  const offered = (Object.keys(countries) as CountryCode[]).filter(
    (country) => settings.wallets[countries[country][1]] !== undefined,
  )
  const counted: string[] = []
  for (const country of offered) {
    try {
      counted.push(`${country} ${(await upstream.banks(country)).length}`)
    } catch {
      checks.push({
        name: 'banks',
        state: 'warn',
        says: `the list of ${country} cannot be read; payments there go on without it`,
      })
    }
  }
  if (counted.length > 0) checks.push({ name: 'banks', state: 'ok', says: counted.join(', ') })
  for (const [currency, walletNo] of Object.entries(settings.wallets) as [CurrencyCode, string][]) {
    const known = recent.get(currency)?.find(({ transactionId }) => transactionId !== undefined)
    checks.push(await checkQuery(settings, upstream, walletNo, known, `query ${currency}`))
  }
  return checks
}

/** A payment that the service has given an id must be found; without one, "not found" at least proves the signature. */
async function checkQuery(
  settings: Settings,
  upstream: Upstream,
  walletNo: string,
  known: { reference: string; walletNo: string } | undefined,
  name: string,
): Promise<Check> {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const made = newReference(settings.paymentMode, random, Date.now())
  const outcome = await upstream.query(known ?? { walletNo, reference: made })
  if (outcome.kind === 'path_missing') {
    const says = `the service has no ${settings.queryPath} (${outcome.status}): set HC_QUERY_PATH as your contract says`
    return { name, state: settings.confirm === 'query' ? 'fail' : 'warn', says }
  }
  if (outcome.kind === 'failed') {
    const keys = 'HC_PRIVATE_KEY, its public half in the portal, and this wallet'
    // Without an answer the key is not to blame.
    const check =
      outcome.reason === 'invalid_signature' ? keys : `HC_BASE_URL and the network; if the service did answer, ${keys}`
    return { name, state: 'fail', says: `not accepted (${outcome.reason}): check ${check}` }
  }
  if (known === undefined) {
    return outcome.kind === 'not_found'
      ? { name, state: 'ok', says: 'a signed query is understood (no payment there yet to ask about)' }
      : {
          name,
          state: 'fail',
          says: 'the service answers for a reference that does not exist: its word proves nothing',
        }
  }
  return outcome.kind === 'found'
    ? { name, state: 'ok', says: `the service knows ${known.reference}` }
    : {
        name,
        state: 'fail',
        says: `the service does not know ${known.reference}, which it gave an id: check HC_QUERY_PATH, HC_BASE_URL and the account`,
      }
}

/** Why a fetch failed: the code of the system in brackets, where there is one; `isUnsafe` when it was TLS or the certificate. */
export function faultOf(error: unknown): { reason: string; isUnsafe: boolean } {
  const code = ((error as Error).cause as { code?: unknown } | undefined)?.code
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return { reason, isUnsafe: /CERT|SSL|TLS|EPROTO|UNABLE_TO/.test(reason) }
}

/** The way in. Seen from this machine: a firewall that lets us in and the service out is not noticed here. */
export async function checkAddresses(settings: Settings, io: CommandIo): Promise<Check[]> {
  const checks: Check[] = []
  let fault: unknown = {}
  const ask = async (path: string): Promise<Response | undefined> => {
    const headers = settings.opsToken === undefined ? {} : { authorization: `Bearer ${settings.opsToken}` }
    return io
      .fetch(`${settings.publicUrl}${path}`, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
      .catch((error: unknown) => {
        fault = error
        return undefined
      })
  }
  const health = await ask('/healthz')
  if (health?.status !== 200 || health.headers.get('x-request-id') === null) {
    const name = 'public address'
    const { reason, isUnsafe } = faultOf(fault)
    if (isUnsafe) {
      const says = `no safe connection to HC_PUBLIC_URL${reason}: the certificate must be valid for that name, with its whole chain (nginx: fullchain.pem), or the payment service and phones refuse it`
      return [{ name, state: 'fail', says }]
    }
    const saw = `${health === undefined ? 'nothing answers' : `something else answered (${health.status})`} at HC_PUBLIC_URL${reason}`
    return [{ name, state: 'fail', says: `${saw}: is the companion started, and does the proxy lead to it?` }]
  }
  checks.push({ name: 'public address', state: 'ok', says: 'HC_PUBLIC_URL leads to a companion' })
  const hook = await ask('/v1/webhook/doctor')
  const ours = hook?.headers.get('content-type')?.startsWith('application/problem+json') === true
  checks.push(
    ours
      ? { name: 'webhook', state: 'ok', says: 'the webhook path reaches the companion through HC_PUBLIC_URL' }
      : {
          name: 'webhook',
          state: 'fail',
          says: 'the path /v1/webhook does not reach the companion: the proxy answers itself',
        },
  )
  const ready = await ask('/readyz')
  const body = (await ready?.json().catch(() => undefined)) as
    | { checks?: { name: string; ok: boolean; detail?: string }[] }
    | undefined
  for (const check of body?.checks ?? []) {
    if (!check.ok)
      checks.push({ name: 'readiness', state: 'fail', says: `${check.name}: ${check.detail ?? 'not ready'}` })
  }
  if (ready?.status === 200) checks.push({ name: 'readiness', state: 'ok', says: '/readyz is green' })
  else if (body?.checks === undefined)
    checks.push({ name: 'readiness', state: 'warn', says: '/readyz is not green; its details need HC_OPS_TOKEN' })
  return checks
}

/** Ms within which the first event of a stream has to arrive; a proxy that buffers holds it back for far longer. */
const FIRST_EVENT_MS = 5_000

/** Opens the stream of the newest payment that is not over, with a token derived here, and waits for its first event. */
export async function checkStream(settings: Settings, recent: RecentPayments, io: CommandIo): Promise<Check[]> {
  const name = 'event stream'
  // One that is over for ever ends its stream at once, and the end of an answer empties every buffer.
  const deposit = newestFirst(recent).find(({ phase }) => phase !== 'succeeded' && phase !== 'rejected')
  if (deposit === undefined)
    return [{ name, state: 'skip', says: 'needs a payment that is not over: start one, then run this again' }]
  const token = createCapabilities(settings.secret, settings.previousSecret).depositToken(
    deposit.id,
    deposit.generation,
  )
  const cut = new AbortController()
  const timer = setTimeout(() => cut.abort(), FIRST_EVENT_MS)
  try {
    const response = await io.fetch(`${settings.publicUrl}/v1/deposits/${deposit.id}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'accept-encoding': 'gzip' },
      signal: cut.signal,
    })
    if (!response.ok)
      return [
        {
          name,
          state: 'fail',
          says: `answered ${response.status}: does HC_PUBLIC_URL lead to the companion of this database?`,
        },
      ]
    if (response.headers.has('content-encoding'))
      return [
        {
          name,
          state: 'warn',
          says: 'the proxy compresses event streams, which delays them: switch that off for text/event-stream',
        },
      ]
    for await (const chunk of response.body!) {
      if (new TextDecoder().decode(chunk).includes('event: deposit'))
        return [{ name, state: 'ok', says: 'events arrive at once' }]
    }
    return [{ name, state: 'fail', says: 'the stream ended without an event' }]
  } catch {
    return [
      {
        name,
        state: 'fail',
        says: `no event within ${FIRST_EVENT_MS / 1000} s: a proxy holds the stream back (nginx: proxy_buffering off, as in the operations page)`,
      },
    ]
  } finally {
    clearTimeout(timer)
    cut.abort()
  }
}
