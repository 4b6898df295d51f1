// Compares results with goals: one row per goal, in the same format for all parts of the benchmark.
import { watchStolen } from './figures.ts'

export interface Goal {
  readonly what: string
  /** The measured values; `undefined` if there is none to compare with. */
  readonly ours: number
  readonly bare?: number | undefined
  readonly peer?: number | undefined
  /** The value compared with the limit: our figure, or its ratio to another. */
  readonly value: number
  readonly limit: readonly ['at least' | 'at most', number]
  /** Shown behind the figures. */
  readonly unit: string
}

const all: Goal[] = []

const short = (value: number | undefined): string => {
  if (value === undefined) return '-'
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return Math.abs(value) >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function reached({ value, limit: [side, limit] }: Goal): boolean {
  return side === 'at least' ? value >= limit : value <= limit
}

function linesOf(goals: readonly Goal[]): string[][] {
  return [
    ['goal', 'ours', 'bare', 'peer', 'unit', 'ratio or figure', 'limit', 'result'],
    ...goals.map((goal) => [
      goal.what,
      short(goal.ours),
      short(goal.bare),
      short(goal.peer),
      goal.unit,
      short(goal.value),
      `${goal.limit[0]} ${goal.limit[1]}`,
      reached(goal) ? 'reached' : 'SHORT',
    ]),
  ]
}

function print(lines: readonly (readonly string[])[]): void {
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0))) ?? []
  for (const line of lines)
    console.log(
      line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
}

/** Prints the rows now, and keeps them for the end. */
export function report(...goals: readonly Goal[]): void {
  all.push(...goals)
  print(linesOf(goals))
}

/** Prints all rows of the run again; returns them as texts, header first. */
export function reportAll(): string[][] {
  const lines = linesOf(all)
  if (all.length === 0) return lines
  console.log(`\nAll goals: ${all.filter(reached).length} of ${all.length} reached`)
  print(lines)
  return lines
}

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** `sorted` is ascending; `share` 0.99 is the 99th percentile. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** A measurement, with the stolen CPU time in percent. */
type Watched<Result> = Result & { readonly stolenPercent: number }

/**
 * Runs all contestants in each round, in reverse order every second round, so that a slow minute of
 * the machine affects all of them.
 */
export async function interleave<Name extends string, Result extends object>(
  rounds: number,
  contestants: Readonly<Partial<Record<Name, () => Promise<Result>>>>,
): Promise<Record<Name, Watched<Result>[]>> {
  const names = Object.keys(contestants) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Watched<Result>[]])) as Record<
    Name,
    Watched<Result>[]
  >
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const stolen = watchStolen()
      const result = await (contestants[name] as () => Promise<Result>)()
      results[name].push({ ...result, stolenPercent: stolen() })
    }
  return results
}

/** Prints one line per contestant: median, and minimum to maximum in brackets. */
export function details<Name extends string>(title: string, results: Readonly<Record<Name, readonly object[]>>): void {
  console.log(`\n${title}`)
  const table: Record<string, Record<string, string>> = {}
  for (const [name, rows] of Object.entries(results) as [Name, readonly object[]][])
    table[name] = Object.fromEntries(
      Object.keys(rows[0] ?? {}).map((key) => {
        const values = rows.map((row) => Number((row as Record<string, unknown>)[key]))
        return [key, `${short(median(values))} (${short(Math.min(...values))}-${short(Math.max(...values))})`]
      }),
    )
  console.table(table)
}
