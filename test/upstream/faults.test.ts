// Which error codes prove that nothing was sent: the whole table, and real sockets for each code
// that can be provoked.
import dns from 'node:dns'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAgent } from '../../server/upstream/agent.ts'
import { ERROR_CODES, faultIn, faultOf, inWords, type SendFault } from '../../server/upstream/faults.ts'
import { createServiceFetch } from '../../server/upstream/service-fetch.ts'
import { createTransport } from '../../server/upstream/transport.ts'
import { freePort } from '../helpers/free-port.ts'
import { selfSigned } from './material.ts'
import { createManualTimers } from './service.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

/** Written out, so that a code becomes a proof by a decision and not by a slip. */
const PROOFS: Readonly<Record<string, readonly string[]>> = {
  refused_connection: ['ECONNREFUSED', 'HC_TUNNEL_REFUSED'],
  dns: ['ENOTFOUND', 'EAI_AGAIN'],
  timeout: ['UND_ERR_CONNECT_TIMEOUT'],
  tls: [
    'CERT_CHAIN_TOO_LONG',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REJECTED',
    'CERT_REVOKED',
    'CERT_SIGNATURE_FAILURE',
    'CERT_UNTRUSTED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'HOSTNAME_MISMATCH',
    'INVALID_CA',
    'INVALID_PURPOSE',
    'PATH_LENGTH_EXCEEDED',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ],
}

describe('the table', () => {
  it('holds these proofs that nothing was sent, and no others', () => {
    const proofs = [...ERROR_CODES].filter(([, { meaning }]) => meaning === 'notSent')
    const expected = Object.entries(PROOFS).flatMap(([fault, codes]) =>
      codes.map((code) => [code, { meaning: 'notSent', fault }]),
    )
    expect(Object.fromEntries(proofs)).toEqual(Object.fromEntries(expected))
  })

  it.each([...ERROR_CODES])('%s is told as what it is, also within what wraps it', (code, { fault, meaning }) => {
    const met: SendFault = {
      fault,
      ...(fault === 'tls' ? { code } : {}),
      ...(meaning === 'notSent' ? { notSent: true } : {}),
    }
    expect(faultOf(withCode(code))).toEqual(met)
    expect(faultOf(new TypeError('fetch failed', { cause: withCode(code) }))).toEqual(met)
    expect(faultOf(new AggregateError([withCode(code), withCode(code)]))).toEqual(met)
    // One of several addresses may have been written to.
    expect(faultOf(new AggregateError([withCode(code), withCode('ECONNRESET')])).notSent).toBeUndefined()
    expect(faultOf(new AggregateError([withCode(code), withCode('ECONNREFUSED')])).notSent).toBe(met.notSent)
  })

  it.each([
    [withCode('SOMETHING_NEW'), { fault: 'network' }],
    [new Error('without a code'), { fault: 'network' }],
    [Object.assign(new Error('a number'), { code: 20 }), { fault: 'network' }],
    ['no error at all', { fault: 'network' }],
    [new AggregateError([]), { fault: 'network' }],
    [new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')]), { fault: 'network' }],
    [withCode('ERR_SSL_SOMETHING_NEW'), { fault: 'tls', code: 'ERR_SSL_SOMETHING_NEW' }],
  ])('%s proves nothing', (error, met) => {
    expect(faultOf(error)).toEqual(met)
  })

  it('believes the innermost of wrapped errors', () => {
    const wrapped = Object.assign(new Error('refused', { cause: withCode('ECONNRESET') }), { code: 'ECONNREFUSED' })
    expect(faultOf(wrapped)).toEqual({ fault: 'reset' })
  })
})

it.each<[SendFault, string]>([
  [{ fault: 'timeout' }, 'timeout'],
  [{ fault: 'dns', notSent: true }, 'dns'],
  [{ fault: 'tls', code: 'CERT_HAS_EXPIRED' }, 'tls: CERT_HAS_EXPIRED'],
])('%j is put into words, which name it', (met, words) => {
  expect(inWords(met)).toBe(words)
  expect(faultIn(words)).toBe(met.fault)
})

it('other words than those are cut at their first colon', () => {
  expect(faultIn('HTTP 502: Bad gateway: no\nroute')).toBe('HTTP 502')
})

describe('over real sockets', () => {
  let agent: ReturnType<typeof createAgent> | undefined
  let server: Server | undefined
  const sockets = new Set<Socket>()
  afterEach(() => {
    vi.restoreAllMocks()
    void agent?.destroy()
    for (const socket of sockets) socket.destroy()
    server?.close()
    server = undefined
  })

  async function listen(made: Server): Promise<number> {
    server = made
    made.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
    })
    made.listen(0, '127.0.0.1')
    await once(made, 'listening')
    return (made.address() as AddressInfo).port
  }

  /** What one call meets, without its `ok`. No deadline of ours ends it. */
  async function meet(url: string, headers = 10_000) {
    const options = { deadlines: { headers, total: 20_000 }, timers: createManualTimers(), maxBytes: 1000 }
    agent = createAgent(options)
    const { send } = createTransport(createServiceFetch(agent, 1000), options)
    const sent = await send({ url, headers: {}, body: '{}' })
    if (sent.ok) throw new Error(`It was answered: ${sent.status}.`)
    const { ok: _, ...met } = sent
    return met
  }

  /** What becomes of the lookups of a test. */
  function lookUp(answer: (found: (error: Error) => void) => void): void {
    const spy = vi.spyOn(dns, 'lookup')
    spy.mockImplementation(((_name: string, _options: object, found: (error: Error) => void) => answer(found)) as never)
  }

  it('ECONNREFUSED: nobody listens', async () => {
    expect(await meet(`http://127.0.0.1:${await freePort()}`)).toEqual({ fault: 'refused_connection', notSent: true })
  })

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('%s: the name has no address', async (code) => {
    lookUp((found) => found(withCode(code)))
    expect(await meet('http://service.example')).toEqual({ fault: 'dns', notSent: true })
  })

  it('UND_ERR_CONNECT_TIMEOUT: there was no connection in time', async () => {
    lookUp(() => {})
    expect(await meet('http://service.example', 50)).toEqual({ fault: 'timeout', notSent: true })
  })

  it('DEPTH_ZERO_SELF_SIGNED_CERT: the service proves no identity, and is told nothing', async () => {
    let requests = 0
    const port = await listen(https.createServer(selfSigned, () => (requests += 1)))
    expect(await meet(`https://127.0.0.1:${port}`)).toEqual({
      fault: 'tls',
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      notSent: true,
    })
    expect(requests).toBe(0)
  })

  it('an alert within TLS proves nothing', async () => {
    const port = await listen(http.createServer())
    expect(await meet(`https://127.0.0.1:${port}`)).toMatchObject({ fault: 'tls', code: expect.stringMatching(/SSL/) })
    expect((await meet(`https://127.0.0.1:${port}`)).notSent).toBeUndefined()
  })

  const answered = (bytes: string) => (socket: Socket) => void socket.end(bytes)
  it.each<[string, (socket: Socket) => void, SendFault]>([
    ['UND_ERR_SOCKET, ended without an answer', (socket) => socket.end(), { fault: 'reset' }],
    ['ECONNRESET, reset without an answer', (socket) => socket.resetAndDestroy(), { fault: 'reset' }],
    [
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH or UND_ERR_SOCKET, cut off',
      answered('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{}'),
      { fault: 'reset' },
    ],
    ['HPE_INVALID_CONSTANT, no HTTP', answered('SSH-2.0-x\r\n\r\n'), { fault: 'network' }],
    [
      'HC_INVALID_ANSWER, the status 600',
      answered('HTTP/1.1 600 No\r\ncontent-length: 2\r\n\r\n{}'),
      { fault: 'invalid_answer' },
    ],
    [
      'HC_TOO_LARGE, more bytes than are read',
      answered(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(1001)}`),
      { fault: 'too_large' },
    ],
    [
      'HC_ENCODED, a coding that is not known',
      answered('HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 2\r\n\r\n{}'),
      { fault: 'encoded' },
    ],
  ])('%s, is met after the request was sent, and proves nothing', async (_name, answer, met) => {
    let requests = 0
    const port = await listen(
      createServer((socket) =>
        socket.on('data', () => {
          requests += 1
          answer(socket)
        }),
      ),
    )
    expect(await meet(`http://127.0.0.1:${port}`)).toEqual(met)
    expect(requests).toBe(1)
  })

  it('UND_ERR_DESTROYED: the call was under way when the companion stopped', async () => {
    const port = await listen(createServer((socket) => socket.on('data', () => void agent?.destroy())))
    expect(await meet(`http://127.0.0.1:${port}`)).toEqual({ fault: 'network' })
  })
})
