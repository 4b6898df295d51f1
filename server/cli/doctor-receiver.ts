// The doctor's check of the merchant's backend: does HC_NOTIFY_URL answer, and does it refuse
// unsigned notices?
import { postOver } from '../notices/post.ts'
import type { Settings } from '../settings/settings.ts'
import { type Check, fail, ok, unreached, warn } from './doctor-checks.ts'
import type { CommandIo } from './io.ts'

/** The same timeout as for notices (notices/outbox.ts). */
const TIMEOUT_MS = 15_000
const REFUSALS = new Set([400, 401, 422])

/**
 * Sends an empty, unsigned object. Nothing in it can be credited, and a receiver that verifies
 * signatures refuses it.
 */
export async function checkReceiver(settings: Pick<Settings, 'notifyUrl'>, io: CommandIo): Promise<Check[]> {
  const { notifyUrl } = settings
  // Already reported by the settings check.
  if (notifyUrl === undefined) return []
  let status: number
  try {
    // As notices are sent: what one gets through to, the other does.
    const response = await postOver(io.fetch)(notifyUrl, {
      headers: { 'content-type': 'application/json', 'user-agent': 'hc-checkout' },
      body: '{}',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = response.status
  } catch (error) {
    return [fail('receiver', silent(error))]
  }
  return [answered('receiver', status)]
}

function silent(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return (
      `HC_NOTIFY_URL gave no answer within ${TIMEOUT_MS / 1000} s: look at your backend, and at any ` +
      'firewall before it'
    )
  return unreached('HC_NOTIFY_URL', error, {
    unsafe:
      'its certificate must be valid for that name, with its whole chain; name an authority of your own in ' +
      'NODE_EXTRA_CA_CERTS',
    silent: 'is your backend started, and the address right?',
    meanwhile: ' Notices wait meanwhile',
  })
}

function answered(name: string, status: number): Check {
  if (REFUSALS.has(status))
    return ok(
      name,
      `HC_NOTIFY_URL refuses what is not signed (${status}); that it holds HC_NOTIFY_SECRET, the first ` +
        'notice shows',
    )
  // Laravel's word for it is 419.
  if (status === 403 || status === 419)
    return warn(
      name,
      `HC_NOTIFY_URL answered ${status} to an unsigned body: if that is not the receiver but a ` +
        "framework's CSRF check or a firewall before it, notices are refused too; a receiver answers 401",
    )
  if (status >= 200 && status < 300)
    return warn(
      name,
      `HC_NOTIFY_URL took an unsigned body (${status}): the receiver must verify signatures before it ` +
        'credits anything, and answer 401 (receivers.md)',
    )
  if (status >= 300 && status < 400)
    return fail(
      name,
      `HC_NOTIFY_URL redirects (${status}), and notices follow no redirect: set it to the address where ` +
        'that leads',
    )
  if (status === 404 || status === 405)
    return fail(name, `no receiver at HC_NOTIFY_URL (${status}): check its path, which must take POST`)
  if (status >= 502 && status <= 504)
    return fail(name, `a proxy answers at HC_NOTIFY_URL (${status}), your backend behind it does not: is it started?`)
  return warn(
    name,
    `HC_NOTIFY_URL answered ${status} to an unsigned body: a receiver answers 401 to that, and 2xx to a ` +
      'notice that verifies',
  )
}
