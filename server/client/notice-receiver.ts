// The address that the companion posts its notices to, as one fetch handler: verifies, takes the
// notice, and answers 2xx only when that is stored.
import { NoticeError } from './errors.ts'
import { takeNotice, type NoticeRules } from './take-notice.ts'
import { verifyNotice } from './verify-notice.ts'

export interface NoticeReceiverOptions<Transaction> extends NoticeRules<Transaction> {
  /**
   * The companion's HC_NOTIFY_SECRET (`whsec_…`); one or several with commas between, any of which
   * will do.
   */
  readonly secret: string | undefined
  /** Told of what was refused or could not be stored; by itself it goes to the console. */
  readonly onError?: (error: unknown) => void
}

/**
 * For every server that knows Request and Response: Next's route handlers, Hono, Bun, Deno,
 * Workers.
 */
export type NoticeReceiver = (request: Request) => Promise<Response>

/** No notice is longer. */
export const MOST_BYTES = 65_536

/**
 * Answers 204 for a notice that is stored, 401 for one that the companion has not signed, and
 * otherwise what has the companion send it again.
 * @throws TypeError for an empty or malformed secret, and where a rule is missing
 */
export function createNoticeReceiver<Transaction>(options: NoticeReceiverOptions<Transaction>): NoticeReceiver {
  const { secret, onError = printed } = options
  mustBeWhole(options)
  return async function receive(request) {
    try {
      if (request.method !== 'POST') return answer(405, 'Notices are posted.', { allow: 'POST' })
      if (request.bodyUsed) throw bodyUsed()
      const body = await readAll(request.body ?? [])
      if (body === undefined) return answer(413, 'No notice is that long.')
      await takeNotice(verifyNotice(body, request.headers, secret), options)
      return new Response(null, { status: 204 })
    } catch (error) {
      const code = error instanceof NoticeError ? error.code : undefined
      // Anybody can post what is not signed, and any number of it.
      if (code !== 'unsigned') onError(error)
      const [status, text] = refusals[code ?? 'unstored']
      return answer(status, text)
    }
  }
}

const refusals = {
  unsigned: [401, 'The companion has not signed this.'],
  forged: [401, 'The signature does not fit.'],
  out_of_time: [401, 'The signature is not of this time.'],
  unreadable: [400, 'The notice cannot be read.'],
  body_parsed: [500, 'The notice could not be verified.'],
  unstored: [500, 'The notice could not be stored.'],
} as const

function answer(status: number, text: string, headers: Record<string, string> = {}): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } })
}

function printed(error: unknown): void {
  // eslint-disable-next-line no-console -- a shop without a log looks only here
  console.error(error)
}

function bodyUsed(): NoticeError {
  return new NoticeError(
    'body_parsed',
    'Something has read the body before the receiver, and no signature fits what is left. This route ' +
      'comes before what parses bodies, such as express.json().',
  )
}

/** The body, refused while it is still arriving if it is longer than any notice. */
export async function readAll(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const whole = new Uint8Array(MOST_BYTES)
  let size = 0
  for await (const chunk of chunks) {
    if (size + chunk.byteLength > MOST_BYTES) return undefined
    whole.set(chunk, size)
    size += chunk.byteLength
  }
  return whole.subarray(0, size)
}

/** When the shop starts, and not when the first customer has paid. */
function mustBeWhole<Transaction>({
  secret,
  mode,
  store,
  expects,
  onPaid,
  onUncredited,
}: NoticeReceiverOptions<Transaction>): void {
  // Verifies nothing; an empty or malformed secret throws a TypeError.
  try {
    verifyNotice('', {}, secret)
  } catch (error) {
    if (!(error instanceof NoticeError)) throw error
  }
  if (mode !== 'test' && mode !== 'live')
    throw new TypeError(`createNoticeReceiver: mode is to be 'test' or 'live', the payments that are credited.`)
  const missing = Object.entries({ 'store.transaction': store?.transaction, expects, onPaid, onUncredited }).find(
    ([, rule]) => typeof rule !== 'function',
  )
  if (missing !== undefined) throw new TypeError(`createNoticeReceiver: ${missing[0]} is to be a function.`)
}
