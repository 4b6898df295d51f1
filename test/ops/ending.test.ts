// Start and stop of a companion: its log names the version, and a connection without any request does not delay the stop.
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../server/logger.ts'
import { startCompanion } from '../../server/node.ts'
import { environment } from '../helpers/create-house.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'hc-ending-'))
  folders.push(made)
  return made
}

it('the first line of its log says which release runs where', async () => {
  const lines: object[] = []
  const logger = { ...silentLogger, info: (fields: object) => void lines.push(fields) }
  const running = await startCompanion(environment(folder()), { logger })
  await running.close()
  expect(lines[0]).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), url: running.url })
})

describe('the end of a companion', () => {
  it('waits for no connection that has never asked anything', async () => {
    const running = await startCompanion(environment(folder()), { logger: silentLogger })
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    await once(socket, 'connect')
    // Known to the server once something else was answered after it.
    expect((await fetch(`${running.url}/healthz`)).status).toBe(200)
    let patience: NodeJS.Timeout | undefined
    const tooLong = new Promise<string>((resolve) => (patience = setTimeout(resolve, 8_000, 'it waited')))
    expect(await Promise.race([running.close().then(() => 'ended'), tooLong])).toBe('ended')
    clearTimeout(patience)
    socket.destroy()
  })
})
