// Writes the contract's types out as TypeScript that needs no zod: in the published package it
// takes the place of contract.ts.
import { readFileSync } from 'node:fs'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { z } from 'zod'
import * as contract from '../contract/index.ts'

/** No JSON Schema says that a value is JSON; the type of the contract does. */
const METADATA = 'Record<string, JsonValue>'
const BANNER = `// Made from the contract of the companion.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }`

/** What the compiler says of each type, and what it makes of the schema that holds them all. */
const NOISE = /\/\*\*\n \* This interface was referenced by [^]*?\*\/\n|export interface Contract \{\}\n/g

/** The text of contract.ts as it is published. */
export async function contractTypes(): Promise<string> {
  const registry = z.registry<{ id: string }>()
  for (const name of handedOn()) registry.add(schemaOf(name), { id: name })
  const { schemas } = z.toJSONSchema(registry, {
    uri: (name) => `#/definitions/${name}`,
    // Bodies as they are sent; answers have no defaults, so that theirs are the same.
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if ((zodSchema as unknown) === contract.Metadata) jsonSchema['tsType'] = METADATA
    },
  })
  const definitions = Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _, $schema: __, ...schema }]) => [name, schema as JSONSchema]),
  )
  const text = await compile({ additionalProperties: false, definitions }, 'Contract', {
    additionalProperties: false,
    bannerComment: BANNER,
    style: { semi: false, singleQuote: true, printWidth: 120 },
    unreachableDefinitions: true,
  })
  return text.replaceAll(NOISE, '')
}

/** The names that contract.ts hands on. */
function handedOn(): string[] {
  const source = readFileSync(new URL('contract.ts', import.meta.url), 'utf8')
  const [, list = ''] = /export type \{([^}]*)\}/.exec(source) ?? []
  return list.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
}

function schemaOf(name: string): z.ZodType {
  if (name === 'ProblemCode') return contract.Problem.shape.code
  const schema = (contract as Readonly<Record<string, unknown>>)[name]
  if (!(schema instanceof z.ZodType)) throw new Error(`The contract has no schema ${name}.`)
  return schema
}
