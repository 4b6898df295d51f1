// A port that was found for a program must still be free when the program takes it, though others
// open servers and connections meanwhile.
import { readFileSync } from 'node:fs'
import { createServer, Server } from 'node:net'
import { execFileSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { freePort, freePorts, portsBelow } from '../helpers/free-port.ts'

const range = '/proc/sys/net/ipv4/ip_local_port_range'
const linux = process.platform === 'linux'

it.skipIf(!linux)('is none of those that the system hands out', async () => {
  const end = portsBelow(Number.parseInt(readFileSync(range, 'utf8')))
  for (const port of await freePorts(20)) expect(port).toBeLessThan(end)
})

it.each([
  [32_768, 32_000],
  [15_000, 15_000],
  // Where a machine hands out nearly all there are, none is left over.
  [1024, 32_000],
])('on a machine whose own ports begin at %i is below %i', (lowest, end) => {
  expect(portsBelow(lowest)).toBe(end)
})

it.skipIf(!linux)(
  'is not found twice, by this process or by another beside it that began at the same place',
  async () => {
    const found = [...(await freePorts(10)), ...(await freePorts(10))]
    vi.resetModules()
    const sameAgain = await import('../helpers/free-port.ts')
    found.push(...(await sameAgain.freePorts(30)))
    const module = new URL('../helpers/free-port.ts', import.meta.url).href
    const script = `import { freePorts } from '${module}'; console.log(JSON.stringify(await freePorts(50)))`
    const options = { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } } as const
    found.push(
      ...(JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options)) as number[]),
    )
    expect(new Set(found).size).toBe(100)
  },
)

it('is not one that somebody has', async () => {
  const taken = createServer()
  const next = (await freePort()) + 1
  await new Promise<unknown>((resolve) => {
    // Somebody else's, then.
    taken.once('error', resolve)
    taken.listen(next, '127.0.0.1', () => resolve(undefined))
  })
  expect(await freePort()).not.toBe(next)
  taken.close()
})

it('is not looked for without end where nobody may listen', async () => {
  const listen = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    process.nextTick(() => this.emit('error', new Error('not permitted')))
    return this
  })
  await expect(freePort()).rejects.toMatchObject({ cause: { message: 'not permitted' } })
  listen.mockRestore()
})
