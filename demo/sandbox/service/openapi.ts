// The service's own description, served at /openapi.json: written as zod schemas, and checked
// against real responses in the tests.
import { z } from 'zod'
import { createDocument } from 'zod-openapi'
import type { ZodOpenApiPathItemObject, ZodOpenApiRequestBodyObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { CURRENCIES } from '../engine/markets.ts'

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

type Examples<Value> = Readonly<Record<string, readonly [summary: string, value: Value]>>

function json<S extends z.ZodType>(schema: S, named: Examples<z.input<S>>): ZodOpenApiRequestBodyObject {
  const examples = Object.fromEntries(
    Object.entries(named).map(([name, [summary, value]]) => [name, { summary, value }]),
  )
  return { content: { 'application/json': { schema, examples } } }
}
const response = <S extends z.ZodType>(
  description: string,
  schema: S,
  named: Examples<z.input<S>>,
): ZodOpenApiResponseObject => ({ description, ...json(schema, named) })
const RETRY_AFTER = z.object({
  'Retry-After': z.int().positive().describe('Seconds until a request is free again.'),
})

/** What is meant, and the messages that the service gives for it. */
type Refusal = readonly [means: string, ...messages: string[]]

interface Operation<Body extends z.ZodType, Data extends z.ZodType> {
  readonly id: string
  readonly summary: string
  readonly body: Body
  readonly bodies: Examples<z.input<Body>>
  readonly data: Data
  /** `message` and `data` of a success. */
  readonly answers: Examples<readonly [message: string, data: z.input<Data>]>
  /** A field that it takes, for an example without it. */
  readonly missing: string
  readonly refusals: Readonly<Record<number, Refusal>>
  readonly signed?: Readonly<Record<string, string>>
  readonly open?: true
}

const HTTP_REFUSALS: Readonly<Record<number, Refusal>> = {
  403: ['IP address not allowed.', 'IP address not allowed.'],
  406: ['Only JSON is answered.', 'Not acceptable.'],
  413: ['More than 64 KiB.', 'Payload too large.'],
  415: ['Not application/json.', 'Unsupported media type.'],
  500: ['Internal server error.', 'Internal server error.'],
  504: ['Gateway timeout: processed or not, ask.', 'Gateway timeout.'],
}

/** Each is named by its message: `Wallet not found.` is `wallet_not_found`. */
const failuresOf = (messages: readonly string[]): Examples<z.input<typeof Failure>> =>
  Object.fromEntries(
    messages.map((message) => {
      const name =
        message
          .toLowerCase()
          .match(/[a-z0-9]+/g)
          ?.join('_') ?? ''
      return [name, [message, { success: false, message }] as const]
    }),
  )

function operation<Body extends z.ZodType, Data extends z.ZodType>(
  described: Operation<Body, Data>,
): ZodOpenApiPathItemObject {
  const { id, summary, body, bodies, data, answers, missing, refusals, signed = {}, open } = described
  const failures = Object.entries({ ...HTTP_REFUSALS, ...refusals }).map(([status, [means, ...messages]]) => [
    status,
    response(means, Failure, failuresOf(messages)),
  ])
  const unfit: z.input<typeof Failure> = {
    success: false,
    message: 'The given data was invalid.',
    errors: { [missing]: [`The ${missing} field is required.`] },
  }
  const successes = Object.fromEntries(
    Object.entries(answers).map(([name, [means, [message, given]]]) => [
      name,
      [means, { success: true, message, data: given }] as const,
    ]),
  ) as Examples<z.input<ReturnType<typeof success<Data>>>>
  const headers = Object.entries(signed).map(([name, says]) => [name, z.string().describe(says)])
  return {
    post: {
      operationId: id,
      summary,
      ...(open && { security: [] }),
      requestParams: { header: z.object(Object.fromEntries(headers)) },
      requestBody: { required: true, ...json(body, bodies) },
      responses: {
        200: response('Done', success(data), successes),
        ...Object.fromEntries(failures),
        422: response('A field is missing or wrong; see errors.', Failure, {
          field_missing: [`Without ${missing}`, unfit],
        }),
        429: {
          ...response('Rate limit exceeded.', Failure, failuresOf(['Rate limit exceeded.'])),
          headers: RETRY_AFTER,
        },
      },
    },
  }
}

const WALLET = '4559494901'
const REFERENCE = 'HCT1M8J0EDB18QNE3BBX704B'
const TRANSACTION = 'TX8842190177'
const state = {
  acc_name: 'Achieng Otieno',
  acc_no: '254712345678',
  description: 'Nuru Lantern',
  transaction_id: TRANSACTION,
  reference: REFERENCE,
  date: '2026-11-28 09:00:00 AM',
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
        bodies: { login: ['A merchant', { consumer_key: 'ck_test_5f0f2d7b9c', consumer_secret: 'cs_test_0a1b2c3d' }] },
        data: Token,
        answers: {
          token: [
            'For an hour',
            ['Success', { access_token: 'at_4c9w5d3x8h6t2n', token_type: 'bearer', expires_in: 3600 }],
          ],
        },
        missing: 'consumer_key',
        open: true,
        refusals: {
          400: ['Invalid credentials, or malformed JSON.', 'Invalid credentials.'],
          401: ['The key is disabled or was rotated.', 'Unauthorized.'],
        },
      }),
      '/api/v2/banks/get-by-country': operation({
        id: 'listBanks',
        summary: 'Banks of a country',
        body: BanksBody,
        bodies: { kenya: ['Banks of Kenya', { country_code: 'KE' }] },
        data: z.array(Bank),
        answers: {
          banks: ['One bank', ['Successfully initiated', [{ name: 'Equity Bank', currency: 'KES', code: '68' }]]],
        },
        missing: 'country_code',
        refusals: {
          400: ['Invalid country code, or malformed JSON.', 'Invalid country code.'],
          401: ['Unauthorized.', 'Unauthorized.'],
        },
      }),
      '/api/v2/payment/': operation({
        id: 'createDeposit',
        summary: 'Create a hosted checkout deposit',
        body: PaymentBody,
        bodies: {
          deposit: [
            'A payment of KES 2,300',
            {
              wallet_no: WALLET,
              reference: REFERENCE,
              acc_name: 'Achieng Otieno',
              acc_no: '254712345678',
              email: 'achieng@mail.example',
              amount: 2300,
              currency: 'KES',
              channel: 420001,
              description: 'Nuru Lantern',
              result_url: 'https://pay.shop.example/v1/webhook/q2XmC7vT0bYk9LsR4nWd8A',
            },
          ],
        },
        data: Payment,
        answers: {
          created: [
            'The customer pays at redirect_url',
            [
              'Successfully initiated',
              {
                transaction_id: TRANSACTION,
                reference: REFERENCE,
                status: 'PENDING',
                status_description: 'Pending',
                amount: 2300,
                currency: 'KES',
                redirect_url: 'https://checkout.service.example/checkout/bObSeAjciGa2XJ8x',
                date: '2026-11-28 09:00:00 AM',
              },
            ],
          ],
        },
        missing: 'amount',
        signed: {
          Signature: 'Base64 of RSASSA-PKCS1-v1_5 SHA-256 over channel + reference + currency + amount.',
          'x-hash': 'The same over your business id.',
        },
        refusals: {
          400: [
            'Malformed JSON, unsupported currency, wallet not found or of another currency, duplicate reference.',
            'Unsupported currency.',
            'Wallet not found.',
            'Wallet does not match currency.',
          ],
          401: ['Unauthorized, invalid Signature or x-hash.', 'Unauthorized.', 'Invalid signature.'],
          403: [
            'IP address not allowed, or channel 420001 is not allocated to this wallet.',
            'IP address not allowed.',
            'Channel 420001 is not allocated to this wallet.',
          ],
        },
      }),
      '/api/v2/payment/status-query': operation({
        id: 'queryDeposit',
        summary: 'The state of a deposit',
        body: QueryBody,
        bodies: {
          by_reference: ['By the reference of the merchant', { wallet_no: WALLET, reference: REFERENCE }],
          by_transaction: ['By the id of the service', { wallet_no: WALLET, transaction_id: TRANSACTION }],
        },
        data: State,
        answers: {
          pending: [
            'Not decided',
            ['Successfully fetched', { ...state, status: 'PENDING', status_description: 'Pending' }],
          ],
          success: [
            'Paid',
            ['Successfully fetched', { ...state, status: 'SUCCESS', status_description: 'Successful' }],
          ],
          failed: [
            'Not paid',
            ['Successfully fetched', { ...state, status: 'FAILED', status_description: 'Cancelled' }],
          ],
        },
        missing: 'wallet_no',
        signed: { Signature: 'Base64 of RSASSA-PKCS1-v1_5 SHA-256 over wallet_no + reference.' },
        refusals: {
          400: ['Malformed JSON.', 'Malformed JSON.'],
          401: ['Unauthorized, or invalid Signature.', 'Unauthorized.', 'Invalid signature.'],
          404: ['Transaction not found.', 'Transaction not found.'],
        },
      }),
    },
    webhooks: {
      result: {
        post: {
          summary: 'The final result, sent to result_url; anything but 200 is tried again',
          requestBody: json(z.union([CallbackSuccess, CallbackFailure]), {
            success: [
              'Paid',
              {
                channel: '420001',
                reference: REFERENCE,
                transaction_id: TRANSACTION,
                third_party_id: 'QX12AB34CD',
                currency: 'KES',
                amount: '2300',
                fees: '23',
                acc_name: 'Achieng Otieno',
                result_code: 0,
                result_description: 'Successful',
                hash: 'a3'.repeat(32),
              },
            ],
            failure: [
              'Not paid',
              {
                channel: '420001',
                reference: REFERENCE,
                result_code: 2001,
                transaction_id: TRANSACTION,
                result_description: 'The agent did not confirm the payment.',
                hash: 'b4'.repeat(32),
              },
            ],
          }),
          responses: { 200: { description: 'Received' } },
        },
      },
    },
  })
}
