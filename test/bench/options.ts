// What a run of the benchmark is told.

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly clients: readonly number[]
  readonly streams: number
  readonly stored: number
  /** False leaves out Express and the program with one commit each. */
  readonly peers: boolean
  /** For databases of this run; removed at its end. */
  readonly folder: string
}
