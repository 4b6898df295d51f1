// A port that was found for a program must still be free when the program takes it, though others open servers and connections meanwhile.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { freePort, freePorts } from '../helpers/free-port.ts'

const range = '/proc/sys/net/ipv4/ip_local_port_range'

it.skipIf(process.platform !== 'linux')('is none of those that the system hands out', async () => {
  const [lowest = 0] = readFileSync(range, 'utf8').split(/\s+/).map(Number)
  // Where a machine hands out nearly all there are, none is left over.
  for (const port of await freePorts(20)) expect(port).toBeLessThan(Math.max(lowest, 32_001))
})

it('is not found twice, by this process or by another beside it', async () => {
  const module = new URL('../helpers/free-port.ts', import.meta.url).href
  const script = `import { freePorts } from '${module}'; console.log(JSON.stringify(await freePorts(20)))`
  const others = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  ) as number[]
  const found = [...(await freePorts(10)), ...(await freePorts(10)), ...others]
  expect(new Set(found).size).toBe(40)
})

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
