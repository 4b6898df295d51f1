// The options of a benchmark run.

export interface Options {
  readonly rounds: number
  readonly seconds: number
  readonly clients: readonly number[]
  readonly streams: number
  readonly stored: number
  /** False skips Express and the program with one commit per request. */
  readonly peers: boolean
  /** Folder for the databases of this run; removed at its end. */
  readonly folder: string
}
