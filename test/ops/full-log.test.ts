// A log file on a full disk keeps its lines until there is room. A reader that is gone gets no more
// lines.
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { execFileSync, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLogOutput } from '../../server/platform/logging/log-output.ts'
import { root } from '../helpers/run-quietly.ts'

it('a full disk delays lines and loses none', () => {
  // A file that may not grow beyond 1 KiB answers EFBIG, as a full disk answers ENOSPC.
  const folder = mkdtempSync(join(tmpdir(), 'hc-log-'))
  const file = join(folder, 'log')
  const script = `
    import { ftruncateSync } from 'node:fs'
    import { createLogOutput } from './server/platform/logging/log-output.ts'
    const output = createLogOutput({ fd: 1 })
    for (let n = 0; n < 60; n++) output.write('line ' + n + ' ' + 'x'.repeat(20) + '\\n')
    ftruncateSync(1, 0)
    output.write('last\\n')
    output.flushSync()`
  try {
    const shell = `trap '' XFSZ; ulimit -f 2; exec "$0" --input-type=module-typescript -e "$1" >> ${file}`
    const { status, stderr } = spawnSync('sh', ['-c', shell, process.execPath, script], { cwd: root, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const text = execFileSync('cat', [file], { encoding: 'utf8' })
    expect(text).toContain('line 59 ')
    expect(text).toMatch(/last\n$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('a reader that is gone gets no more lines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-log-'))
  const pipe = join(folder, 'log')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
  const output = createLogOutput({ fd })
  closeSync(reader)
  output.write('first\n')
  const next = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  output.write('second\n')
  output.flushSync()
  expect(() => readSync(next, Buffer.alloc(100))).toThrow('EAGAIN')
  closeSync(next)
  rmSync(folder, { recursive: true })
})
