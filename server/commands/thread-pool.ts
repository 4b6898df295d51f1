// The size of libuv's thread pool, which makes the signatures: as many threads as processors.
//
// libuv starts four. On two processors four threads that sign push each other and the event loop aside: with two, 4 to 8 %
// more deposits are served (`npm run bench -- --only deposits`). But the pool also looks up names.

/** libuv's own default, enough for any machine: see "Signatures" in the page on scale. */
const MOST = 4
/**
 * libuv gives lookups of names half of the threads, rounded up, so of two it is one. That is enough, because a lookup that hangs is waited for by nobody who
 * knows the addresses from before (name-lookup.ts), and because the other one signs meanwhile.
 */
const LEAST = 2

export function threadsFor(processors: number): number {
  return Math.min(Math.max(processors, LEAST), MOST)
}

/** To be called before the pool is used, since it never changes its size. A size that the operator has set holds. */
export function fitThreadPool(env: NodeJS.ProcessEnv, processors: number): void {
  env['UV_THREADPOOL_SIZE'] ??= String(threadsFor(processors))
}
