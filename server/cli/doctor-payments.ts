// The checks of `doctor` that only a payment can prove: business id, wallets, checkout origins, and
// which companion answers. The doctor creates no payments, so it looks at existing ones.
import type { CurrencyCode } from '../contract/index.ts'
import type { Deposit } from '../deposits/machine/deposit.ts'
import { createCapabilities } from '../deposits/identity.ts'
import type { Settings } from '../settings/settings.ts'
import { missingDatabase } from '../store/open.ts'
import { withStore } from './database.ts'
import { type Check, fail, newestFirst, ok, type RecentPayments, skip, TIMEOUT_MS, warn } from './doctor-checks.ts'
import type { CommandIo } from './io.ts'

/** The newest payments of each currency; none if the database cannot be read. */
export async function newestPayments(settings: Settings): Promise<RecentPayments> {
  const newest = new Map<CurrencyCode, readonly Deposit[]>()
  if (missingDatabase(settings.databaseUrl) !== undefined) return newest
  try {
    await withStore(settings.databaseUrl, async (store) => {
      for (const currency of Object.keys(settings.wallets) as CurrencyCode[])
        newest.set(currency, await store.payments({ limit: 20, currency }))
    })
  } catch {
    // Already reported by the database check.
  }
  return newest
}

/** Those of this mode: what the service answered to others says nothing about these settings. */
export function ofMode(payments: RecentPayments, { paymentMode }: Pick<Settings, 'paymentMode'>): RecentPayments {
  return new Map([...payments].map(([currency, all]) => [currency, all.filter(({ mode }) => mode === paymentMode)]))
}

/** Warns of test and live payments in one database. */
export function checkMode(payments: RecentPayments, { paymentMode }: Pick<Settings, 'paymentMode'>): Check[] {
  const other = newestFirst(payments).find(({ mode }) => mode !== paymentMode)
  if (other === undefined) return []
  return [
    warn(
      'database',
      `it also holds ${other.mode} payments (${other.reference}), but the settings are for ` +
        `${paymentMode} ones: they stand in the same lists and exports, a session that one paid takes no ` +
        'other payment, and what is open is asked about at the wrong service. Use a new database for each',
    ),
  ]
}

/**
 * Checks that the companion at HC_PUBLIC_URL has this database and HC_SECRET: it must know our
 * newest payment.
 */
export async function checkInstallation(
  settings: Pick<Settings, 'publicUrl' | 'secret' | 'previousSecret'>,
  recent: RecentPayments,
  io: CommandIo,
): Promise<Check[]> {
  const name = 'installation'
  const [newest] = newestFirst(recent)
  if (newest === undefined)
    return [skip(name, 'whether HC_PUBLIC_URL leads to the companion of this database, the first payment will show')]
  const token = createCapabilities(settings.secret, settings.previousSecret).depositToken(newest.id, newest.generation)
  const response = await io
    .fetch(`${settings.publicUrl}/v1/deposits/${newest.id}`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    .catch(() => undefined)
  const view = (await response?.json().catch(() => undefined)) as { id?: unknown; code?: unknown } | undefined
  if (response?.status === 200 && view?.id === newest.id)
    return [ok(name, `the companion at HC_PUBLIC_URL knows ${newest.reference}`)]
  // With another HC_SECRET our token is wrong there; with the same one the payment is missing.
  if (response?.status === 404 || view?.code === 'bearer_wrong')
    return [
      fail(
        name,
        `the companion at HC_PUBLIC_URL does not know ${newest.reference} of this database: it is ` +
          'another installation, or runs with another HC_DATABASE_URL or HC_SECRET than given here',
      ),
    ]
  return [
    warn(
      name,
      `asked for ${newest.reference}, HC_PUBLIC_URL ` +
        `${response === undefined ? 'did not answer' : `answered ${response.status}`}: whether it leads ` +
        'to the companion of this database is not known',
    ),
  ]
}

/** By the code of a refused create. Other codes concern one customer, or pass by themselves. */
const ADVICE: Readonly<Record<string, string>> = {
  invalid_hash: 'check HC_BUSINESS_ID, which the portal shows',
  invalid_signature: 'check HC_PRIVATE_KEY and its public half in the portal',
  wallet_mismatch: 'check the wallet of this currency in HC_WALLETS',
  unsupported_currency: 'take this currency out of HC_WALLETS, or have it unlocked',
  market_off: 'have channel 420001 allocated to this wallet in the portal',
  refused: 'check the wallet in HC_WALLETS, and HC_BUSINESS_ID',
}
const AGAIN = 'pay the smallest amount once, then run this again'

/** Reports the service's latest answer for each wallet. */
export function checkPayments(
  settings: Pick<Settings, 'wallets' | 'checkoutOrigins'>,
  recent: RecentPayments,
): Check[] {
  const checks: Check[] = []
  const unproven: string[] = []
  for (const [currency, walletNo] of Object.entries(settings.wallets) as [CurrencyCode, string][]) {
    const telling = recent.get(currency)?.find((deposit) => deposit.walletNo === walletNo && isTelling(deposit))
    if (telling === undefined) unproven.push(currency)
    else checks.push(judged(`payment ${currency}`, telling, settings.checkoutOrigins))
  }
  if (unproven.length > 0)
    checks.push(
      skip(
        'payment',
        `not proven yet for ${unproven.join(', ')}: the wallet, HC_BUSINESS_ID, HC_CHECKOUT_ORIGINS. No ` +
          `query can; ${AGAIN}`,
      ),
    )
  return checks
}

function isTelling({ phase, transactionId, checkoutUrl, resultCode = '', reviewReason }: Deposit): boolean {
  if (phase === 'rejected') return Object.hasOwn(ADVICE, resultCode)
  return transactionId !== undefined && (checkoutUrl !== undefined || reviewReason === 'redirect_origin')
}

function judged(name: string, deposit: Deposit, origins: readonly string[]): Check {
  const { phase, reference, createdAt, checkoutUrl, resultCode = '', resultDescription = '' } = deposit
  const which = `${reference} of ${new Date(createdAt).toISOString().slice(0, 10)}`
  if (phase === 'rejected')
    return warn(
      name,
      `the service refused ${which} (${resultCode}: ${resultDescription}): ${ADVICE[resultCode]}. When ` +
        `that is mended, ${AGAIN}`,
    )
  if (checkoutUrl === undefined)
    return warn(
      name,
      `the service led ${which} to a page outside HC_CHECKOUT_ORIGINS: add the origin of its payment ` +
        `page, if that is right. When that is mended, ${AGAIN}`,
    )
  const { origin } = new URL(checkoutUrl)
  if (!origins.includes(origin))
    return fail(
      name,
      `the service led ${which} to ${origin}, which HC_CHECKOUT_ORIGINS does not name: such a payment ` +
        'goes to review. Add it, if that is its payment page',
    )
  return ok(
    name,
    `the service took ${which} for this wallet, with the HC_BUSINESS_ID of that day, and led to an ` +
      'origin of HC_CHECKOUT_ORIGINS',
  )
}
