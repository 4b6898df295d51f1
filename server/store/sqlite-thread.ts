// Entry module of the SQLite thread: started by sqlite-threaded.ts with the file's path and a port, it answers each message in turn.
import { workerData } from 'node:worker_threads'
import { openKnown } from './sqlite-file.ts'
import type { ThreadData } from './sqlite-messages.ts'
import { serveSqlite } from './sqlite-messages.ts'

// Null when the module is loaded outside a thread.
const given = workerData as ThreadData | null
if (given !== null) serveSqlite(given.port, openKnown(given.path))
