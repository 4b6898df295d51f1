// New connections do not queue behind a crowd: a busy server accepts many per turn, answers on each, and closes with all of them.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { Server as Ear, connect } from 'node:net'
import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Listening } from '../../server/listening.ts'
import { listenWide } from '../../server/listening.ts'

let server: Server
let listening: Listening | undefined
const sockets: Socket[] = []

async function open(): Promise<number> {
  server = createServer((_request, response) => response.end('heard'))
  listening = await listenWide(server, '127.0.0.1', 0)
  return listening.address.port
}

afterEach(async () => {
  vi.restoreAllMocks()
  for (const socket of sockets.splice(0)) socket.destroy()
  server.closeAllConnections()
  await listening?.close()
  listening = undefined
})

async function crowd(port: number, size: number): Promise<Socket[]> {
  const came = Array.from({ length: size }, () => connect(port, '127.0.0.1'))
  sockets.push(...came)
  await Promise.all(came.map((socket) => once(socket, 'connect')))
  return came
}

describe('a server that listens with many ears', () => {
  it.skipIf(process.platform !== 'linux')('takes a crowd within few turns of its event loop', async () => {
    const port = await open()
    let taken = 0
    let turns = 0
    const all = new Promise<void>((resolve) => {
      server.on('connection', () => {
        taken += 1
        if (taken === 200) resolve()
      })
    })
    const turn = () => {
      turns += 1
      if (taken < 200) setImmediate(turn)
    }
    // They all wait at the door before the loop looks: another thread has opened the connections while this one stood still.
    const opened = new Int32Array(new SharedArrayBuffer(4))
    const crowding = `
      const { workerData: { port, opened }, parentPort } = require('node:worker_threads')
      for (let n = 0; n < 200; n++) require('node:net').connect(port, '127.0.0.1', () => {
        Atomics.add(opened, 0, 1)
        Atomics.notify(opened, 0)
      }).on('error', () => {})
      parentPort.once('message', () => {})`
    const worker = new Worker(crowding, { eval: true, workerData: { port, opened } })
    await once(worker, 'online')
    for (let n = 0; n < 200; n = Atomics.load(opened, 0))
      if (Atomics.wait(opened, 0, n, 60_000) === 'timed-out') throw new Error(`${n} of 200 have connected.`)
    setImmediate(turn)
    await all
    await worker.terminate()
    // One a turn would be 200.
    expect(turns).toBeLessThan(100)
  })

  it('answers on every connection, whichever ear has heard it', async () => {
    const port = await open()
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
        return answer.text()
      }),
    )
    expect(answers).toEqual(Array.from({ length: 100 }, () => 'heard'))
  })

  it('listens on the address that it is given, and no other', async () => {
    const port = await open()
    expect(server.address()).toMatchObject({ address: '127.0.0.1', port })
    expect(listening?.address).toEqual(server.address())
  })

  it('does not share its port with another, and gives it back at its end', async () => {
    const port = await open()
    const other = createServer()
    await expect(listenWide(other, '127.0.0.1', port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await crowd(port, 20)
    server.closeAllConnections()
    await listening?.close()
    listening = await listenWide(other, '127.0.0.1', port)
    expect(listening.address.port).toBe(port)
    server = other
  })

  it.skipIf(process.platform !== 'linux')(
    'leaves nobody listening when there are files for some ears only',
    async () => {
      const ears: Ear[] = []
      const original = Ear.prototype.listen
      vi.spyOn(Ear.prototype, 'listen').mockImplementation(function fewFiles(this: Ear, ...args) {
        ears.push(this)
        if (ears.length < 6) return original.apply(this, args)
        process.nextTick(() => this.emit('error', Object.assign(new Error('too many open files'), { code: 'EMFILE' })))
        return this
      })
      server = createServer()
      await expect(listenWide(server, '127.0.0.1', 0)).rejects.toMatchObject({ code: 'EMFILE' })
      expect(ears.filter((ear) => ear.listening)).toEqual([])
    },
  )

  it('knows all its connections: idle ones can be closed at a stop', async () => {
    const port = await open()
    const came = await crowd(port, 40)
    await Promise.all(
      came.map(async (socket) => {
        socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
        await once(socket, 'data')
      }),
    )
    const ended = Promise.all(came.map((socket) => once(socket, 'close')))
    for (const socket of came) socket.resume()
    const closing = listening?.close()
    server.closeIdleConnections()
    await ended
    await closing
  })
})
