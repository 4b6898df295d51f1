// A database thread that fails at a commit, as the variable HC_TEST_FAULT says.
import { workerData } from 'node:worker_threads'
import { openKnown } from '../../server/store/sqlite-file.ts'
import type { ThreadData } from '../../server/store/sqlite-messages.ts'
import { serveSqlite } from '../../server/store/sqlite-messages.ts'

/** `kill`: the process; `exit`: the thread, `now` or when it is `ready`; `fsync`: the disk, at a commit or when the log is copied or emptied; `stray`: an answer that nobody asked for. */
export type ThreadFault =
  | 'kill before'
  | 'kill after'
  | 'exit before'
  | 'exit after'
  | 'exit now'
  | 'exit ready'
  | 'fsync before'
  | 'fsync once'
  | 'fsync copy'
  | 'fsync empty'
  | 'full copy'
  | 'stray before'

const { path, port } = workerData as ThreadData

const database = openKnown(path)
const pragma = database.pragma.bind(database)
database.pragma = (source, options) => {
  if (source.includes('TRUNCATE') && process.env['HC_TEST_FAULT'] === 'fsync empty')
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
  return pragma(source, options)
}

serveSqlite(port, database, (when) => {
  const fault = process.env['HC_TEST_FAULT']
  if (fault === `kill ${when}`) process.kill(process.pid, 'SIGKILL')
  if (fault === `exit ${when}`) process.exit(3)
  if (fault === `fsync ${when}`) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
  if (fault === `full ${when}`) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  if (fault === 'fsync once') {
    delete process.env['HC_TEST_FAULT']
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
  }
  if (fault === `stray ${when}`) port.postMessage([1_000_000, [[]]])
})
if (process.env['HC_TEST_FAULT'] === 'exit ready') {
  process.env['HC_TEST_ENDING'] = 'yes'
  process.exit(3)
}
// It also keeps the thread alive, as what others load into every thread may do.
setInterval(() => {
  process.env['HC_TEST_ALIVE'] = 'yes'
  if (process.env['HC_TEST_FAULT'] === 'exit now') process.exit(3)
}, 5)
