// How V8 runs a server on a small machine: settings that can only be made by flags, for the program as a whole. An embedded companion leaves those
// of its host alone.
//
// The young generation (new space) is limited, because V8 never shrinks it. Loading the program would grow it with one-time garbage, and load would
// grow it to 128 MB for a few percent of speed, which is too much for small machines.
//
// Functions are compiled once, by TurboFan. Since Node 24 V8 compiles each hot function with Maglev first, and waits with TurboFan until it was called
// 10,000 times: under load that keeps the compilers busy for fifteen seconds after a start, with 70 µs of processor time for each deposit instead of
// 25. Those are the seconds in which customers repeat what a restart has cut off. Later there is no difference (`npm run bench`).
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Maximum size in bytes. 32 MB is no faster; with 16 MB deposits are 3 to 6 % slower (`npm run bench`). */
const ENOUGH = 24 * 1024 * 1024

/**
 * Calls before a function is compiled. With 3000, V8's own number without Maglev, it takes twice as long until all that matters is compiled; with
 * 800 the code is slower, since too little is known of its types.
 */
const CALLS = 1500

function grow(times: 1 | 2 | 3): void {
  setFlagsFromString(`--semi-space-growth-factor=${times}`)
}

/** Before the program loads: compile less, and collect more often instead of growing. */
export function prepareV8(): void {
  // A function keeps this number for its first compilation, whichever compiler does it then.
  setFlagsFromString(`--invocation-count-for-maglev=${CALLS}`)
  grow(1)
}

/** The factor by which V8 grows it next. Doubling misses 24 MB, so the last step is threefold, from 8 MB. */
function stepFrom(size: number): 1 | 2 | 3 {
  if (size >= ENOUGH) return 1
  return size * 3 === ENOUGH ? 3 : 2
}

/** For what is hot from now on. Not before there is load: the larger compiler alone would leave 5 MB more in memory. */
function compileOnce(): void {
  setFlagsFromString('--no-maglev')
  // When it is started without Maglev, V8 makes the second change by itself.
  setFlagsFromString(`--invocation-count-for-turbofan=${CALLS}`)
  setFlagsFromString('--no-maglev-overwrite-budget')
}

/** After loading: grow under load, up to `ENOUGH`, and then compile once. */
export function letV8Grow(): void {
  grow(2)
  // The maximum size can only be set when Node is started, which we do not control everywhere.
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    const size = young?.space_size ?? 0
    grow(stepFrom(size))
    if (size < ENOUGH) return
    observer.disconnect()
    compileOnce()
  })
  observer.observe({ entryTypes: ['gc'] })
}
