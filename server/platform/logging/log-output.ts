// Writes log lines to standard output, whose reader may be slow, stuck or gone. Payments never wait
// for it, and process exit not for long.
import sonicBoom from 'sonic-boom'
import { codeOf } from '../error-code.ts'

export interface LogOutputOptions {
  /** A pipe, socket or file open for writing. A pipe or socket must be non-blocking. */
  readonly fd: number
  /** Most bytes buffered for the reader. Further lines are dropped and counted. Default 4 MiB. */
  readonly maxBytes?: number
  /** How long `flushSync` waits for the reader, in milliseconds. Default 2,000. */
  readonly patienceMs?: number
}

/** Of this process. Reading `process.stdout` makes a pipe or socket non-blocking. */
export function standardOutput() {
  return createLogOutput({ fd: process.stdout.fd })
}

export function createLogOutput({ fd, maxBytes = 4 << 20, patienceMs = 2000 }: LogOutputOptions) {
  let deadline = 0
  let dropped = 0
  let gone = false
  const stream = new sonicBoom.SonicBoom({
    fd,
    sync: true,
    maxLength: maxBytes,
    // What a slow reader has not taken is tried again although no new line comes.
    periodicFlush: 1000,
    // Only the last flush waits for the reader. A line that does not fit yet stays in the buffer.
    retryEAGAIN: () => Date.now() < deadline,
  })
  // A full disk may have room again, and its lines are kept until then. A closed pipe has no reader
  // any more.
  stream.on('error', (error: unknown) => {
    if (gone || codeOf(error) !== 'EPIPE') return
    gone = true
    stream.destroy()
  })
  stream.on('drop', () => dropped++)
  stream.on('write', () => {
    if (dropped === 0) return
    const msg = `${dropped} lines of the log were dropped here: standard output was not read in time`
    dropped = 0
    stream.write(`${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg })}\n`)
  })
  return {
    /** Writes one whole line, or buffers it while the reader is behind. */
    write(line: string): void {
      if (!gone) stream.write(line)
    },
    /** Writes the buffer synchronously, as far as the reader accepts it in time. Call it last. */
    flushSync(): void {
      if (gone) return
      deadline = Date.now() + patienceMs
      try {
        stream.flushSync()
      } catch {
        // The reader did not take it in time, or is gone: the process ends without these lines.
      }
    },
  }
}
