// The thread that works on the file: started by sqlite-threaded.ts with the file's path, it answers each message in its turn.
import { parentPort, workerData } from 'node:worker_threads'
import { openKnown } from './sqlite-file.ts'
import { serveSqlite } from './sqlite-served.ts'

if (parentPort) serveSqlite(parentPort, openKnown((workerData as { readonly path: string }).path))
