// The room for short-lived objects, which V8 never gives back. Loading the program would grow it with garbage that is made once, and load
// would grow it to 128 MB, for a few percent of speed: small machines have better use for them.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Bytes at which it grows no more. 32 MB are no faster; with 16 MB deposits are 3 to 6 % slower (`npm run bench`). */
const ENOUGH = 24 * 1024 * 1024

function grow(times: 1 | 2 | 3): void {
  setFlagsFromString(`--semi-space-growth-factor=${times}`)
}

/** For the time of loading: collected more often instead of grown. */
export function keepYoungSpaceSmall(): void {
  grow(1)
}

/** What V8 multiplies it by next. Doubling passes by 24 MB, so the last step is threefold, from 8. */
function stepFrom(size: number): 1 | 2 | 3 {
  if (size >= ENOUGH) return 1
  return size * 3 === ENOUGH ? 3 : 2
}

/** For the work: grows under load, up to what is enough. */
export function letYoungSpaceGrow(): void {
  grow(2)
  // The largest size can be set only where Node is started, which is not ours to say everywhere.
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    grow(stepFrom(young?.space_size ?? 0))
  }).observe({ entryTypes: ['gc'] })
}
