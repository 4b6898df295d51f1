// Finds free ports, for programs that must be given their port before they start, or come back to it.
import { createServer } from 'node:net'

/** Below the ports that the system gives to connections, and to who asks for any: one of those may be taken before the program is there. */
const FIRST = 10_100
const COUNT = 21_900

/** Each process begins at a place of its own, so that no two find the same. */
let next = process.pid * 50

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

/** They differ, also from all that were found before. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  while (ports.length < count) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) ports.push(port)
  }
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
