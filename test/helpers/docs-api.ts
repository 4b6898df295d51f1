// The reference of the companion's endpoints, printed from its OpenAPI description.
import { openapi } from '../../server/http/openapi.ts'
import { table } from './docs-table.ts'

/** What this page reads of a JSON Schema. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}
interface Operation {
  readonly summary: string
  readonly tags?: readonly string[]
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly {
    in: string
    name: string
    required?: boolean
    description?: string
    schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>
}
interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>
  }
}

const described = (): Description => openapi('https://pay.shop.example') as unknown as Description

const headings: Readonly<Record<string, string>> = {
  browser: 'For the page',
  pages: 'Pages without the widget',
  merchant: 'For your backend',
  service: 'For the payment service',
  operations: 'For operators',
}

/** All endpoints, by who calls them. */
export function endpointsReference(): string {
  const { tags, paths, components } = described()
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags
    .map(({ name, description }) => {
      const own = all.filter(({ operation }) => operation.tags?.includes(name))
      const parts = own.map(({ method, path, operation }) => endpoint(`${method} ${path}`, operation, components))
      return [`## ${headings[name] ?? name}`, description, ...parts].join('\n\n')
    })
    .join('\n\n')
}

function endpoint(title: string, operation: Operation, components: Description['components']): string {
  const { summary, security = [], parameters = [], requestBody, responses } = operation
  const schemes = security.flatMap((one) => Object.keys(one))
  const tokens = schemes.map((name) => `Bearer token: ${components.securitySchemes[name]?.description ?? name}`)
  const inputs = parameters.map(({ in: place, name, required, description, schema }) => [
    `\`${name}\``,
    place + (required ? ', required' : ''),
    [typeOf(schema), description ?? ''].filter(Boolean).join('. '),
  ])
  const body = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => `Body: \`${type}\`${of(schema)}.`)
  // Said once, at the head of the page.
  const told = Object.entries(responses).filter(([, { description }]) => !/^`internal_error`: [^`]*$/.test(description))
  const answers = told.map(([status, { description, content = {} }]) => [
    status,
    description,
    Object.entries(content)
      .map(([type, { schema }]) =>
        type === 'application/problem+json' ? '[error](errors.md)' : `\`${type}\`${of(schema)}`,
      )
      .join(', '),
  ])
  return [
    `### ${title.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    summary,
    ...tokens,
    ...(inputs.length > 0 ? [table(['parameter', 'in', 'what it is'], inputs)] : []),
    ...body,
    table(['status', 'meaning', 'answer'], answers),
  ].join('\n\n')
}

const of = (schema: Schema | undefined): string => (schema === undefined ? '' : `: ${typeOf(schema)}`)

/** All named shapes, with their fields. */
export function shapesReference(): string {
  return Object.entries(described().components.schemas)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, schema]) => `### ${name}\n\n${shape(schema)}`)
    .join('\n\n')
}

function shape(schema: Schema): string {
  const rows = fieldsOf(schema)
  const said = schema.description ?? ''
  const text = rows.length > 0 ? said : [typeOf(schema), said].filter(Boolean).join('. ')
  return [
    ...(text === '' ? [] : [text]),
    ...(rows.length > 0 ? [table(['field', 'there', 'what it is'], rows)] : []),
  ].join('\n\n')
}

/** The fields of an object, those of objects within it by their whole path. */
function fieldsOf({ properties = {}, required = [] }: Schema, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const inner = schema.items?.properties === undefined ? schema : schema.items
    const own = path + name + (inner === schema ? '' : '[]')
    const text = [typeOf(schema), schema.description ?? ''].filter(Boolean).join('. ')
    return [[`\`${own}\``, required.includes(name) ? 'always' : '', text], ...fieldsOf(inner, `${own}.`)]
  })
}

function typeOf(schema: Schema): string {
  const { $ref, type, items, format, minimum, maximum, minLength, maxLength } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ')
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(' or ')
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`
  const range = [
    ...(minimum === undefined ? [] : [`from ${minimum.toLocaleString('en')}`]),
    ...(maximum === undefined ? [] : [`to ${maximum.toLocaleString('en')}`]),
    ...(minLength === undefined || minLength < 2 ? [] : [`of ${minLength} characters and more`]),
    ...(maxLength === undefined ? [] : [`up to ${maxLength.toLocaleString('en')} characters`]),
  ]
  const words = [format ?? String(type ?? 'any value'), ...range]
  return words.join(' ')
}
