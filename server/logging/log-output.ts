// Writes log lines to standard output, whose reader may be slow, stuck or gone. Payments never wait for it, and process exit not for long;
// when the buffer is full, whole lines are dropped, counted, and the count is logged once there is room again.
import { writeSync } from 'node:fs'
import { codeOf } from '../error-code.ts'

export interface LogOutputOptions {
  /** A pipe, socket or file open for writing. A pipe or socket must be non-blocking. */
  readonly fd: number
  /** Most characters buffered for the reader; lines beyond are dropped. Default 4 Mi. */
  readonly most?: number
  /** How long `flushSync` waits for the reader, in milliseconds. Default 2,000. */
  readonly patienceMs?: number
}

export interface LogOutput {
  /** Buffers one whole line; lines of one turn of the event loop are written together. */
  write(line: string): void
  /** Writes the buffer synchronously, as far as the reader accepts it in time. */
  flushSync(): void
}

const RETRY_MS = 20

/** Standard output of this process. Accessing `process.stdout` makes a pipe or socket non-blocking. */
export function standardOutput(): LogOutput {
  return createLogOutput({ fd: process.stdout.fd })
}

export function createLogOutput({ fd, most = 4 << 20, patienceMs = 2000 }: LogOutputOptions): LogOutput {
  let waiting: string[] = []
  let length = 0
  let dropped = 0
  /** Rest of a partial write, to be completed before anything else. */
  let rest: Buffer = Buffer.alloc(0)
  let scheduled = false
  let gone = false

  function next(): Buffer {
    if (dropped > 0) {
      const msg = `${dropped} lines of the log were dropped here: standard output was not read in time`
      waiting.push(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`)
      dropped = 0
    }
    const text = waiting.join('')
    waiting = []
    length = 0
    return Buffer.from(text)
  }

  /** Writes what it can; false if the reader has to make room first. */
  function pour(): boolean {
    while (!gone) {
      if (rest.length === 0) rest = next()
      if (rest.length === 0) break
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        const code = codeOf(error)
        if (code === 'EAGAIN') return false
        if (code === 'EINTR') continue
        // The reader is gone, or the disk of the log file is full: payments go on without it.
        gone = code !== 'ENOSPC'
        dropped += rest.toString().split('\n').length - 1
        rest = Buffer.alloc(0)
        break
      }
    }
    return true
  }

  function pourSoon(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(function tryNow() {
      scheduled = !pour()
      if (scheduled) setTimeout(tryNow, RETRY_MS).unref()
    })
  }

  return {
    write(line) {
      if (gone) return
      if (length + line.length > most) {
        dropped += 1
        return
      }
      waiting.push(line)
      length += line.length
      pourSoon()
    },
    flushSync() {
      const still = new Int32Array(new SharedArrayBuffer(4))
      for (let waited = 0; !pour() && waited < patienceMs; waited += RETRY_MS) Atomics.wait(still, 0, 0, RETRY_MS)
    },
  }
}
