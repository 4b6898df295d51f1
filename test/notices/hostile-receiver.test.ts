// Receivers that answer what no receiver should: over real connections, what becomes of the notice,
// and of the companion that sent it.
import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { checkReceiver } from '../../server/cli/doctor-receiver.ts'
import type { CommandIo } from '../../server/cli/io.ts'
import { postText } from '../../server/operations/alerts/chat.ts'
import { sendNotice, type SendOutcome } from '../../server/notices/send-notice.ts'
import { keys } from '../helpers/create-test-system.ts'

let server: Server | undefined
const open = new Set<Socket>()
afterEach(() => {
  for (const socket of open) socket.destroy()
  server?.close()
})

async function receive(answer: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const send = (url: string, timeoutMs = 60_000): Promise<SendOutcome> =>
  sendNotice(
    { id: 'msg_1', body: '{}' },
    { url, secrets: [keys.notifySecret], fetch: globalThis.fetch, now: Date.now, timeoutMs },
  )

const SIX = 'content-encoding: gzip, gzip, gzip, gzip, gzip, gzip\r\n'
const FAR = 'content-length: 1000000\r\n\r\n'

it('an answer in six encodings that breaks off is an answer, and ends no process', async () => {
  const url = await receive((socket) => socket.write(`HTTP/1.1 200 OK\r\n${SIX}${FAR}x`, () => socket.destroySoon()))
  expect(await send(url)).toEqual({ kind: 'delivered' })
  await postText(url, 'An alert.', globalThis.fetch)
})

it.each<[string, string, object]>([
  ['leads elsewhere', `HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:1/\r\n${FAR}`, { kind: 'failed', reason: 'answered 307, and redirects are not followed' }],
  ['is gone, and says so at length', `HTTP/1.1 410 x\r\n${FAR}${'x'.repeat(100_000)}`, { kind: 'gone' }],
  ['says that it is packed, and is not', `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n${FAR}no`, { kind: 'delivered' }],
  ['asks for ten thousand years', `HTTP/1.1 503 x\r\nretry-after: 315360000000\r\n${FAR}`, { kind: 'failed', reason: 'answered 503', retryAfterMs: 315_360_000_000_000 }],
  ['has a status that there is not', 'HTTP/1.1 999 x\r\ncontent-length: 0\r\n\r\n', { kind: 'failed', reason: 'could not be reached' }],
  ['would rather speak another protocol', 'HTTP/1.1 101 x\r\nupgrade: y\r\nconnection: upgrade\r\n\r\n', { kind: 'failed', reason: expect.stringContaining('could not be reached') }],
  ['speaks none', 'no answer at all\r\n\r\n', { kind: 'failed', reason: expect.stringContaining('could not be reached') }],
])('a receiver that %s', async (_what, answer, outcome) => {
  expect(await send(await receive((socket) => socket.write(answer)))).toEqual(outcome)
}) // prettier-ignore

it.each<[string, string, object]>([
  ['a refusal that is packed in six ways and breaks off', `HTTP/1.1 401 x\r\n${SIX}${FAR}x`, { state: 'ok' }],
  ['a status that there is not', 'HTTP/1.1 999 x\r\ncontent-length: 0\r\n\r\n', { state: 'fail', says: expect.stringMatching(/^nothing answers/) }],
])('the doctor says of a receiver what becomes of its notices: %s', async (_what, answer, check) => {
  const notifyUrl = await receive((socket) => socket.write(answer, () => socket.destroySoon()))
  expect(await checkReceiver({ notifyUrl }, { fetch: globalThis.fetch } as CommandIo)).toMatchObject([check])
}) // prettier-ignore

it('a receiver that never answers is given up, and the connection with it', async () => {
  let closed: Promise<unknown> | undefined
  const url = await receive((socket) => {
    closed ??= once(socket, 'close')
  })
  expect(await send(url, 20)).toEqual({ kind: 'failed', reason: 'gave no answer within 0.02 s' })
  await closed
})

it('a body that never ends is not read to its end', async () => {
  let closed: Promise<unknown> | undefined
  const url = await receive((socket) => {
    closed ??= once(socket, 'close')
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n${'x'.repeat(5000)}`)
  })
  expect(await send(url)).toEqual({ kind: 'delivered' })
  await closed
})

it('the deadline of a notice that is over ends none that is sent on its connection', async () => {
  const asked: Socket[] = []
  const second = Promise.withResolvers<Socket>()
  const url = await receive((socket) => {
    asked.push(socket)
    if (asked.length === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    else second.resolve(socket)
  })
  expect(await send(url, 100)).toEqual({ kind: 'delivered' })
  // Timers of one length end in the order in which they began.
  const over = AbortSignal.timeout(100)
  const sent = send(url)
  const socket = await second.promise
  if (!over.aborted) await once(over, 'abort')
  socket.write('HTTP/1.1 204 No Content\r\n\r\n')
  expect(await sent).toEqual({ kind: 'delivered' })
  expect(new Set(asked).size).toBe(1)
})
