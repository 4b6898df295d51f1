// A `fetch` over undici's `request`, for calls to the service: fetch itself repeats a POST that is
// answered 421, and follows what the environment says of certificates. This one sends a request
// once and does nothing else by itself.
import { ReadableStream } from 'node:stream/web'
import { request, type Dispatcher } from 'undici'
import { plainBody } from './answer-body.ts'
import { OUR_CODES } from './faults.ts'

/** `Response` takes no body with these (fetch standard, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304])

/** @param maxBytes of an answer without its compression */
export function createServiceFetch(dispatcher: Dispatcher, maxBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const asked = input instanceof Request ? input : new Request(input, init)
    // Read first, so that it goes out with its length and never in chunks.
    const body = Buffer.from(await asked.arrayBuffer())
    const answer = await request(asked.url, {
      dispatcher,
      method: asked.method,
      headers: Object.fromEntries(asked.headers),
      body,
      signal: asked.signal,
    })
    return responseOf(answer, maxBytes)
  }
}

/**
 * What was sent, and answered with something that `Response` refuses, is unknown: the status 600,
 * for example.
 */
function responseOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, maxBytes: number): Response {
  const encoding = [headers['content-encoding'] ?? ''].flat().join()
  // The only header that is read. Of several, the first: a list could not be read.
  const [retryAfter] = [headers['retry-after']].flat()
  const isEmpty = WITHOUT_BODY.has(status)
  try {
    const plain = ReadableStream.from(plainBody(body, encoding, maxBytes))
    const response = new Response(isEmpty ? null : (plain as ConstructorParameters<typeof Response>[0]), {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    })
    if (isEmpty) body.on('error', () => {}).destroy()
    return response
  } catch (cause) {
    body.on('error', () => {}).destroy()
    throw Object.assign(new Error(`The answer is no response (HTTP ${status}).`, { cause }), {
      code: OUR_CODES.invalidAnswer,
    })
  }
}
