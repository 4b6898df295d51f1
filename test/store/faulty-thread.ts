// A thread of the database that fails as the variable HC_TEST_FAULT says at the time of a commit.
import { parentPort, workerData } from 'node:worker_threads'
import { openKnown } from '../../server/store/sqlite-file.ts'
import { serveSqlite } from '../../server/store/sqlite-served.ts'

/** `kill`: the process; `exit`: the thread; `fsync`: the disk. */
export type ThreadFault = 'kill before' | 'kill after' | 'exit before' | 'exit after' | 'fsync before'

const { path } = workerData as { readonly path: string }

if (parentPort)
  serveSqlite(parentPort, openKnown(path), (when) => {
    const fault = process.env['HC_TEST_FAULT']
    if (fault === `kill ${when}`) process.kill(process.pid, 'SIGKILL')
    if (fault === `exit ${when}`) process.exit(3)
    if (fault === `fsync ${when}`) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
  })
