// Reads settings one by one, from the variable or from the file that `<name>_FILE` names, and collects faults: one sentence each, which
// begins with the variable's name and contains no value.
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { codeOf } from '../error-code.ts'
import { type Environment, meantEnvironment } from './environment.ts'
import { type NumberName, type SettingName, misspeltSettings, ranges, settingsTable } from './table.ts'
import * as values from './values.ts'

export type { Environment } from './environment.ts'
export type ReadFile = (path: string) => string

export interface SettingsSource {
  /** Collects a sentence for each setting that is wrong. */
  readonly faults: string[]
  /** Whether it is given, be it wrong: then that is its fault, not that it is missing. */
  readonly isGiven: (name: SettingName) => boolean
  /** The trimmed text; undefined if it is not given or its file cannot be read. */
  readonly text: (name: SettingName) => string | undefined
  /** The parsed value; undefined if it is not given or wrong. */
  readonly optional: <Value>(name: SettingName, schema: z.ZodType<Value, string>) => Value | undefined
  /** The same of a whole number, within its range in the table. */
  readonly whole: (name: NumberName) => number | undefined
  /** As `optional`, with a fault if it is not given. */
  readonly required: <Value>(name: SettingName, schema: z.ZodType<Value, string>) => Value | undefined
  /** Adds the fault that a setting is missing. */
  readonly missing: (name: SettingName, why: string) => void
}

/** @param readFile how the file of a secret is read; default UTF-8 from disk. */
export function createSettingsSource(
  given: Environment,
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
): SettingsSource {
  const { env } = meantEnvironment(given)
  const faults: string[] = []
  const misspelt = misspeltSettings(env)

  /** Mentions a misspelt variable in the same sentence, because some commands read only one setting. */
  function missing(name: SettingName, why: string): void {
    const beside = misspelt.find(({ meant }) => meant === name)
    faults.push(`${name} is missing: ${why}${beside === undefined ? '' : ` ${beside.says}`}`)
  }

  /** What is written for a setting: its text, the file that holds it, or wrongly both. */
  function written(name: SettingName): { direct: string | undefined; file: string | undefined } {
    const variable = settingsTable.find((row) => row.name === name)
    const valueOf = (key: string) => env[key]?.trim() || undefined
    return {
      direct: valueOf(name),
      file: variable !== undefined && 'secret' in variable ? valueOf(`${name}_FILE`) : undefined,
    }
  }

  function isGiven(name: SettingName): boolean {
    const { direct, file } = written(name)
    return direct !== undefined || file !== undefined
  }

  function text(name: SettingName): string | undefined {
    const { direct, file } = written(name)
    if (file === undefined) return direct
    if (direct !== undefined) {
      faults.push(`${name} and ${name}_FILE are both given; keep one.`)
      return undefined
    }
    try {
      const content = readFile(file).trim()
      if (content === '') faults.push(`${name}_FILE names an empty file.`)
      return content === '' ? undefined : content
    } catch (error) {
      const code = codeOf(error)
      faults.push(`${name}_FILE names a file that cannot be read${code === '' ? '' : ` (${code})`}.`)
      return undefined
    }
  }

  function optional<Value>(name: SettingName, schema: z.ZodType<Value, string>): Value | undefined {
    const content = text(name)
    if (content === undefined) return undefined
    const read = schema.safeParse(content)
    if (read.success) return read.data
    faults.push(`${name} ${read.error.issues[0]?.message ?? 'cannot be read.'}`)
    return undefined
  }

  function required<Value>(name: SettingName, schema: z.ZodType<Value, string>): Value | undefined {
    if (!isGiven(name)) missing(name, `${settingsTable.find((row) => row.name === name)?.about}`)
    return optional(name, schema)
  }

  function whole(name: NumberName): number | undefined {
    return optional(name, values.whole(...ranges[name]))
  }

  return { faults, isGiven, text, optional, whole, required, missing }
}
