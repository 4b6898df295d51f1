// The settings as a list, for help, documentation and the detection of misspelt names.
import { closest, distance } from 'fastest-levenshtein'
import { z } from 'zod'
import { type Field, type SettingMeta, settingsSchema, told } from './schema.ts'

export interface SettingVariable extends SettingMeta {
  readonly field: Field
  readonly required: boolean
}

const schema = settingsSchema(false)
const asText = z.toJSONSchema(schema, { io: 'input' })
const asValue = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })

export const settingsTable: readonly SettingVariable[] = Object.entries(schema.shape).map(([field, of]) => {
  const { about, fallback, ...meta } = told.get(of)!
  const { minimum, maximum } = detailsOf(asValue, field)
  const isWhole = minimum !== undefined && maximum !== undefined
  return {
    ...meta,
    field: field as Field,
    required: asText.required?.includes(field) === true,
    fallback: fallback ?? detailsOf(asText, field).default?.toString(),
    about: isWhole ? `${about} A whole number from ${grouped(minimum)} to ${grouped(maximum)}.` : about,
  }
})

function detailsOf({ properties }: z.core.JSONSchema.BaseSchema, field: string): z.core.JSONSchema.BaseSchema {
  const details = properties?.[field]
  return typeof details === 'object' ? details : {}
}

/** By hand: the help is written at each start, and the first use of Intl costs 6 MB for good. */
function grouped(bound: number): string {
  return String(bound).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Each variable, those for the file of a secret too, with the setting that is meant. */
export const settingVariables: ReadonlyMap<string, string> = new Map(
  settingsTable.flatMap(({ name, secret }) => [
    [name, name] as const,
    ...(secret === undefined ? [] : [[`${name}_FILE`, name] as const]),
  ]),
)

/** Variables of the demo and the sandbox, which share the environment. */
export const otherVariables: ReadonlySet<string> = new Set(['HC_DIRECTORY', 'HC_SANDBOX_PORT', 'HC_DEMO_PORT'])

export interface Misspelt {
  readonly name: string
  /** The setting that was meant. */
  readonly meant?: string
  readonly says: string
}

/**
 * Unknown variables of a meant environment that begin with HC_, with the nearest known name: a
 * mistyped `HC_WEBHOOK_ALOW` would leave the webhook open.
 */
export function misspeltSettings(env: Readonly<Record<string, string | undefined>>): Misspelt[] {
  return Object.keys(env)
    .filter((name) => name.startsWith('HC_') && !settingVariables.has(name) && !otherVariables.has(name))
    .map((name) => {
      const says = `${name} is not a setting`
      const inFile = settingsTable.find((setting) => name === `${setting.name}_FILE`)?.name
      if (inFile !== undefined)
        return { name, meant: inFile, says: `${says}: only secrets are read from files; give ${inFile} itself.` }
      const near = closest(name, [...settingVariables.keys()])
      const meant = distance(name, near) <= 3 ? settingVariables.get(near) : undefined
      return meant === undefined ? { name, says: `${says}.` } : { name, meant, says: `${says}; did you mean ${meant}?` }
    })
}
