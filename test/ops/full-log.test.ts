// A log file on a full disk loses lines and says how many once there is room; a reader that is gone gets no more.
import { expect, it, vi } from 'vitest'
import { createLogOutput } from '../../server/logging/log-output.ts'

const file = vi.hoisted(() => ({ fault: undefined as string | undefined, text: '' }))
vi.mock('node:fs', async (original) => ({
  ...(await original<object>()),
  writeSync: (_fd: number, bytes: Buffer) => {
    if (file.fault !== undefined) throw Object.assign(new Error(file.fault), { code: file.fault })
    file.text += bytes.toString()
    return bytes.length
  },
}))

it.each([
  ['ENOSPC', 'goes on when there is room again', /^third\n\{.*2 lines of the log were dropped.*\}\n$/],
  ['EPIPE', 'gets no more lines', /^$/],
])('an output that failed with %s %s', (fault, _what, written) => {
  Object.assign(file, { fault, text: '' })
  const output = createLogOutput({ fd: 1 })
  output.write('first\n')
  output.write('second\n')
  output.flushSync()
  file.fault = undefined
  output.write('third\n')
  output.flushSync()
  expect(file.text).toMatch(written)
})
