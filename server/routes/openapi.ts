// `GET /openapi.json`: the table of endpoints and the contract's schemas as OpenAPI 3.1, so that what is validated is what is described.
import { z } from 'zod'
import * as contract from '../contract/index.ts'
import { problems, type ProblemCode } from '../contract/index.ts'
import { LINES, NAME_LINE, ONE_LINE, PHONE } from '../contract/text.ts'
import type { AnswerDescription, EndpointDescription, HeaderName, Parameter } from './openapi-endpoints.ts'
import { endpoints } from './openapi-endpoints.ts'

type Json = Record<string, unknown>

/** Schemas of answers and forms that are too small for the contract. */
const small = {
  Requeued: z.object({ requeued: z.int().min(0) }),
  Received: z.object({ received: z.literal(true) }),
  Health: z.object({ ok: z.literal(true) }),
  Readiness: z.object({
    ok: z.boolean(),
    checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string().optional() })).optional(),
    /** The proxy that sent X-Forwarded-For without being in HC_TRUSTED_PROXIES; only with the details. */
    untrustedProxy: z.string().optional(),
    /** Whether this request came with X-Forwarded-For; only with the details, and not over TLS of our own process. */
    forwardedFor: z.boolean().optional(),
  }),
  PayForm: z.object({
    key: z.string().length(32).optional(),
    country: z.string().optional(),
    amount: z.string().optional(),
    bank: z.string().optional(),
    name: z.string().optional(),
    phone: z.string().optional(),
    email: z.string().optional(),
    action: z.enum(['check', 'again']).optional(),
    unpaid: z.literal('yes').optional(),
  }),
}

/**
 * The contract's patterns in what regular expressions of every language know. Read without the flag `u`, `[^\p{Cc}]` refuses p, C and c; Python does not
 * compile it, PHP no `\u`, Go neither that nor a lookahead. UTF-8 has no lone surrogates.
 */
const plainPatterns: Readonly<Record<string, { readonly pattern: string; readonly maxLength?: number }>> = {
  [ONE_LINE.source]: { pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\u2028\u2029]*$' },
  [NAME_LINE.source]: {
    pattern: '^[^\\x00-\\x1f\\x7f-\\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]*$',
  },
  [LINES.source]: { pattern: '^[^\\x00]*$' },
  [PHONE.source]: {
    pattern: '^\\+?[ ()\\-.]*[0-9\u0660-\u0669\u06f0-\u06f9][0-9\u0660-\u0669\u06f0-\u06f9 ()\\-.]*$',
    maxLength: 25,
  },
}

function componentSchemas(): Record<string, Json> {
  const registry = z.registry<{ id: string }>()
  for (const [name, value] of Object.entries({ ...contract, ...small })) {
    if (value instanceof z.ZodType) registry.add(value, { id: name })
  }
  const { schemas } = z.toJSONSchema(registry, {
    uri: (name) => `#/components/schemas/${name}`,
    // Describes bodies as sent; answers have no defaults, so theirs stay the same and remain open to new fields.
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // A refinement, from which no JSON Schema can be derived.
      if ((zodSchema as unknown) === contract.Metadata) jsonSchema.maxProperties = 20
      Object.assign(jsonSchema, plainPatterns[jsonSchema.pattern ?? ''])
      // Its line breaks and tabs become spaces.
      if ((zodSchema as unknown) === contract.CreateSession.shape.description)
        jsonSchema.pattern = '^[^\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f]*$'
    },
  })
  return Object.fromEntries(
    Object.entries(schemas as Record<string, Json>).map(([name, schema]) => {
      const { $id: _, $schema: __, ...rest } = schema
      return [name, rest]
    }),
  )
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

function parametersOf(endpoint: EndpointDescription, schemas: Record<string, Json>): Json[] {
  const query = (schemas['PaymentQuery']?.['properties'] ?? {}) as Record<string, Json>
  const described = ({ says, required = false, schema = { type: 'string' }, ...rest }: Parameter): Json => ({
    ...rest,
    required,
    description: says,
    schema,
  })
  return (endpoint.parameters ?? []).flatMap((parameter) => {
    if (typeof parameter !== 'string') return [described(parameter)]
    return Object.entries(query)
      .filter(([name]) => parameter === 'PaymentQuery' || (name !== 'cursor' && name !== 'limit'))
      .map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
  })
}

const responseHeaders: Readonly<Record<HeaderName, { readonly description: string; readonly schema: object }>> = {
  'Cache-Control': { description: 'Whether and how long it may be stored.', schema: { type: 'string' } },
  ETag: { description: 'For If-None-Match.', schema: { type: 'string' } },
  Location: { description: 'Where it is.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: '`Bearer`, where a token is missing or wrong.', schema: { type: 'string' } },
}

function headersOf(names: readonly HeaderName[]): Json {
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, responseHeaders[name]])) }
}

/** Of an error: with a 503 only where it is known when to come back. */
function errorHeaders(status: number, codes: readonly ProblemCode[]): readonly HeaderName[] {
  if (status === 429 || status === 503) return ['Retry-After']
  return codes.some((code) => code.startsWith('bearer_')) ? ['WWW-Authenticate'] : []
}

function answerOf({ says, type, shape, headers = [] }: AnswerDescription): Json {
  return {
    description: says,
    ...headersOf(headers),
    ...(type === undefined ? {} : { content: { [type]: shape === undefined ? {} : { schema: ref(shape) } } }),
  }
}

function responsesOf(endpoint: EndpointDescription): Record<string, Json> {
  const responses: Record<string, Json> = Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, answer]) => [status, answerOf(answer)]),
  )
  const errors = [...endpoint.errors, 'internal_error' as const]
  for (const status of new Set(errors.map((code) => problems[code].status))) {
    const codes = errors.filter((code) => problems[code].status === status)
    const description = codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ')
    const content =
      endpoint.errorsAreHtml === true ? { 'text/html': {} } : { 'application/problem+json': { schema: ref('Problem') } }
    const present = responses[status] as { content?: Json; description?: string } | undefined
    responses[status] = {
      description: present === undefined ? description : `${present.description} ${description}`,
      ...headersOf(errorHeaders(status, codes)),
      content: { ...content, ...present?.content },
    }
  }
  return responses
}

function operationOf(endpoint: EndpointDescription, schemas: Record<string, Json>): Json {
  const { takes, bearer } = endpoint
  return {
    operationId: endpoint.name,
    tags: [endpoint.tag],
    summary: endpoint.says,
    ...(bearer === undefined
      ? { security: [] }
      : { security: bearer === 'opsToken' ? [{}, { opsToken: [] }] : [{ [bearer]: [] }] }),
    ...(endpoint.parameters === undefined ? {} : { parameters: parametersOf(endpoint, schemas) }),
    ...(takes === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { [takes.type]: takes.shape === undefined ? {} : { schema: ref(takes.shape) } },
          },
        }),
    responses: responsesOf(endpoint),
  }
}

function webhooks(): Json {
  const header = (name: string, says: string): Json => ({
    name,
    in: 'header',
    required: true,
    description: says,
    schema: { type: 'string' },
  })
  return Object.fromEntries(
    contract.NoticeType.options.map((type) => [
      type,
      {
        post: {
          summary:
            'A notice to HC_NOTIFY_URL, at least once, by Standard Webhooks. Keep the highest version of a payment; credit once by paymentId.',
          parameters: [
            header('webhook-id', 'The same at every attempt.'),
            header('webhook-timestamp', 'Seconds since 1970.'),
            header('webhook-signature', '`v1,` and HMAC-SHA-256 in Base64; one for each secret.'),
          ],
          requestBody: { required: true, content: { 'application/json': { schema: ref('Notice') } } },
          responses: {
            '2XX': { description: 'Received. Anything else is tried again, over 75 hours and then daily to 30 days.' },
          },
        },
      },
    ]),
  )
}

/** The whole description, for the address at which it is served. */
export function openapi(publicUrl: string): Json {
  const schemas = componentSchemas()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints)
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operationOf(endpoint, schemas) }
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description })
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'hc-checkout companion',
      version: '1',
      description:
        'Amounts are whole major units, times RFC 3339 in UTC, errors RFC 9457 with a stable `code`. A method that an address does not take is answered with 405 and Allow.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'browser', description: 'For the widget: from the origins of HC_ALLOWED_ORIGINS.' },
      { name: 'pages', description: 'HTML, complete without JavaScript.' },
      { name: 'merchant', description: 'For the shop’s backend.' },
      { name: 'service', description: 'For the payment service.' },
      { name: 'operations', description: 'For operators.' },
    ],
    paths,
    webhooks: webhooks(),
    components: {
      schemas,
      securitySchemes: {
        depositToken: bearer('`token` of the created deposit.'),
        sessionToken: bearer('`token` of the created session.'),
        merchantKey: bearer('HC_MERCHANT_KEY.'),
        opsToken: bearer('HC_OPS_TOKEN; where none is set, this machine needs none.'),
      },
    },
  }
}
