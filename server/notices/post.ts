// A POST of which only the head of the answer counts, in place of Node's fetch: that unpacks bodies
// that nobody reads, and an answer in more than five encodings whose connection then breaks, or
// whose deadline passes, ends the whole process by an error that nothing can catch.
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { lookupInTurn } from './lookup-in-turn.ts'

/** What is sent: all of it text. */
export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** The head of the answer; it rejects as fetch does. Redirects are never followed. */
export type SendPost = (url: string | URL, post: Post) => Promise<Response>

/**
 * Bytes of a body that are let in so that the connection can be used again; a longer one ends it.
 */
const BODY_LIMIT = 4096

const ofNode = globalThis.fetch

/**
 * Node's own 250 ms for each address of a name are too short for a receiver on another continent.
 */
const connection = { lookup: lookupInTurn, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_500 }

/**
 * A `fetch` of a test or of the shop's own is used as it is; the one that Node comes with counts as
 * none.
 */
export function postOver(fetch: typeof globalThis.fetch): SendPost {
  if (fetch === ofNode) return post
  return async (url, sent) => {
    const response = await fetch(url, { ...sent, method: 'POST', redirect: 'manual' })
    await discard(response)
    return response
  }
}

function post(url: string | URL, { headers, body, signal }: Post): Promise<Response> {
  return new Promise((resolve, reject) => {
    const address = new URL(url)
    const fail = (cause: unknown): void =>
      reject(signal.aborted ? signal.reason : new TypeError('fetch failed', { cause }))
    const send = address.protocol === 'https:' ? overHttps : overHttp
    const request = send(address, { method: 'POST', headers, signal, ...connection })
    // Also after the answer: they stay for as long as the connection does.
    request.on('error', fail)
    request.on('close', () => fail(undefined))
    request.on('response', (answer) => {
      const { statusCode = 0 } = answer
      let size = 0
      answer.on('error', () => {})
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > BODY_LIMIT) request.destroy()
      })
      const retryAfter = answer.headers['retry-after']
      try {
        const known: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
        resolve(new Response(null, { status: statusCode, headers: known }))
      } catch (error) {
        // No status of HTTP: below 200 or above 599.
        fail(error)
        request.destroy()
      }
    })
    request.end(body)
  })
}

/** The status has already decided: a body that breaks off or never ends does not matter. */
async function discard(response: Response): Promise<void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    let size = 0
    while (size <= BODY_LIMIT) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
    }
    await reader.cancel()
  } catch {
    // As above.
  }
}
