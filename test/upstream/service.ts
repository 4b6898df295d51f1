// A configurable payment service for tests: answers as told, over a real loopback socket or as a
// `fetch`, and can misbehave below HTTP. Shares nothing with the sandbox.
import * as http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Timers } from '../../server/upstream/transport.ts'

export interface Seen {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly json: Readonly<Record<string, unknown>>
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Below HTTP: what the socket does instead of an answer. */
export type Mischief = (socket: Socket, response: http.ServerResponse) => void
export type Behaviour = Reply | Mischief
export type Door = 'login' | 'banks' | 'deposit' | 'query'

export const enveloped = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ success: false, message }),
})
export const fine = (data: unknown, message = 'Successfully initiated'): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ success: true, message, data }),
})

const DOORS: Readonly<Record<string, Door>> = {
  '/api/v2/auth/login': 'login',
  '/api/v2/banks/get-by-country': 'banks',
  '/api/v2/payment/': 'deposit',
  '/api/v2/payment/status-query': 'query',
}

export function createService() {
  const seen: Record<Door, Seen[]> = { login: [], banks: [], deposit: [], query: [] }
  let tokens = 0
  let waiting: { door: Door; count: number; resolve: () => void }[] = []

  /** The honest ways; a test replaces those that it spoils. */
  const doors: Record<Door, (call: Seen) => Behaviour> = {
    login: () => {
      tokens += 1
      return fine({ access_token: `token-${tokens}`, token_type: 'bearer', expires_in: 3600 }, 'Success')
    },
    banks: () => fine([{ name: 'UBA Kenya Bank Ltd', currency: 'KES', code: '76' }]),
    deposit: (call) =>
      fine({
        transaction_id: 'CP7S36ULT8P',
        reference: call.json['reference'],
        status: 'PENDING',
        status_description: 'Pending',
        amount: call.json['amount'],
        currency: call.json['currency'],
        redirect_url: 'https://checkout.example/s/abc',
        date: '2024-02-17 13:34:02 PM',
      }),
    query: (call) =>
      fine(
        {
          acc_name: 'Achieng Otieno',
          acc_no: '254700000000',
          description: 'Order',
          transaction_id: 'CP7S36ULT8P',
          reference: call.json['reference'],
          status: 'PENDING',
          status_description: 'Pending',
          date: '2024-02-17 13:34:02 PM',
        },
        'Successfully fetched',
      ),
  }

  function take(path: string, headers: Readonly<Record<string, string>>, body: string): Behaviour {
    const door = DOORS[path]
    if (door === undefined) return { status: 404, body: 'nothing here' }
    const call: Seen = { path, headers, body, json: JSON.parse(body) as Record<string, unknown> }
    seen[door].push(call)
    waiting = waiting.filter((one) => {
      if (one.door !== door || seen[door].length < one.count) return true
      one.resolve()
      return false
    })
    return doors[door](call)
  }

  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const behaviour = take(request.url ?? '', headers, Buffer.concat(chunks).toString('utf8'))
      if (typeof behaviour === 'function') return behaviour(request.socket, response)
      response.writeHead(behaviour.status, { ...behaviour.headers })
      response.end(behaviour.body ?? '')
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  const disconnect = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    seen,
    doors,
    /** Resolves when the door was called so many times. */
    called(door: Door, count = 1): Promise<void> {
      if (seen[door].length >= count) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ door, count, resolve }))
    },
    /** In-process; a mischief never answers. */
    fetch: (async (input: Request | string | URL, init?: RequestInit) => {
      const request = input instanceof Request ? input : new Request(input, init)
      const behaviour = take(new URL(request.url).pathname, Object.fromEntries(request.headers), await request.text())
      if (typeof behaviour === 'function') return new Promise<Response>(() => {})
      return new Response(behaviour.body ?? null, { status: behaviour.status, headers: { ...behaviour.headers } })
    }) as typeof globalThis.fetch,
    async listen(): Promise<string> {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    connections: () => sockets.size,
    disconnect,
    async close(): Promise<void> {
      disconnect()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Timers that go off when the test says so. */
export function createManualTimers(): Timers & { advance(ms: number): void; pending(): number } {
  let at = 0
  let next = 0
  const waiting = new Map<number, { readonly due: number; readonly callback: () => void }>()
  return {
    setTimeout(callback, ms) {
      next += 1
      waiting.set(next, { due: at + ms, callback })
      return next
    },
    clearTimeout(handle) {
      waiting.delete(handle as number)
    },
    advance(ms) {
      at += ms
      for (const [handle, timer] of [...waiting].toSorted((a, b) => a[1].due - b[1].due)) {
        if (timer.due > at || !waiting.delete(handle)) continue
        timer.callback()
      }
    },
    pending: () => waiting.size,
  }
}
