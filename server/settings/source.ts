// Reads settings one by one, from the variable or from the file that `<name>_FILE` names, and collects faults: one sentence each, which
// begins with the variable's name and contains no value.
import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { codeOf } from '../error-code.ts'
import { type SettingName, misspeltSettings, settingsTable } from './table.ts'

export type Environment = Readonly<Record<string, string | undefined>>
export type ReadFile = (path: string) => string

export interface SettingsSource {
  /** Collects a sentence for each setting that is wrong. */
  readonly faults: string[]
  /** The trimmed text; undefined if it is not given or its file cannot be read. */
  readonly text: (name: SettingName) => string | undefined
  /** The parsed value; undefined if it is not given or wrong. */
  readonly optional: <Value>(name: SettingName, schema: z.ZodType<Value, string>) => Value | undefined
  /** The same, with a fault if it is not given. */
  readonly required: <Value>(name: SettingName, schema: z.ZodType<Value, string>) => Value | undefined
  /** Adds the fault that a setting is missing. */
  readonly missing: (name: SettingName, why: string) => void
}

/** @param readFile how the file of a secret is read; default UTF-8 from disk. */
export function createSettingsSource(
  env: Environment,
  readFile: ReadFile = (path) => readFileSync(path, 'utf8'),
): SettingsSource {
  const faults: string[] = []
  const misspelt = misspeltSettings(env)

  /** Mentions a misspelt variable in the same sentence, because some commands read only one setting. */
  function missing(name: SettingName, why: string): void {
    const beside = misspelt.find(({ meant }) => meant === name)
    faults.push(`${name} is missing: ${why}${beside === undefined ? '' : ` ${beside.says}`}`)
  }

  function text(name: SettingName): string | undefined {
    const variable = settingsTable.find((row) => row.name === name)
    const direct = env[name]?.trim()
    const file = variable !== undefined && 'secret' in variable ? env[`${name}_FILE`]?.trim() : undefined
    if (file === undefined || file === '') return direct === '' ? undefined : direct
    if (direct !== undefined && direct !== '') {
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
    const written = text(name)
    if (written === undefined) return undefined
    const read = schema.safeParse(written)
    if (read.success) return read.data
    faults.push(`${name} ${read.error.issues[0]?.message ?? 'cannot be read.'}`)
    return undefined
  }

  function required<Value>(name: SettingName, schema: z.ZodType<Value, string>): Value | undefined {
    const before = faults.length
    const value = optional(name, schema)
    if (value === undefined && faults.length === before)
      missing(name, `${settingsTable.find((row) => row.name === name)?.about}`)
    return value
  }

  return { faults, text, optional, required, missing }
}
