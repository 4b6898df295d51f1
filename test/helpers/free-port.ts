// Finds free ports, for programs that must be given their port before they start, or come back to
// it.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { ListenOptions, Server } from 'node:net'

/**
 * Where a Linux machine says which ports it gives to connections, and to who asks for any: one of
 * those may be taken before the program is there.
 */
const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'
const FIRST = 10_100
const COUNT = portsBelow(existsSync(RANGE) ? Number.parseInt(readFileSync(RANGE, 'utf8')) : 32_000) - FIRST

/** Each process begins at a place of its own. */
let next = process.pid * 50

/**
 * The end of what there is to choose from on a machine whose own ports begin at `lowest`: one that
 * keeps none for others has none to spare.
 */
export function portsBelow(lowest: number): number {
  return lowest < FIRST + 1_000 ? 32_000 : Math.min(lowest, 32_000)
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** They differ, also from all that were found before. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  let fault: unknown
  for (let tries = 0; ports.length < count; tries++) {
    if (tries === COUNT) throw new Error(`None of the ports from ${FIRST} is free.`, { cause: fault })
    const port = FIRST + (next++ % COUNT)
    try {
      await take(port)
      ports.push(port)
    } catch (error) {
      fault = error
    }
  }
  return ports
}

/**
 * Others of these tests leave it alone until this process ends, though its program is not there
 * yet: on Linux by a socket that has a name and no file.
 */
async function take(port: number): Promise<void> {
  const claim = process.platform === 'linux' ? await listening({ path: `\0hc-test-port-${port}` }) : undefined
  try {
    const server = await listening({ port, host: '127.0.0.1' })
    await new Promise((resolve) => server.close(resolve))
  } catch (error) {
    claim?.close()
    throw error
  }
}

async function listening(options: ListenOptions): Promise<Server> {
  const server = createServer().unref().listen(options)
  await once(server, 'listening')
  return server
}
