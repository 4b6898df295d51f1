// Reproducible randomness: a small seeded generator (sfc32), so that a failing world can be
// replayed from its seed alone.

export interface Chance {
  /** From 0 up to, not including, 1. */
  unit(): number
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  /** True in `share` of the cases. */
  happens(share: number): boolean
  pick<T>(list: readonly T[]): T
  bytes(length: number): Uint8Array
  /** A separate generator, so that the draws of one part do not shift those of another. */
  fork(): Chance
}

/** The same seed gives the same draws, on every machine. */
export function createChance(seed: number): Chance {
  let a = 0x9e3779b9 ^ seed
  let b = 0x243f6a88 ^ Math.imul(seed, 0x85ebca6b)
  let c = 0xb7e15162 ^ Math.imul(seed, 0xc2b2ae35)
  let counter = 1

  function word(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let turn = 0; turn < 15; turn++) word()

  const unit = () => word() / 0x1_0000_0000
  const below = (end: number) => Math.floor(unit() * end)
  return {
    unit,
    below,
    between: (low, high) => low + below(high - low + 1),
    happens: (share) => unit() < share,
    pick<T>(list: readonly T[]): T {
      return list[below(list.length)] as T
    },
    bytes(length) {
      const bytes = new Uint8Array(length)
      for (let index = 0; index < length; index++) bytes[index] = word() >>> 13
      return bytes
    },
    fork: () => createChance(word()),
  }
}
