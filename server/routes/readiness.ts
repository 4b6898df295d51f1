// Whether it is safe to take payments now. Each check says what is wrong and what to do; deposits/health-watch.ts sends the same findings as alerts.
import { isRecent } from '../clock.ts'
import type { AfterRestore } from '../deposits/after-restore.ts'
import type { Outbox } from '../notices/outbox.ts'
import { reasonOf } from '../errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import { faultIn } from '../upstream/fault-words.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { ReadyCheck } from './operations.ts'

/** A database silent for longer is no use to a customer either, and a readiness probe waits only a few seconds. */
const STORE_ANSWERS_MS = 3_000
/** Strangers may ask as often as they like; the database sees at most one check per second. */
const CHECKS_KEPT_MS = 1_000

/** No red light: another instance would meet the same, and those who have paid already are served here meanwhile. */
const paused = (until: number): string =>
  `The payment service asks for a pause until ${new Date(until).toISOString()} (429 or 503 with Retry-After); new payments are refused until then. Is HC_RATE higher than your contract allows?`

const ACCOUNT_REFUSED: ReadyCheck = {
  name: 'account',
  ok: false,
  detail:
    'The service gives a login, and answers new payments with 401 all the same. Ask it to allow deposits for this account, and check HC_CONSUMER_KEY and HC_BASE_URL.',
}

/** @param fault what the last call met */
function silence(fault = 'no answer'): string {
  return faultIn(fault) === 'tls'
    ? `No safe connection to the payment service (${fault}); payments are refused until there is one. Look at its certificate and this machine's clock.`
    : `The payment service does not answer (${fault}); payments are refused until it does.`
}

export interface Readiness {
  /** Results at most a second old, shared by all concurrent callers. */
  checks(): Promise<readonly ReadyCheck[]>
}

export function createReadiness(parts: {
  readonly settings: Settings
  readonly store: Store
  readonly upstream: Upstream
  readonly outbox: Pick<Outbox, 'health'>
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
  readonly afterRestore: Pick<AfterRestore, 'isUnfinished' | 'isWaking'>
  /** Whether this process has done any background work. */
  readonly isBegun: () => boolean
}): Readiness {
  const { settings, store, upstream, outbox, now, sleep, afterRestore, isBegun } = parts
  let checking: Promise<readonly ReadyCheck[]> | undefined
  let asking: Promise<readonly ReadyCheck[]> | undefined
  let checked: { readonly at: number; readonly checks: readonly ReadyCheck[] } | undefined

  /** What the last check that ended was told, with what to do. One that is waited for in vain tells nothing yet. */
  let why = ''

  async function storeCheck(): Promise<ReadyCheck> {
    try {
      await store.ping()
      why = ''
      return { name: 'store', ok: true }
    } catch (error) {
      why = reasonOf(error)
      return {
        name: 'store',
        ok: false,
        detail: `The database does not take writes.${why || ' Check HC_DATABASE_URL, disk space and the log.'}`,
      }
    }
  }

  async function restoredCheck(): Promise<ReadyCheck> {
    if (!(await afterRestore.isUnfinished().catch(afterRestore.isWaking))) return { name: 'restore', ok: true }
    return {
      name: 'restore',
      ok: false,
      detail: 'The database was restored; payments of the last 30 days are being asked about.',
    }
  }

  /** One check in flight: hanging checks on a silent database would take connections from payments. */
  function databaseChecks(): Promise<readonly ReadyCheck[]> {
    asking ??= (async () => [await storeCheck(), await restoredCheck()])().finally(() => (asking = undefined))
    const silent: ReadyCheck = {
      name: 'store',
      ok: false,
      detail: `The database has not answered for ${STORE_ANSWERS_MS / 1000} s.${why || ' Look whether it runs and can be reached at HC_DATABASE_URL, and at the log.'}`,
    }
    return Promise.race([asking, sleep(STORE_ANSWERS_MS).then(() => [silent])])
  }

  function loginCheck(): ReadyCheck {
    const { login, hasToken, detail, addressRefused, pausedUntil } = upstream.health()
    if (login === 'ok' || login === 'unknown') return { name: 'login', ok: true }
    // Nothing is wrong with the address or the network.
    const isPaused = login === 'unreachable' && pausedUntil !== undefined
    const fault = isPaused
      ? paused(pausedUntil)
      : login === 'refused' && addressRefused
        ? `The service refused the login: ${detail ?? ''} Have the IP address of this machine put on the allow-list.`
        : login === 'refused'
          ? `The service refused the login: ${detail ?? ''} Check HC_CONSUMER_KEY and HC_CONSUMER_SECRET.`
          : `The service gives no login (${detail ?? 'no answer'}). ${faultIn(detail ?? '') === 'tls' ? "Look at the certificate of HC_AUTH_URL and this machine's clock." : 'Check HC_AUTH_URL and the network.'}`
    return hasToken
      ? { name: 'login', ok: true, detail: `${fault} Payments go on until the last login ends.` }
      : { name: 'login', ok: false, detail: fault }
  }

  function noticesCheck(): ReadyCheck {
    // No red light: where processes are short-lived, another one may do it.
    if (!isBegun())
      return {
        name: 'notices',
        ok: true,
        detail:
          'This process does no background work: call companion.start(), or companion.tick() from a scheduler. Unless another process does, notices and status queries wait.',
      }
    const { receiver, unheard } = outbox.health()
    if (receiver === 'none')
      return {
        name: 'notices',
        ok: true,
        detail: 'No backend is notified of payments: set HC_NOTIFY_URL, or register notices.on(…). Notices wait.',
      }
    if (receiver === 'gone')
      return {
        name: 'notices',
        // Payments are still safe: nothing is lost, and another instance would meet the same receiver.
        ok: true,
        detail: 'The receiver at HC_NOTIFY_URL answered 410. Notices are tried again by their schedule.',
      }
    if (unheard.length > 0)
      return { name: 'notices', ok: true, detail: `No handler takes ${unheard.join(', ')}; these notices wait.` }
    return { name: 'notices', ok: true }
  }

  async function checkAll(): Promise<readonly ReadyCheck[]> {
    const warming = upstream.warmUp().catch(() => {})
    if (upstream.health().login === 'unknown') await warming
    const { breaker, pausedUntil, queryPath, addressRefused, signatureRefused, tokenRefused, fault } = upstream.health()
    return [
      ...(await databaseChecks()),
      loginCheck(),
      breaker === 'open'
        ? {
            name: 'upstream',
            ok: false,
            detail: silence(fault),
          }
        : { name: 'upstream', ok: true, ...(pausedUntil === undefined ? {} : { detail: paused(pausedUntil) }) },
      queryPath === 'missing' && settings.confirm === 'query'
        ? {
            name: 'query',
            ok: false,
            detail: `The service does not know the status query at ${settings.queryPath}. Set HC_QUERY_PATH; until then payments under way go to review after 15 minutes.`,
          }
        : { name: 'query', ok: true },
      addressRefused
        ? {
            name: 'address',
            ok: false,
            detail: 'The service does not accept calls from this machine. Have its IP address put on the allow-list.',
          }
        : { name: 'address', ok: true },
      signatureRefused
        ? {
            name: 'signature',
            ok: false,
            detail:
              'The service refuses our signature. Put the public half of HC_PRIVATE_KEY into its portal, or set the key whose half is there.',
          }
        : { name: 'signature', ok: true },
      // Alone where it is so: nothing looks for it while nobody pays.
      ...(tokenRefused === true ? [ACCOUNT_REFUSED] : []),
      noticesCheck(),
    ]
  }

  return {
    checks() {
      if (checked !== undefined && isRecent(checked.at, now(), CHECKS_KEPT_MS)) return Promise.resolve(checked.checks)
      checking ??= checkAll()
        .then((checks) => {
          checked = { at: now(), checks }
          return checks
        })
        .finally(() => (checking = undefined))
      return checking
    },
  }
}
