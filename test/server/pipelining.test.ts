// A connection that pipelines requests must not delay all others.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../../server/platform/logging/logger.ts'
import type { RunningCompanion } from '../../server/node.ts'
import { startCompanion } from '../../server/node.ts'
import { environment } from '../helpers/create-test-system.ts'

let folder: string
let running: RunningCompanion
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hc-pipelining-'))
  running = await startCompanion(environment(folder), { logger: silentLogger })
})
afterEach(async () => {
  await running.close()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Sends that many requests at once, the last of which asks for the end of the connection; how many
 * were answered until then.
 */
async function answersTo(requests: number): Promise<number> {
  const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  socket.on('error', () => {})
  const ask = 'GET /healthz HTTP/1.1\r\nhost: x\r\n'
  socket.write(`${`${ask}\r\n`.repeat(requests - 1)}${ask}connection: close\r\n\r\n`)
  await once(socket, 'close')
  return text.split('{"ok":true}').length - 1
}

it('a client that pipelines gets each answer', async () => {
  expect(await answersTo(30)).toBe(30)
})

it('a connection with a thousand requests at once is cut, and others are answered', async () => {
  expect(await answersTo(1000)).toBeLessThan(50)
  expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
})
