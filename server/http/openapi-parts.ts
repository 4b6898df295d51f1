// What the tables of endpoints are written with.
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import type { ProblemCode } from '../contract/index.ts'

/** Response headers that a client acts upon. */
const described = {
  'Cache-Control': { description: 'Whether and how long it may be stored.', schema: { type: 'string' } },
  ETag: { description: 'For If-None-Match.', schema: { type: 'string' } },
  Location: { description: 'Where it is.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before asking again.', schema: { type: 'integer', minimum: 0 } },
  'WWW-Authenticate': { description: '`Bearer`, where a token is missing or wrong.', schema: { type: 'string' } },
} as const
type HeaderName = keyof typeof described

export const headers = (...names: readonly HeaderName[]): Pick<ZodOpenApiResponseObject, 'headers'> => ({
  headers: Object.fromEntries(names.map((name) => [name, described[name]])),
})

/** `requestParams` and `requestBody` are described as zod-openapi takes them. */
interface Details extends Pick<ZodOpenApiOperationObject, 'requestParams' | 'requestBody'> {
  /**
   * Its refusals of a bearer are described too. `staff`: the merchant key or a user of the console;
   * `console`: such a user.
   */
  readonly bearer?: 'depositToken' | 'sessionToken' | 'merchantKey' | 'opsToken' | 'staff' | 'console'
  readonly answers: Readonly<Record<number, ZodOpenApiResponseObject>>
  /** Beside those of the bearer and of a body in JSON. */
  readonly errors?: readonly ProblemCode[]
  /** The pages send errors as HTML, with the same status. */
  readonly errorsAreHtml?: true
}

export interface Endpoint extends Details {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly tag: 'browser' | 'pages' | 'merchant' | 'staff' | 'service' | 'operations'
  readonly name: string
  readonly says: string
}

type Row = (path: string, name: string, says: string, details: Details) => Endpoint

/** @param bearer of each of these rows that names none itself */
export const rows = (tag: Endpoint['tag'], bearer?: Details['bearer']): Readonly<Record<Endpoint['method'], Row>> => ({
  get: (path, name, says, details) => ({ method: 'get', path, tag, name, says, bearer, ...details }),
  post: (path, name, says, details) => ({ method: 'post', path, tag, name, says, bearer, ...details }),
})

export const json = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  content: { 'application/json': { schema } },
})
export const other = (description: string, type: string): ZodOpenApiResponseObject => ({
  description,
  content: { [type]: {} },
})
export const body = (
  type: string,
  schema?: z.ZodType,
  required = true,
): Pick<ZodOpenApiOperationObject, 'requestBody'> => ({
  requestBody: { required, content: { [type]: schema === undefined ? {} : { schema } } },
})

export const withActKey = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same for each repeat of one request: with the same body it is done and recorded once.'),
})
export const byId = z.object({ id: z.string().describe('Id of the deposit, `dep_…`.') })
