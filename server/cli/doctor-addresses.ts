// What `doctor` finds when it calls the companion from outside, through HC_PUBLIC_URL: that it
// answers, and that no proxy holds its streams back.
import { createCapabilities } from '../deposits/identity.ts'
import type { ReadinessBody } from '../http/openapi-endpoints.ts'
import type { Settings } from '../settings/settings.ts'
import {
  type Check,
  fail,
  newestFirst,
  ok,
  type RecentPayments,
  skip,
  TIMEOUT_MS,
  unreached,
  warn,
} from './doctor-checks.ts'
import type { CommandIo } from './io.ts'

/** Calls a path of the companion; undefined, with the fault, when there is no answer. */
type Ask = (
  path: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<{ readonly response: Response | undefined; readonly fault?: unknown }>

/**
 * Checks the public addresses from this machine, which sees no firewall that blocks the service
 * alone.
 */
export async function checkAddresses(settings: Settings, io: CommandIo): Promise<Check[]> {
  const ops: Readonly<Record<string, string>> =
    settings.opsToken === undefined ? {} : { authorization: `Bearer ${settings.opsToken}` }
  const ask: Ask = (path, headers = ops) =>
    io
      .fetch(`${settings.publicUrl}${path}`, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
      .then(
        (response) => ({ response }),
        (fault: unknown) => ({ response: undefined, fault }),
      )
  const reached = await checkReached(ask)
  if (reached.state !== 'ok') return [reached]
  const paths = [await checkWebhook(ask), await checkAuthorization(ask), await checkWidget(ask)]
  return [reached, ...paths, ...(await checkReadiness(ask, settings))]
}

/**
 * A browser follows its payment by a token in the header Authorization. No payment has this id and
 * no token is this one, so the companion calls the token wrong if it arrives.
 */
async function checkAuthorization(ask: Ask): Promise<Check> {
  const name = 'authorization'
  const { response } = await ask('/v1/deposits/doctor', { authorization: 'Bearer doctor' })
  const problem = (await response?.json().catch(() => undefined)) as { code?: unknown } | undefined
  switch (problem?.code) {
    case 'bearer_wrong':
      return ok(name, 'the header Authorization reaches the companion')
    case 'bearer_missing':
      return fail(name, withoutAuthorization('does not reach the companion: a proxy removes it'))
    case 'bearer_malformed':
      return fail(name, withoutAuthorization('reaches the companion with other content: a proxy replaces it'))
    default: {
      const saw = response === undefined ? 'nothing answers' : `something else answered (${response.status})`
      return fail(name, `${saw} where a payment is read (/v1/deposits): the proxy answers itself`)
    }
  }
}

const withoutAuthorization = (what: string): string =>
  `the header Authorization ${what}. Customers can start payments, but not see them: have every proxy ` +
  'pass it on unchanged, and ask for no password of its own; see the page about proxies'

async function checkReached(ask: Ask): Promise<Check> {
  const name = 'public address'
  const { response, fault } = await ask('/healthz')
  if (response?.status === 200 && response.headers.get('x-request-id') !== null)
    return ok(name, 'HC_PUBLIC_URL leads to a companion')
  const silent = 'is the companion started, and does the proxy lead to it?'
  if (response !== undefined)
    return fail(name, `something else answered (${response.status}) at HC_PUBLIC_URL: ${silent}`)
  const unsafe =
    'the certificate must be valid for that name, with its whole chain (nginx: fullchain.pem), or the payment ' +
    'service and phones refuse it'
  return fail(name, unreached('HC_PUBLIC_URL', fault, { unsafe, silent }))
}

async function checkWebhook(ask: Ask): Promise<Check> {
  const name = 'webhook'
  const { response } = await ask('/v1/webhook/doctor')
  return response?.headers.get('content-type')?.startsWith('application/problem+json') === true
    ? ok(name, 'the webhook path reaches the companion through HC_PUBLIC_URL')
    : fail(name, 'the path /v1/webhook does not reach the companion: the proxy answers itself')
}

/** No failure: a page may take the script from elsewhere. */
async function checkWidget(ask: Ask): Promise<Check> {
  const name = 'widget'
  const { response } = await ask('/widget/v1/hc-checkout.js', {})
  const type = response?.headers.get('content-type') ?? ''
  await response?.body?.cancel()
  if (response?.status === 200 && type.startsWith('text/javascript'))
    return ok(name, 'the script of the card is served')
  return warn(
    name,
    `the script of the card is not served (${response?.status ?? 'no answer'} for /widget/v1/hc-checkout.js): install ` +
      'hc-checkout beside hc-checkout-server, and let the proxy pass /widget on. If your page takes it from ' +
      'elsewhere, all is well',
  )
}

/** What follows where nothing else guards /metrics. */
const openMetrics = ', and with a proxy on this machine anybody may read /metrics until HC_OPS_TOKEN is set'

async function checkReadiness(ask: Ask, { publicUrl, opsToken }: Settings): Promise<Check[]> {
  const { response } = await ask('/readyz')
  const body = (await response?.json().catch(() => undefined)) as ReadinessBody | undefined
  // What is red, and what is green and has something to say nevertheless.
  const worthTelling = (body?.checks ?? []).filter((check) => !check.ok || check.detail !== undefined)
  const checks = worthTelling.map((check) =>
    (check.ok ? warn : fail)('readiness', `${check.name}: ${check.detail ?? 'not ready'}`),
  )
  if (body?.untrustedProxy !== undefined)
    checks.push(
      warn(
        'proxy',
        `requests come through ${body.untrustedProxy}, which is not in HC_TRUSTED_PROXIES: if it is your ` +
          'proxy, name it there; until then all customers count as one address',
      ),
    )
  // The companion itself speaks no TLS, so there is a proxy.
  if (body?.forwardedFor === false && publicUrl.startsWith('https:'))
    checks.push(
      warn(
        'proxy',
        'the proxy sends no X-Forwarded-For: all customers count as one address' +
          `${opsToken === undefined ? openMetrics : ''}. ` +
          'Have it set the header (HAProxy: option forwardfor)',
      ),
    )
  if (response?.status === 200) checks.push(ok('readiness', '/readyz is green'))
  else if (body?.checks === undefined)
    checks.push(warn('readiness', '/readyz is not green; its details need HC_OPS_TOKEN'))
  if (body?.checks === undefined)
    checks.push(skip('proxy', 'whether it is in HC_TRUSTED_PROXIES only HC_OPS_TOKEN can show'))
  return checks
}

/** How long the first event of a stream may take. A buffering proxy holds it back far longer. */
const FIRST_EVENT_MS = 5_000

/** Waits for the first event of the newest unfinished payment, by a token derived here. */
export async function checkStream(settings: Settings, recent: RecentPayments, io: CommandIo): Promise<Check[]> {
  const name = 'event stream'
  // The stream of a final payment ends at once, and the end of a response flushes every buffer.
  const deposit = newestFirst(recent).find(({ phase }) => phase !== 'succeeded' && phase !== 'rejected')
  if (deposit === undefined) return [skip(name, 'needs a payment that is not over: start one, then run this again')]
  const token = createCapabilities(settings.secret, settings.previousSecret).depositToken(
    deposit.id,
    deposit.generation,
  )
  const cut = new AbortController()
  const timer = setTimeout(() => cut.abort(), FIRST_EVENT_MS)
  let isCompressed = false
  try {
    const response = await io.fetch(`${settings.publicUrl}/v1/deposits/${deposit.id}/events`, {
      headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'accept-encoding': 'gzip, br' },
      signal: cut.signal,
    })
    if (response.status === 401 && /"bearer_(missing|malformed)"/.test(await response.text()))
      return [fail(name, 'the token did not arrive: see the line authorization')]
    if (!response.ok)
      return [fail(name, `answered ${response.status}: does HC_PUBLIC_URL lead to the companion of this database?`)]
    isCompressed = response.headers.has('content-encoding')
    for await (const chunk of response.body!) {
      if (!new TextDecoder().decode(chunk).includes('event: deposit')) continue
      if (!isCompressed) return [ok(name, 'events arrive at once')]
      const says =
        'events arrive, but the proxy compresses them, which may delay some: switch that off for text/event-stream'
      return [warn(name, says)]
    }
    return [fail(name, 'the stream ended without an event')]
  } catch {
    const why = isCompressed
      ? 'a proxy compresses the stream and holds it back: switch that off for text/event-stream'
      : 'a proxy holds the stream back (nginx: proxy_buffering off)'
    const says = `no event within ${FIRST_EVENT_MS / 1000} s: ${why}; see the page about proxies`
    return [fail(name, says)]
  } finally {
    clearTimeout(timer)
    cut.abort()
  }
}
