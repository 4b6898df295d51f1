// How the widget follows a payment where streams do not get through: it asks, without hurry, and
// tries a stream only now and then.
import { expect, it } from 'vitest'
import { event, MINUTE, open, pass, watchedDeposit, wire } from './watched-deposit.ts'

const seen = watchedDeposit()

const proxyPage = async (): Promise<Response> => new Response('<h1>404 Not Found</h1>', { status: 404 })

/**
 * As a proxy's own answer arrives on another origin: without CORS headers it looks like no network.
 */
const refused = (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch'))

/** One event, then open, like the companion's. */
function following(): Promise<Response> {
  const { response, write } = wire()
  write(event(open))
  return response()
}

/** A blank line every three seconds, to keep the connection open. */
async function blankLines(): Promise<Response> {
  let timer: ReturnType<typeof setInterval>
  const start = (out: ReadableStreamDefaultController): void => {
    timer = setInterval(() => {
      out.enqueue(new TextEncoder().encode('\n\n'))
    }, 3000)
  }
  return new Response(
    new ReadableStream({
      start,
      cancel: () => {
        clearInterval(timer)
      },
    }),
  )
}

it.each<[string, () => Promise<Response>]>([
  ['refuses the stream with a page of its own', proxyPage],
  ['refuses it on another origin, where nobody may read why', refused],
  ['ends it at once', async () => new Response('')],
  ['holds it back', () => new Promise(() => {})],
  ['answers it with blank lines', async () => new Response('\n\n\n\n')],
  ['answers it with blank lines for ever', blankLines],
  ['answers it with a page of its own in blocks', async () => new Response('<html>\n\n<h1>Welcome</h1>\n\n</html>')],
])('behind a proxy that %s, the payment is asked for every five seconds', async (_, answer) => {
  seen.connect = answer
  seen.watch()
  await pass(MINUTE)
  expect(seen.streams).toHaveLength(2)
  const before = seen.asked.length
  await pass(MINUTE)
  expect(seen.asked.length - before).toBeGreaterThanOrEqual(10)
  expect(seen.asked.length - before).toBeLessThanOrEqual(12)
  expect(seen.heard).not.toContain(true)
  expect(seen.heard).not.toContain('gone')
  // A stream is tried again, though seldom.
  await pass(20 * MINUTE)
  expect(seen.streams.length).toBeGreaterThanOrEqual(5)
  expect(seen.streams.length).toBeLessThanOrEqual(6)
})

it('a stream that gets through again takes the place of the questions', async () => {
  seen.connect = proxyPage
  seen.watch()
  await pass(MINUTE)
  seen.connect = following
  await pass(6 * MINUTE)
  const before = seen.asked.length
  // A heartbeat that fails to come ends a stream after 40 seconds, and a new one begins.
  await pass(5 * MINUTE)
  expect(seen.streams.length).toBeGreaterThan(8)
  expect(seen.asked.length - before).toBeLessThanOrEqual(8)
})
