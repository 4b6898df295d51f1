// A client that asks and takes no answer must not hold its connection for ever.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { RunningCompanion } from '../../server/node.ts'
import { startCompanion } from '../../server/node.ts'
import { environment } from '../helpers/create-test-system.ts'

let folder: string
let running: RunningCompanion
let asked: { socket: Socket; timeout: number | undefined }[]
function note(message: unknown): void {
  const { socket } = message as { socket: Socket }
  asked.push({ socket, timeout: socket.timeout })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hc-slow-readers-'))
  running = await startCompanion(environment(folder), { logger: silentLogger })
  asked = []
  subscribe('http.server.request.start', note)
})
afterEach(async () => {
  unsubscribe('http.server.request.start', note)
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a connection on which no byte moves has a limit, for its first answer and for a later one', async () => {
  // The system gives each connection to one of many sockets, all of which have to set the limit.
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    const ask = async () => {
      socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n')
      await once(socket, 'data')
    }
    await ask()
    await ask()
    expect(asked.splice(0, 1)[0]?.timeout).toBe(120_000)
    const [again] = asked.splice(0)
    expect(again?.timeout).toBe(120_000)
    // What Node says of a still connection.
    again!.socket.emit('timeout')
    await once(socket, 'close')
  }
})
