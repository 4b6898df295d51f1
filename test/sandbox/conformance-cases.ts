// The conformance table: the service's answers, case by case, each named by the section of
// service.md or open-points.md that requires it. A case is a request and its expected answer,
// independent of the server.
import type { Envelope } from './sandbox-fixture.ts'

export interface ConformanceTarget {
  authUrl: string
  baseUrl: string
  consumerKey: string
  consumerSecret: string
  businessId: string
  /** Wallet number by currency. */
  wallets: Record<string, string>
  resultUrl: string
  sign(text: string): string
}

type Value = string | number | boolean | null | undefined | object
type Fields = Record<string, Value>

export interface ConformanceCase {
  section: string
  name: string
  /** Creates nothing and locks nobody out: may be run against the real service. */
  safe: boolean
  request: {
    method?: string
    path: 'login' | 'banks' | 'create' | 'create-without-slash' | 'query' | `/${string}`
    /** Fields laid over a good body; undefined takes one away. */
    fields?: Fields
    /** The body as it is, instead of fields. */
    raw?: string | Uint8Array
    /** Laid over the good headers; undefined takes one away. */
    headers?: Record<string, string | undefined>
    /** Signs this text instead of the right one. */
    signs?: string
    /** Asks about a deposit that the case created first. */
    afterCreate?: Fields | true
  }
  answer: {
    status: number
    message?: string | RegExp
    /** Fields that `errors` names, no other. */
    errors?: string[]
    headers?: Record<string, RegExp>
    check?: (envelope: Envelope, target: ConformanceTarget) => boolean
  }
}

const login = (
  name: string,
  fields: Fields,
  answer: ConformanceCase['answer'],
  section = 'service.md §1 Login',
): ConformanceCase => ({
  section,
  name,
  safe: true,
  request: { path: 'login', fields },
  answer,
})
const banks = (
  name: string,
  fields: Fields,
  answer: ConformanceCase['answer'],
  section = 'service.md §2 Bank list by country',
): ConformanceCase => ({
  section,
  name,
  safe: true,
  request: { path: 'banks', fields },
  answer,
})
const create = (section: string, name: string, fields: Fields, answer: ConformanceCase['answer']): ConformanceCase => ({
  section,
  name,
  safe: answer.status >= 400,
  request: { path: 'create', fields },
  answer,
})
const refusedField = (
  field: string,
  value: Value,
  name: string,
  section = 'service.md Payment request',
): ConformanceCase =>
  create(section, name, { [field]: value }, { status: 422, message: 'The given data was invalid.', errors: [field] })
const OK = { status: 200, message: 'Successfully initiated' } as const

const long = (length: number): string => 'x'.repeat(length)
const isText = (value: unknown): boolean => typeof value === 'string' && value.length > 0

const COUNTRIES: Record<string, string> = {
  KE: 'KES',
  TZ: 'TZS',
  UG: 'UGX',
  ET: 'ETB',
  SO: 'SOS',
  RW: 'RWF',
  BI: 'BIF',
  NG: 'NGN',
  GH: 'GHS',
  BJ: 'XOF',
  BF: 'XOF',
  CI: 'XOF',
  GW: 'XOF',
  ML: 'XOF',
  NE: 'XOF',
  SN: 'XOF',
  TG: 'XOF',
}
const CURRENCIES = [...new Set(Object.values(COUNTRIES))]

const loginCases: ConformanceCase[] = [
  login(
    'good credentials give a token object',
    {},
    {
      status: 200,
      message: 'Success',
      check: ({ data }) =>
        isText(data.access_token) &&
        data.token_type === 'bearer' &&
        data.expires_in === 3600 &&
        Object.keys(data).length === 3,
    },
    'service.md Token object',
  ),
  login('unknown fields are ignored', { extra: 'x' }, { status: 200, message: 'Success' }),
  login(
    'a wrong secret',
    { consumer_secret: 'wrong' },
    { status: 400, message: 'Invalid credentials.' },
    'service.md Errors, open-points.md Login 400 or 401',
  ),
  login(
    'a wrong key',
    { consumer_key: 'wrong' },
    { status: 400, message: 'Invalid credentials.' },
    'service.md Errors, open-points.md Login 400 or 401',
  ),
  login(
    'the secret in other letters',
    { consumer_secret: 'CS_TEST' },
    { status: 400, message: 'Invalid credentials.' },
    'service.md Errors',
  ),
  ...['consumer_key', 'consumer_secret'].map((field) =>
    login(
      `a wrong ${field} of 300 characters`,
      { [field]: long(300) },
      { status: 400, message: 'Invalid credentials.' },
      'service.md Errors, open-points.md Login 400 or 401',
    ),
  ),
  ...['consumer_key', 'consumer_secret'].flatMap((field) =>
    (
      [
        [undefined, 'missing'],
        ['', 'empty'],
        [null, 'null'],
        [7, 'a number'],
        [true, 'a boolean'],
        [[], 'a list'],
        [{}, 'an object'],
      ] as const
    ).map(([value, what]) =>
      login(
        `${field} is ${what}`,
        { [field]: value },
        { status: 422, errors: [field] },
        'open-points.md Login 400 or 401',
      ),
    ),
  ),
]

const bankCases: ConformanceCase[] = [
  ...Object.entries(COUNTRIES).map(([country, currency]) =>
    banks(
      `${country} has banks in ${currency}, each with name, currency and code as texts`,
      { country_code: country },
      {
        ...OK,
        check: ({ data }) =>
          Array.isArray(data) &&
          data.length > 0 &&
          data.every(
            (bank: Fields) =>
              isText(bank.name) && bank.currency === currency && isText(bank.code) && Object.keys(bank).length === 3,
          ),
      },
      'service.md Bank object, open-points.md Country codes',
    ),
  ),
  banks(
    'the published sample codes of Kenya',
    { country_code: 'KE' },
    {
      ...OK,
      check: ({ data }) => ['76', '54'].every((code) => data.some((bank: Fields) => bank.code === code)),
    },
    'open-points.md Bank codes',
  ),
  ...['XX', 'US', 'ke', 'KEN', 'K', 'XOF', '254', '__proto__', 'constructor', 'KENYA, REPUBLIC OF', '  '].map((code) =>
    banks(
      `country code ${JSON.stringify(code)}`,
      { country_code: code },
      code.trim() ? { status: 400, message: 'Invalid country code.' } : { status: 422, errors: ['country_code'] },
      'service.md Errors',
    ),
  ),
  ...(
    [
      [undefined, 'missing'],
      ['', 'empty'],
      [null, 'null'],
      [254, 'a number'],
      [['KE'], 'a list'],
    ] as const
  ).map(([value, what]) =>
    banks(
      `country_code is ${what}`,
      { country_code: value },
      { status: 422, errors: ['country_code'] },
      'open-points.md missing field',
    ),
  ),
]

const authCases: ConformanceCase[] = (['banks', 'create', 'query'] as const).flatMap((path) =>
  (
    [
      ['no Authorization header', undefined],
      ['an empty token', 'Bearer '],
      ['an unknown token', 'Bearer abcdef'],
      ['another scheme', 'Basic abcdef'],
      ['a token with a blank inside', 'Bearer abc def'],
      ['a token of 4000 characters', `Bearer ${long(4000)}`],
    ] as const
  ).map(([what, value]) => ({
    section: 'service.md Authentication §3',
    name: `${path} with ${what}`,
    safe: true,
    request: { path, headers: { Authorization: value } },
    answer: { status: 401, message: 'Unauthorized.' },
  })),
)

const HTTP = 'open-points.md envelope of HTTP faults (ours)'
const httpCases: ConformanceCase[] = [
  ...(['login', 'banks', 'create', 'query'] as const).flatMap((path): ConformanceCase[] => [
    ...['GET', 'PUT', 'DELETE', 'PATCH'].map((method): ConformanceCase => ({
      section: HTTP,
      name: `${method} on ${path}`,
      safe: true,
      request: { path, method },
      answer: { status: 405, message: 'Method not allowed.', headers: { Allow: /^POST$/ } },
    })),
    {
      section: HTTP,
      name: `${path} as text/plain`,
      safe: true,
      request: { path, headers: { 'Content-Type': 'text/plain' } },
      answer: { status: 415, message: 'Unsupported media type.' },
    },
    {
      section: HTTP,
      name: `${path} as a form`,
      safe: true,
      request: { path, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      answer: { status: 415, message: 'Unsupported media type.' },
    },
    {
      section: HTTP,
      name: `${path} with a charset`,
      safe: path !== 'create',
      request: {
        path,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        ...(path === 'query' ? { afterCreate: true as const } : {}),
      },
      answer: { status: 200 },
    },
    {
      section: HTTP,
      name: `${path} that accepts HTML only`,
      safe: true,
      request: { path, headers: { Accept: 'text/html' } },
      answer: { status: 406 },
    },
    {
      section: HTTP,
      name: `${path} with 65 KiB`,
      safe: true,
      request: { path, raw: `{"a":"${long(65 * 1024)}"}` },
      answer: { status: 413, message: 'Payload too large.' },
    },
    {
      section: HTTP,
      name: `${path} with an empty body`,
      safe: true,
      request: { path, raw: '' },
      answer: { status: 400, message: /^Malformed JSON\./ },
    },
    {
      section: HTTP,
      name: `${path} with half a body`,
      safe: true,
      request: { path, raw: '{"a":' },
      answer: { status: 400, message: /^Malformed JSON\./ },
    },
    {
      section: HTTP,
      name: `${path} nested 5000 deep`,
      safe: true,
      request: { path, raw: '['.repeat(5000) + ']'.repeat(5000) },
      answer: { status: 400, message: /Nested too deep/ },
    },
    {
      section: HTTP,
      name: `${path} in broken UTF-8`,
      safe: true,
      request: { path, raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) },
      answer: { status: 400, message: /Broken UTF-8/ },
    },
    {
      section: HTTP,
      name: `${path} with half a surrogate pair`,
      safe: true,
      request: { path, raw: '{"a":"\\ud800"}' },
      answer: { status: 400, message: /surrogate/ },
    },
    {
      section: HTTP,
      name: `${path} with a trailing comma`,
      safe: true,
      request: { path, raw: '{"a":1,}' },
      answer: { status: 400 },
    },
    {
      section: HTTP,
      name: `${path} with a byte order mark`,
      safe: true,
      request: { path, raw: '\ufeff{}' },
      answer: { status: 400 },
    },
    ...['[]', '"text"', 'null', '7', 'true'].map((raw): ConformanceCase => ({
      section: HTTP,
      name: `${path} with ${raw} for an object`,
      safe: true,
      request: { path, raw },
      answer: { status: 422, errors: ['body'] },
    })),
  ]),
  ...[
    '/api',
    '/api/v2',
    '/api/v1/auth/login',
    '/api/v2/auth',
    '/api/v2/auth/login/x',
    '/api/v2/payment/x',
    '/api/v2//payment',
    '/api/v2/payment/status-query/',
  ].map((path): ConformanceCase => ({
    section: `${HTTP}; service.md Versioning`,
    name: `unknown path ${path}`,
    safe: true,
    request: { path: path as `/${string}`, raw: '{}' },
    answer: { status: 404, message: 'Not found.' },
  })),
]

const field = 'service.md Payment request'
const lengths = 'open-points.md Maximum lengths'
const createCases: ConformanceCase[] = [
  create(
    'service.md Payment result',
    'a good deposit gives a payment result',
    {},
    {
      ...OK,
      check: ({ data }) =>
        isText(data.transaction_id) &&
        isText(data.reference) &&
        data.status === 'PENDING' &&
        isText(data.status_description) &&
        data.amount === 2500 &&
        data.currency === 'KES' &&
        URL.canParse(data.redirect_url) &&
        /^\d{4}-\d\d-\d\d (0[1-9]|1[0-2]):\d\d:\d\d [AP]M$/.test(data.date) &&
        Object.keys(data).length === 8,
    },
  ),
  ...CURRENCIES.map((currency) =>
    create(
      'service.md Supported currencies',
      `${currency} by its wallet`,
      { currency },
      { ...OK, check: ({ data }) => data.currency === currency && data.amount === 2500 },
    ),
  ),
  ...['USD', 'EUR', 'XAF', 'kes', 'KE', 'KESS', 'Kenyan shillings (KES)', '__proto__'].map((currency) =>
    create(
      'service.md §3 rule 2, open-points.md Unsupported currency',
      `currency ${currency}`,
      { currency, wallet_no: '4559494901' },
      { status: 400, message: 'Unsupported currency.' },
    ),
  ),
  ...CURRENCIES.filter((currency) => currency !== 'KES').map((currency) =>
    create(
      'service.md Payment request wallet_no, open-points.md wallet mismatch',
      `the KES wallet for ${currency}`,
      { currency, wallet_no: 'KES' },
      { status: 400, message: 'Wallet does not match currency.' },
    ),
  ),
  ...['1', long(65)].map((wallet_no) =>
    create(
      'service.md Payment request wallet_no',
      `an unknown wallet of ${wallet_no.length} characters`,
      { wallet_no },
      { status: 400, message: 'Wallet not found.' },
    ),
  ),
  ...['wallet_no', 'reference', 'acc_name', 'amount', 'currency', 'channel', 'description', 'result_url'].flatMap(
    (name) => [
      refusedField(name, undefined, `${name} is missing`, 'service.md Payment request, open-points.md missing field'),
      refusedField(name, '', `${name} is empty`, 'service.md Payment request, open-points.md missing field'),
      refusedField(name, null, `${name} is null`, 'service.md Payment request, open-points.md missing field'),
      refusedField(name, true, `${name} is a boolean`),
      refusedField(name, ['x'], `${name} is a list`),
      refusedField(name, { x: 1 }, `${name} is an object`),
    ],
  ),
  ...['wallet_no', 'reference', 'acc_name', 'currency', 'description', 'result_url'].map((name) =>
    refusedField(name, 7, `${name} is a number`),
  ),
  create(field, 'acc_no and email left out', { acc_no: undefined, email: undefined }, OK),
  create(field, 'acc_no and email null', { acc_no: null, email: null }, OK),
  create(field, 'acc_no of another country', { acc_no: '4915112345678' }, OK),
  create(field, 'acc_no of three digits: the phone is not validated', { acc_no: '123' }, OK),
  refusedField('acc_no', '+254712345678', 'acc_no with a plus'),
  refusedField('acc_no', '0712 345678', 'acc_no with a blank'),
  refusedField('acc_no', 254712345678, 'acc_no as a number'),
  refusedField('email', 'no address', 'email that is none'),
  refusedField('email', 7, 'email as a number'),
  create(field, 'acc_name of two characters', { acc_name: 'Ab' }, OK),
  create(field, 'acc_name in Amharic', { acc_name: 'አበበ በቂላ' }, OK),
  create(field, 'acc_name with an emoji', { acc_name: '😀😀' }, OK),
  refusedField('acc_name', 'A', 'acc_name of one character'),
  refusedField('acc_name', ' A ', 'acc_name of one character and blanks'),
  refusedField('acc_name', '😀', 'acc_name of one emoji'),
  refusedField('acc_name', 'A\u0000b', 'acc_name with a NUL'),
  refusedField('description', 'two\nlines', 'description with a line break'),
  create(lengths, 'acc_name of 100 characters', { acc_name: long(100) }, OK),
  refusedField('acc_name', long(101), 'acc_name of 101 characters', lengths),
  create(lengths, 'description of 255 characters', { description: long(255) }, OK),
  refusedField('description', long(256), 'description of 256 characters', lengths),
  refusedField('reference', long(65), 'reference of 65 characters', lengths),
  create(field, 'amount as a number', { amount: 2500 }, { ...OK, check: ({ data }) => data.amount === 2500 }),
  refusedField('amount', '2500', 'amount as a text of digits: numeric'),
  create(field, 'amount 1', { amount: 1 }, OK),
  ...[
    '2,500',
    '2500.00',
    '2500.0',
    '2.500',
    ' 2500',
    '02500',
    '+2500',
    '-2500',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '٢٥٠٠',
    '2500 KES',
  ].map((amount) => refusedField('amount', amount, `amount ${JSON.stringify(amount)}: whole, no separators`)),
  ...[0, -1, 2500.5, 1e21].map((amount) => refusedField('amount', amount, `amount ${amount}`)),
  create(field, 'channel as a number', { channel: 420001 }, OK),
  refusedField('channel', '420001', 'channel as a text of digits: numeric'),
  refusedField('channel', 420002, 'channel 420002', 'service.md §3 rule 1'),
  refusedField('channel', '42001', 'channel 42001', 'service.md §3 rule 1'),
  ...[
    'http://merchant.example/x',
    'ftp://merchant.example/x',
    'merchant.example/x',
    'javascript:alert(1)',
    'https://',
    'https://user:pass@merchant.example/',
    '//merchant.example/x',
    'http://127.0.0.1.evil.example/',
    `https://merchant.example/${long(2100)}`,
  ].map((url) => refusedField('result_url', url, `result_url ${url.slice(0, 50)}`, 'service.md Authentication §7')),
  {
    section: 'service.md §3 Path',
    name: 'the path without its trailing slash',
    safe: false,
    request: { path: 'create-without-slash' },
    answer: OK,
  },
  {
    section: 'service.md Payment request reference, open-points.md Duplicate reference',
    name: 'the same reference again',
    safe: false,
    request: { path: 'create', fields: { reference: 'SAME' }, afterCreate: { reference: 'SAME' } },
    answer: { status: 400, message: 'Duplicate reference.' },
  },
  {
    section: 'service.md Payment request reference, open-points.md Duplicate reference',
    name: 'the same reference with another amount',
    safe: false,
    request: { path: 'create', fields: { reference: 'SAME', amount: 1 }, afterCreate: { reference: 'SAME' } },
    answer: { status: 400, message: 'Duplicate reference.' },
  },
]

const signatures = 'service.md Authentication §4, open-points.md Signature'
const signatureCases: ConformanceCase[] = [
  ...(
    [
      ['missing', undefined],
      ['empty', ''],
      ['no Base64', '%%%'],
      ['of another length', 'QUJD'],
      ['of 4000 characters', 'A'.repeat(4000)],
    ] as const
  ).flatMap(([what, value]): ConformanceCase[] => [
    {
      section: signatures,
      name: `Signature is ${what}`,
      safe: true,
      request: { path: 'create', headers: { Signature: value } },
      answer: { status: 401, message: 'Invalid signature.' },
    },
    {
      section: 'service.md Authentication §4, open-points.md x-hash',
      name: `x-hash is ${what}`,
      safe: true,
      request: { path: 'create', headers: { 'x-hash': value } },
      answer: { status: 401, message: 'Invalid x-hash.' },
    },
    {
      section: 'open-points.md Transaction query',
      name: `query Signature is ${what}`,
      safe: true,
      request: { path: 'query', headers: { Signature: value } },
      answer: { status: 401, message: 'Invalid signature.' },
    },
  ]),
  ...['420001|ORD|KES|2500', '420001ORDKES25000', 'ORD420001KES2500', ''].map((text): ConformanceCase => ({
    section: signatures,
    name: `Signature over ${JSON.stringify(text)}`,
    safe: true,
    request: { path: 'create', fields: { reference: 'ORD' }, signs: text },
    answer: { status: 401, message: 'Invalid signature.' },
  })),
  {
    section: signatures,
    name: 'Signature over another amount than the body has',
    safe: true,
    request: { path: 'create', fields: { reference: 'SIGNED-1', amount: 9 }, signs: '420001SIGNED-1KES2500' },
    answer: { status: 401, message: 'Invalid signature.' },
  },
]

const query = 'open-points.md Transaction query'
const queryCases: ConformanceCase[] = [
  {
    section: query,
    name: 'a fresh deposit is PENDING, with the eight published fields',
    safe: false,
    request: { path: 'query', afterCreate: true },
    answer: {
      status: 200,
      message: 'Successfully fetched',
      check: ({ data }) =>
        data.status === 'PENDING' &&
        Object.keys(data).toSorted().join() ===
          'acc_name,acc_no,date,description,reference,status,status_description,transaction_id',
    },
  },
  ...[{ reference: 'NEVER-CREATED' }, { reference: long(65) }, { wallet_no: long(65) }].map(
    (fields): ConformanceCase => ({
      section: 'open-points.md Query of an unknown reference',
      name: `unknown: ${JSON.stringify(fields)}`,
      safe: true,
      request: { path: 'query', fields },
      answer: { status: 404, message: 'Transaction not found.' },
    }),
  ),
  {
    section: query,
    name: 'the right reference with another wallet',
    safe: false,
    request: { path: 'query', afterCreate: true, fields: { wallet_no: '4559494902' } },
    answer: { status: 404, message: 'Transaction not found.' },
  },
  ...(['wallet_no', 'reference'] as const).flatMap((name): ConformanceCase[] =>
    (
      [
        [undefined, 'missing'],
        ['', 'empty'],
        [7, 'a number'],
        [[], 'a list'],
      ] as const
    ).map(([value, what]) => ({
      section: query,
      name: `query with ${name} ${what}`,
      safe: true,
      request: { path: 'query', fields: { [name]: value } },
      answer: { status: 422, errors: [name] },
    })),
  ),
  {
    section: query,
    name: 'Signature over reference and wallet in the wrong order',
    safe: true,
    request: { path: 'query', signs: 'ORD-14559494901', fields: { reference: 'ORD-1' } },
    answer: { status: 401, message: 'Invalid signature.' },
  },
]

export const CONFORMANCE: readonly ConformanceCase[] = [
  ...loginCases,
  ...bankCases,
  ...authCases,
  ...httpCases,
  ...createCases,
  ...signatureCases,
  ...queryCases,
]
