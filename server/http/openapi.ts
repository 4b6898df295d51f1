// `GET /openapi.json`: the table of endpoints and the contract's schemas as OpenAPI 3.1, so that
// what is validated is what is described.
import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import type {
  ZodOpenApiContentObject,
  ZodOpenApiObject,
  ZodOpenApiOperationObject,
  ZodOpenApiOverride,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import * as contract from '../contract/index.ts'
import { problems, type ProblemCode } from '../contract/index.ts'
import { LINES, NAME_LINE, ONE_LINE, PHONE } from '../contract/text.ts'
import { endpoints, small } from './openapi-endpoints.ts'
import { componentExamples, examplesOf, references } from './openapi-examples.ts'
import { headers } from './openapi-parts.ts'

type Endpoint = (typeof endpoints)[number]

/**
 * The contract's patterns, as every language reads them. Without the flag `u`, `[^\p{Cc}]` refuses
 * p, C and c. Python does not compile it. PHP knows no `\u`, and Go neither that nor a lookahead.
 * UTF-8 has no lone surrogates.
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

const plain: ZodOpenApiOverride = ({ zodSchema, jsonSchema, io }) => {
  // Answers may get new fields.
  if (io === 'output' && zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined)
    delete jsonSchema.additionalProperties
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  // A refinement, from which no JSON Schema can be derived.
  if ((zodSchema as unknown) === contract.Metadata) jsonSchema.maxProperties = 20
  Object.assign(jsonSchema, plainPatterns[jsonSchema.pattern ?? ''])
  // Its line breaks and tabs become spaces.
  if ((zodSchema as unknown) === contract.CreateSession.shape.description)
    jsonSchema.pattern = '^[^\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f]*$'
}

/** With the examples of its schemas. */
function exemplified(content: ZodOpenApiContentObject): ZodOpenApiContentObject {
  const types = Object.entries(content).map(([type, media]) => {
    const examples = examplesOf(media?.schema)
    return [type, Object.keys(examples).length === 0 ? media : { ...media, examples }]
  })
  return Object.fromEntries(types) as ZodOpenApiContentObject
}

const ofBearer = ['bearer_missing', 'bearer_malformed', 'bearer_wrong'] as const
const ofCookie = ['sign_in_missing', 'origin_not_allowed', 'csrf_wrong'] as const

/** The refusals of a bearer that an endpoint gives, whichever it is. */
const bearerRefusals: Readonly<Record<NonNullable<Endpoint['bearer']>, readonly ProblemCode[]>> = {
  depositToken: ofBearer,
  merchantKey: ofBearer,
  sessionToken: ['bearer_missing', 'bearer_malformed'],
  opsToken: [],
  staff: [...ofBearer, ...ofCookie, 'role_too_low'],
  console: ofCookie,
}

/** The refusals of a body in JSON. */
const unreadable = ['malformed_json', 'unsupported_media_type', 'body_too_large', 'invalid_request'] as const

function responsesOf({
  answers,
  errors = [],
  bearer,
  requestBody,
  errorsAreHtml,
}: Endpoint): ZodOpenApiOperationObject['responses'] {
  const responses: Record<string, ZodOpenApiResponseObject> = {}
  for (const [status, { content, ...answer }] of Object.entries(answers))
    responses[status] = content === undefined ? answer : { ...answer, content: exemplified(content) }
  const all = [
    ...(bearer === undefined ? [] : bearerRefusals[bearer]),
    ...(requestBody?.content['application/json']?.schema === undefined ? [] : unreadable),
    ...errors,
    'internal_error' as const,
  ]
  for (const status of new Set(all.map((code) => problems[code].status))) {
    const codes = all.filter((code) => problems[code].status === status)
    const description = codes.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' ')
    const present = responses[status]
    responses[status] = {
      description: present === undefined ? description : `${present.description} ${description}`,
      // With a 503 only where it is known when to come back.
      ...(status === 429 || status === 503 ? headers('Retry-After') : {}),
      ...(codes.some((code) => code.startsWith('bearer_')) ? headers('WWW-Authenticate') : {}),
      content: {
        ...present?.content,
        ...(errorsAreHtml
          ? { 'text/html': {} }
          : { 'application/problem+json': { schema: contract.Problem, examples: references(codes) } }),
      },
    }
  }
  return responses
}

function securityOf(bearer: Endpoint['bearer']): Record<string, string[]>[] {
  if (bearer === undefined) return []
  if (bearer === 'staff') return [{ merchantKey: [] }, { console: [] }]
  return bearer === 'opsToken' ? [{}, { opsToken: [] }] : [{ [bearer]: [] }]
}

function paths(): ZodOpenApiPathsObject {
  const described: ZodOpenApiPathsObject = {}
  for (const endpoint of endpoints) {
    const { method, path, tag, name, says, bearer, requestParams, requestBody } = endpoint
    described[path] = {
      ...described[path],
      [method]: {
        operationId: name,
        tags: [tag],
        summary: says,
        security: securityOf(bearer),
        requestParams,
        requestBody: requestBody && { ...requestBody, content: exemplified(requestBody.content) },
        responses: responsesOf(endpoint),
      },
    }
  }
  return described
}

function webhooks(): ZodOpenApiPathsObject {
  const post = (type: contract.NoticeType): ZodOpenApiOperationObject => ({
    summary:
      'A notice to HC_NOTIFY_URL, at least once, by Standard Webhooks. Keep the highest version of a payment; ' +
      'credit once by paymentId.',
    requestParams: {
      header: z.object({
        'webhook-id': z.string().describe('The same at every attempt.'),
        'webhook-timestamp': z.string().describe('Seconds since 1970.'),
        'webhook-signature': z.string().describe('`v1,` and HMAC-SHA-256 in Base64; one for each secret.'),
        traceparent: z
          .string()
          .optional()
          .describe('W3C Trace Context, of the request that made the session or else the payment. Not signed.'),
      }),
    },
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: contract.Notice,
          examples: examplesOf(contract.Notice, (notice) => (notice as contract.Notice).type === type),
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. Anything else is tried again, over 75 hours and then daily to 30 days.' },
    },
  })
  return Object.fromEntries(contract.NoticeType.options.map((type) => [type, { post: post(type) }]))
}

/** The whole description, for the address at which it is served. */
export function openapi(publicUrl: string): ReturnType<typeof createDocument> {
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const
  const shapes = Object.fromEntries(
    Object.entries({ ...contract, ...small }).filter(([name]) => !name.endsWith('Query')),
  )
  const description: ZodOpenApiObject = {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'hc-checkout companion',
      version: '1',
      description:
        'Amounts are whole major units, times RFC 3339 in UTC, errors RFC 9457 with a stable `code`. A method that ' +
        'an address does not take is answered with 405 and Allow.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'browser', description: 'For the widget: from the origins of HC_ALLOWED_ORIGINS.' },
      { name: 'pages', description: 'HTML, complete without JavaScript.' },
      { name: 'merchant', description: 'For the shop’s backend.' },
      {
        name: 'staff',
        description: 'For the people of the shop: by the console, or by a backend with the merchant key.',
      },
      { name: 'service', description: 'For the payment service.' },
      { name: 'operations', description: 'For operators.' },
    ],
    paths: paths(),
    webhooks: webhooks(),
    components: {
      schemas: Object.fromEntries(Object.entries(shapes).filter(([, shape]) => shape instanceof z.ZodType)),
      examples: componentExamples(),
      securitySchemes: {
        depositToken: bearer('`token` of the created deposit.'),
        sessionToken: bearer('`token` of the created session.'),
        merchantKey: bearer('HC_MERCHANT_KEY.'),
        console: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-hc-console',
          description:
            'Of a user who has signed in; on loopback http its name is hc-console. A request that is no GET also ' +
            'takes the Origin of HC_PUBLIC_URL, and the header X-HC-CSRF with the `csrf` of GET /v1/console/me.',
        },
        opsToken: bearer('HC_OPS_TOKEN; where none is set, this machine needs none.'),
      },
    },
  }
  return createDocument(description, { override: plain })
}
