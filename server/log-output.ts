// Where the log's lines go: standard output, whose reader may be slow, stuck or gone. Payments never wait for it and the end of the process not
// for long; what there is no room for is dropped by whole lines, counted, and said once there is room again.
import { writeSync } from 'node:fs'

export interface LogOutputOptions {
  /** Of a pipe, socket or file that is open for writing. A pipe or socket must not block. */
  readonly fd: number
  /** Characters that wait for the reader at most; lines beyond are dropped. Default 4 Mi. */
  readonly most?: number
  /** Milliseconds that `flushSync` waits for the reader. Default 2,000. */
  readonly patienceMs?: number
}

export interface LogOutput {
  /** Takes one whole line; it is written with the others of this turn. */
  write(line: string): void
  /** Writes what waits before it returns, as far as the reader takes it in time. */
  flushSync(): void
}

const RETRY_MS = 20

/** Standard output of this process. Node makes a pipe or socket non-blocking when its stream is first asked for. */
export function standardOutput(): LogOutput {
  return createLogOutput({ fd: process.stdout.fd })
}

export function createLogOutput({ fd, most = 4 << 20, patienceMs = 2000 }: LogOutputOptions): LogOutput {
  let waiting: string[] = []
  let length = 0
  let dropped = 0
  /** Begun, and to be ended before anything else. */
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

  /** False when the reader has to make room first. */
  function pour(): boolean {
    while (!gone) {
      if (rest.length === 0) rest = next()
      if (rest.length === 0) break
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'EAGAIN') return false
        if (code === 'EINTR') continue
        // Nobody will ever read it, or the disk of a log file is full: the payments go on without it.
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
