// The size of libuv's thread pool, which makes the signatures: not many more threads than processors.
//
// libuv starts four. On two processors four threads that sign push each other, the event loop and the thread of the SQLite file aside: with three, up to
// 5 % more deposits are served, with two 6 to 8 % (`npm run bench -- --only deposits`). But the pool also looks up names.

/** libuv's own default, enough for any machine: see "Signatures" in the page on scale. */
const MOST = 4
/**
 * libuv gives lookups of names half of the threads, rounded up. Of two that is one: while nobody answers for the name of the merchant's receiver, no
 * connection to the service could be opened, and customers waited 10 s for a payment that became `unknown`. Of three it is two, as of four.
 */
const LEAST = 3

export function threadsFor(processors: number): number {
  return Math.min(Math.max(processors, LEAST), MOST)
}

/** To be called before the pool is used, since it never changes its size. A size that the operator has set holds. */
export function fitThreadPool(env: NodeJS.ProcessEnv, processors: number): void {
  env['UV_THREADPOOL_SIZE'] ??= String(threadsFor(processors))
}
