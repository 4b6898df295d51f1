// The service's own description, served at /openapi.json: written as zod schemas, and checked
// against real responses in the tests.
import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import type { ZodOpenApiPathItemObject, ZodOpenApiRequestBodyObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { CURRENCIES } from './markets.ts'

const Text = z.string().min(1)
const Bank = z.strictObject({ name: Text, currency: z.enum(CURRENCIES), code: Text })
const Token = z.strictObject({ access_token: Text, token_type: z.literal('bearer'), expires_in: z.literal(3600) })
const Status = z.enum(['PENDING', 'PROCESSING', 'SUCCESS', 'FAILED'])
const ServiceDate = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} (AM|PM)$/)
  .describe('Date and time with AM or PM, UTC. For people; keep your own clock for logic.')
const Payment = z.strictObject({
  transaction_id: Text,
  reference: Text,
  status: Status,
  status_description: z.string(),
  amount: z.int().positive(),
  currency: z.enum(CURRENCIES),
  redirect_url: z.url(),
  date: ServiceDate,
})
const State = z.strictObject({
  acc_name: Text,
  acc_no: z.string(),
  description: Text,
  transaction_id: z.string(),
  reference: Text,
  status: Status.describe('Branch on this alone; only SUCCESS and FAILED are final.'),
  status_description: z.string(),
  date: ServiceDate,
})
const Failure = z.strictObject({
  success: z.literal(false),
  message: Text,
  errors: z.record(z.string(), z.array(Text)).optional().describe('Sentences by field; with 422.'),
})
const success = <T extends z.ZodType>(data: T) => z.strictObject({ success: z.literal(true), message: Text, data })

const Whole = z.int().positive().max(999_999_999_999)
const LoginBody = z.object({ consumer_key: Text, consumer_secret: Text })
const BanksBody = z.object({ country_code: Text.describe('ISO 3166-1 alpha-2') })
const PaymentBody = z.object({
  wallet_no: Text.describe('Must match the currency.'),
  reference: Text.max(64).describe('Unique for ever.'),
  acc_name: z.string().min(2).max(100),
  acc_no: z
    .string()
    .regex(/^[0-9]*$/)
    .max(32)
    .optional()
    .describe('Digits without +. Some endings play a scenario.'),
  email: z
    .string()
    .regex(/^([^\s@]+@[^\s@]+\.[^\s@]+)?$/)
    .max(254)
    .optional()
    .describe('Gets the receipt; left out, the wallet holder does.'),
  amount: Whole.describe('Whole units, no separators.'),
  currency: z.enum(CURRENCIES),
  channel: z.literal(420001),
  description: Text.max(255),
  result_url: z.url().max(2048).describe('https; gets the callback.'),
})
const QueryBody = z.union([
  z.object({ wallet_no: Text, reference: Text }),
  z.object({ wallet_no: Text, transaction_id: Text.describe('Instead of the reference; signed in its place.') }),
])

const CallbackSuccess = z.object({
  channel: Text,
  reference: Text,
  transaction_id: Text,
  third_party_id: Text,
  currency: Text,
  amount: Text,
  fees: Text,
  acc_name: Text,
  result_code: z.literal(0),
  result_description: Text,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})
const CallbackFailure = z.object({
  channel: Text,
  reference: Text,
  result_code: z.int(),
  transaction_id: Text,
  result_description: Text,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

const json = (schema: z.ZodType): ZodOpenApiRequestBodyObject => ({ content: { 'application/json': { schema } } })
const response = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  ...json(schema),
})
const RETRY_AFTER = z.object({
  'Retry-After': z.int().positive().describe('Seconds until a request is free again.'),
})

interface Operation {
  readonly id: string
  readonly summary: string
  readonly body: z.ZodType
  readonly data: z.ZodType
  readonly refusals: Readonly<Record<number, string>>
  readonly signed?: Readonly<Record<string, string>>
  readonly open?: true
}

const HTTP_REFUSALS = {
  403: 'IP address not allowed.',
  406: 'Only JSON is answered.',
  413: 'More than 64 KiB.',
  415: 'Not application/json.',
  422: 'A field is missing or wrong; see errors.',
  500: 'Internal server error.',
  504: 'Gateway timeout: processed or not, ask.',
}

function operation({ id, summary, body, data, refusals, signed = {}, open }: Operation): ZodOpenApiPathItemObject {
  const failures = Object.entries({ ...HTTP_REFUSALS, ...refusals }).map(([status, text]) => [
    status,
    response(text, Failure),
  ])
  const headers = Object.entries(signed).map(([name, says]) => [name, z.string().describe(says)])
  return {
    post: {
      operationId: id,
      summary,
      ...(open && { security: [] }),
      requestParams: { header: z.object(Object.fromEntries(headers)) },
      requestBody: { required: true, ...json(body) },
      responses: {
        200: response('Done', success(data)),
        ...Object.fromEntries(failures),
        429: { ...response('Rate limit exceeded.', Failure), headers: RETRY_AFTER },
      },
    },
  }
}

/** The OpenAPI 3.1 document of the service at `publicUrl`. */
export function describeService(publicUrl: string): ReturnType<typeof createDocument> {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Payment service (sandbox)',
      version: '2',
      description: 'Bank list, login and hosted checkout deposits. No real money moves here.',
    },
    servers: [{ url: publicUrl }],
    security: [{ bearer: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'From login; good for 3600 seconds.' },
      },
    },
    paths: {
      '/api/v2/auth/login': operation({
        id: 'login',
        summary: 'Exchange consumer key and secret for a token',
        body: LoginBody,
        data: Token,
        open: true,
        refusals: { 400: 'Invalid credentials, or malformed JSON.', 401: 'The key is disabled or was rotated.' },
      }),
      '/api/v2/banks/get-by-country': operation({
        id: 'listBanks',
        summary: 'Banks of a country',
        body: BanksBody,
        data: z.array(Bank),
        refusals: { 400: 'Invalid country code, or malformed JSON.', 401: 'Unauthorized.' },
      }),
      '/api/v2/payment/': operation({
        id: 'createDeposit',
        summary: 'Create a hosted checkout deposit',
        body: PaymentBody,
        data: Payment,
        signed: {
          Signature: 'Base64 of RSASSA-PKCS1-v1_5 SHA-256 over channel + reference + currency + amount.',
          'x-hash': 'The same over your business id.',
        },
        refusals: {
          400: 'Malformed JSON, unsupported currency, wallet not found or of another currency, duplicate reference.',
          401: 'Unauthorized, invalid Signature or x-hash.',
          403: 'IP address not allowed, or channel 420001 is not allocated to this wallet.',
        },
      }),
      '/api/v2/payment/status-query': operation({
        id: 'queryDeposit',
        summary: 'The state of a deposit',
        body: QueryBody,
        data: State,
        signed: { Signature: 'Base64 of RSASSA-PKCS1-v1_5 SHA-256 over wallet_no + reference.' },
        refusals: { 400: 'Malformed JSON.', 401: 'Unauthorized, or invalid Signature.', 404: 'Transaction not found.' },
      }),
    },
    webhooks: {
      result: {
        post: {
          summary: 'The final result, sent to result_url; anything but 200 is tried again',
          requestBody: json(z.union([CallbackSuccess, CallbackFailure])),
          responses: { 200: { description: 'Received' } },
        },
      },
    },
  })
}
