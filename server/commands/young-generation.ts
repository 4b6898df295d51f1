// Limits V8's young generation (new space), which V8 never shrinks. Loading the program would grow it with one-time garbage, and load would
// grow it to 128 MB for a few percent of speed, which is too much for small machines.
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Maximum size in bytes. 32 MB is no faster; with 16 MB deposits are 3 to 6 % slower (`npm run bench`). */
const ENOUGH = 24 * 1024 * 1024

function grow(times: 1 | 2 | 3): void {
  setFlagsFromString(`--semi-space-growth-factor=${times}`)
}

/** While the program loads: collect more often instead of growing. */
export function keepYoungGenerationSmall(): void {
  grow(1)
}

/** The factor by which V8 grows it next. Doubling misses 24 MB, so the last step is threefold, from 8 MB. */
function stepFrom(size: number): 1 | 2 | 3 {
  if (size >= ENOUGH) return 1
  return size * 3 === ENOUGH ? 3 : 2
}

/** After loading: grow under load, up to `ENOUGH`. */
export function letYoungGenerationGrow(): void {
  grow(2)
  // The maximum size can only be set when Node is started, which we do not control everywhere.
  new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    grow(stepFrom(young?.space_size ?? 0))
  }).observe({ entryTypes: ['gc'] })
}
