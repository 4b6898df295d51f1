// The single checks of `doctor`. Each returns what it found and, if something is wrong, what to do;
// none throws or prints a secret.
import { createHash, createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { codeOf } from '../platform/error-code.ts'
import { newReference } from '../deposits/identity.ts'
import { offeredCountries } from '../deposits/markets.ts'
import type { CountryCode, CurrencyCode } from '../contract/index.ts'
import type { Deposit } from '../deposits/machine/deposit.ts'
import { inOneLine, lookAtAddress, lookAtLogin, troubleWith } from '../operations/health.ts'
import { machineRandom } from '../platform/machine.ts'
import type { Settings } from '../settings/settings.ts'
import { faultIn } from '../upstream/faults.ts'
import type { QueryOutcome, Upstream } from '../deposits/ports/upstream.ts'
import type { CommandIo } from './io.ts'

export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warn' | 'fail' | 'skip'
  readonly says: string
}

const found =
  (state: Check['state']) =>
  (name: string, says: string): Check => ({ name, state, says })
export const ok = found('ok')
export const warn = found('warn')
export const fail = found('fail')
export const skip = found('skip')

/** Payments of this installation by currency, newest first. */
export type RecentPayments = ReadonlyMap<CurrencyCode, readonly Deposit[]>

/** Milliseconds that a check waits for an answer. */
export const TIMEOUT_MS = 10_000

/** Payments of all currencies, newest first. */
export const newestFirst = (recent: RecentPayments): readonly Deposit[] =>
  [...recent.values()].flat().toSorted((a, b) => b.createdAt - a.createdAt)

/** Compares the clocks: tokens, notices and our estimate of the 15 minutes depend on them. */
export async function checkClock(
  settings: Pick<Settings, 'authUrl' | 'upstreamProxy'>,
  io: CommandIo,
): Promise<Check[]> {
  const name = 'clock'
  if (settings.upstreamProxy !== undefined)
    return [skip(name, 'not compared with the service, which is behind HC_UPSTREAM_PROXY')]
  const before = io.now()
  let date: string | null
  try {
    const response = await io.fetch(settings.authUrl, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    date = response.headers.get('date')
  } catch {
    return [skip(name, 'the service at HC_AUTH_URL does not answer, so its clock cannot be seen')]
  }
  const theirs = Date.parse(date ?? '')
  if (Number.isNaN(theirs)) return [skip(name, 'the service sends no Date header')]
  // The Date header is in whole seconds: add half a second for the middle.
  const skew = Math.round(((before + io.now()) / 2 - (theirs + 500)) / 1000)
  if (Math.abs(skew) <= 5) return [ok(name, `within 5 s of the service`)]
  const says =
    `${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} the service; let this machine follow NTP ` +
    '(timedatectl set-ntp true)'
  return [(Math.abs(skew) > 60 ? fail : warn)(name, says)]
}

export function checkKeyPair(settings: Pick<Settings, 'privateKey'>, file: string | undefined): Check[] {
  const name = 'key pair'
  const ours = createPublicKey(settings.privateKey).export({ type: 'spki', format: 'der' })
  const print = createHash('sha256').update(ours).digest('hex').slice(0, 16)
  if (file === undefined) {
    return [skip(name, `public half has SHA-256 ${print}…; compare with the portal by --public-key FILE`)]
  }
  let theirs: Buffer
  try {
    const pem = readFileSync(file, 'utf8')
    // Its public half could be derived: that it is ours says nothing of the portal.
    if (pem.includes('PRIVATE KEY'))
      return [fail(name, `${file} is a private key: name a file with the public key that the portal shows`)]
    theirs = createPublicKey(pem).export({ type: 'spki', format: 'der' })
  } catch (error) {
    const { path, code } = error as NodeJS.ErrnoException
    if (path !== undefined) return [fail(name, `${file} cannot be read (${code}): check its path`)]
    return [fail(name, `${file} cannot be read as a public key in PEM`)]
  }
  if (ours.equals(theirs)) return [ok(name, `HC_PRIVATE_KEY belongs to ${file}`)]
  return [fail(name, `HC_PRIVATE_KEY does not belong to ${file}: upload the public half of this key in the portal`)]
}

/**
 * Checks the login, the bank list of each market, and a signed query for each wallet.
 * @param recent our payments: the service must know one that it has given an id.
 */
export async function checkService(settings: Settings, upstream: Upstream, recent: RecentPayments): Promise<Check[]> {
  await upstream.warmUp().catch(() => {})
  const health = upstream.health()
  // After an attempt that told nothing, nothing answered.
  const login = health.login === 'unknown' ? 'unreachable' : health.login
  const seen = { upstream: { ...health, login } }
  const refused = [lookAtAddress(seen), lookAtLogin(seen)].find(({ state }) => state !== 'ok')
  if (refused !== undefined) {
    const { detail = '', pausedUntil } = health
    const isUnsafe = login === 'unreachable' && pausedUntil === undefined && faultIn(detail) === 'tls'
    const says = isUnsafe ? unsafe('HC_AUTH_URL', settings, detail) : inOneLine(refused)
    return [fail('login', says)]
  }
  const checks: Check[] = [ok('login', 'the service gave a token')]
  const queries: Check[] = []
  for (const [currency, walletNo] of Object.entries(settings.wallets) as [CurrencyCode, string][]) {
    const known = recent.get(currency)?.find(({ transactionId }) => transactionId !== undefined)
    const name = `query ${currency}`
    const made = newReference(settings.paymentMode, machineRandom, Date.now())
    const outcome = await upstream.query(known ?? { walletNo, reference: made })
    // All further calls would fail for the same reason, and after some without being sent.
    if (outcome.kind === 'failed' && NO_ANSWER.has(faultIn(outcome.reason))) {
      const says = `${noBase(settings, outcome.reason)}; no other query or bank list was tried`
      return [...checks, ...queries, fail(name, says)]
    }
    queries.push(judged(name, outcome, settings, known?.reference))
  }
  return [...checks, ...(await checkBanks(offeredCountries(settings.wallets), upstream)), ...queries]
}

/** Why HC_BASE_URL, which may be another host than that of the login, gives no answer. */
function noBase(settings: Settings, reason: string): string {
  return faultIn(reason) === 'tls'
    ? unsafe('HC_BASE_URL', settings, reason)
    : `nothing answers at HC_BASE_URL (${reason}): check HC_BASE_URL and the network`
}

function unsafe(name: string, { upstreamProxy }: Settings, reason: string): string {
  // Behind a proxy it may be that which speaks none.
  if (upstreamProxy === undefined && reason.includes('WRONG_VERSION_NUMBER'))
    return answersPlainly(name, ` (${reason})`)
  const way = upstreamProxy === undefined ? '' : ', and that HC_UPSTREAM_PROXY leads there untouched'
  return (
    `no safe connection to ${name} (${reason}): check that the address is the one of your contract, and ` +
    `this machine's clock${way}; name an authority of your own in NODE_EXTRA_CA_CERTS`
  )
}

/** Faults of a connection on which no answer came. */
const NO_ANSWER: ReadonlySet<string> = new Set(['refused_connection', 'dns', 'timeout', 'reset', 'tls', 'network'])

async function checkBanks(offered: readonly CountryCode[], upstream: Upstream): Promise<Check[]> {
  const counted: string[] = []
  const unread: string[] = []
  for (const country of offered) {
    await upstream.banks(country).then(
      (banks) => counted.push(`${country} ${banks.length}`),
      () => unread.push(country),
    )
  }
  const checks: Check[] = []
  if (unread.length > 0)
    checks.push(warn('banks', `the list of ${unread.join(', ')} cannot be read; payments there go on without it`))
  if (counted.length > 0) checks.push(ok('banks', counted.join(', ')))
  return checks
}

/**
 * A payment with an id of the service must be found; without one, "not found" at least proves that
 * the signature is accepted.
 * @param known reference of a payment that has one
 */
function judged(
  name: string,
  outcome: QueryOutcome,
  settings: Pick<Settings, 'queryPath' | 'confirm'>,
  known: string | undefined,
): Check {
  if (outcome.kind === 'path_missing') {
    const why = `at ${settings.queryPath}: ${outcome.status}`
    const says = inOneLine(troubleWith('query_path_missing', why))
    return settings.confirm === 'query' ? fail(name, says) : warn(name, says)
  }
  if (outcome.kind === 'failed') {
    const keys = 'HC_PRIVATE_KEY, its public half in the portal, and this wallet'
    // Another answer may not be about the key.
    const check = outcome.reason === 'invalid_signature' ? keys : `HC_BASE_URL, and if that is right ${keys}`
    return fail(name, `not accepted (${outcome.reason}): check ${check}`)
  }
  if (known === undefined)
    return outcome.kind === 'not_found'
      ? ok(name, 'a signed query is understood (no payment there yet to ask about)')
      : fail(name, 'the service answers for a reference that does not exist: its word proves nothing')
  if (outcome.kind === 'found' && outcome.reference !== known)
    return fail(name, `the service answered for another reference than ${known}: check HC_QUERY_PATH and HC_BASE_URL`)
  return outcome.kind === 'found'
    ? ok(name, `the service knows ${known}`)
    : fail(
        name,
        `the service does not know ${known}, which it gave an id: check HC_QUERY_PATH, HC_BASE_URL and ` +
          'the account',
      )
}

/**
 * Why a fetch failed: the system's error code in brackets, if there is one; `isUnsafe` if TLS or
 * the certificate was the cause, `isPlain` if what answers there speaks no TLS at all, `isUnnamed`
 * if its name led to no address, so that nobody was asked.
 */
export function fetchFault(error: unknown): {
  reason: string
  isUnsafe: boolean
  isPlain: boolean
  isUnnamed: boolean
} {
  const cause = error instanceof Error ? error.cause : undefined
  const code = codeOf(cause)
  const reason = code === '' ? '' : ` (${code})`
  // Of a POST (notices/post.ts) the code is EPROTO, whatever was wrong with TLS.
  const isPlain =
    code.includes('WRONG_VERSION_NUMBER') || (cause instanceof Error && /wrong version number/.test(cause.message))
  return {
    reason,
    isUnsafe: /CERT|SSL|TLS|EPROTO|UNABLE_TO/.test(reason),
    isPlain,
    isUnnamed: code === 'ENOTFOUND' || code.startsWith('EAI_'),
  }
}

/**
 * Why a fetch to the address of a setting got no answer, and what to do.
 *
 * @param ends of the sentences about an unsafe connection and about no connection at all
 */
export function unreached(
  setting: string,
  error: unknown,
  ends: { readonly unsafe: string; readonly silent: string; readonly meanwhile?: string },
): string {
  const { reason, isUnsafe, isPlain, isUnnamed } = fetchFault(error)
  const { unsafe: advice, silent, meanwhile = '' } = ends
  if (isUnnamed)
    return (
      `the host name in ${setting} leads to no address${reason}: is it written right, and does a resolver ` +
      `(DNS) answer this machine?${meanwhile}`
    )
  if (isPlain) return answersPlainly(setting, reason)
  return isUnsafe
    ? `no safe connection to ${setting}${reason}: ${advice}`
    : `nothing answers at ${setting}${reason}: ${silent}${meanwhile}`
}

/** Of a setting whose address begins with https. */
const answersPlainly = (name: string, reason: string): string =>
  `what answers at ${name} speaks no TLS${reason}: name its port for https, or have TLS switched on there`
