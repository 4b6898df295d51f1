// Which callbacks are believed to be genuine, and which are not, field by field.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCallbackReader } from '../../server/upstream/callback.ts'
import type { CallbackReading } from '../../server/deposits/ports/upstream.ts'
import {
  body,
  bytes,
  consumerKey,
  FAILED_FIELDS,
  failure,
  hashOf,
  signed,
  success,
  SUCCESS_FIELDS,
  vectors,
} from './material.ts'

const read = createCallbackReader({ consumerKey })
const reason = (reading: CallbackReading) => (reading.ok ? 'believed' : reading.reason)
const text = (raw: Uint8Array) => new TextDecoder().decode(raw)
const [genuineSuccess, genuineFailure] = [signed(success), signed(failure)]

describe('genuine callbacks', () => {
  it.each(vectors.webhook_hash)('are believed: $hash', ({ payload, hash }) => {
    const reading = read(body({ ...payload, hash }))
    expect(reading).toMatchObject({
      ok: true,
      callback: {
        kind: payload['result_code'] === 0 ? 'success' : 'failed',
        channel: '420001',
        reference: payload['reference'],
        transactionId: payload['transaction_id'],
        resultCode: String(payload['result_code']),
        resultDescription: payload['result_description'],
        extraFields: [],
        key: 'current',
      },
    })
  })

  it('carry what a success reports, and a failure none of it', () => {
    const one = read(genuineSuccess)
    expect(one.ok && one.callback).toMatchObject({
      thirdPartyId: 'SP7S36U3T8',
      currency: 'KES',
      amount: '2500',
      fees: '50',
      payerName: 'Achieng Otieno',
    })
    const other = read(genuineFailure)
    expect(other.ok && Object.keys(other.callback).toSorted()).toEqual([
      'asDocumented',
      'channel',
      'extraFields',
      'key',
      'kind',
      'reference',
      'resultCode',
      'resultDescription',
      'signed',
      'transactionId',
    ])
  })

  it('may write the hash in capitals', () => {
    const hash = hashOf(success, SUCCESS_FIELDS).toUpperCase()
    expect(reason(read(body({ ...success, hash })))).toBe('believed')
  })

  it.each([
    '2500',
    '2500.00',
    '2500.0',
    '1e3',
    '1E+10',
    '25e-100',
    '-12.34',
    '2500.000000000000000001',
    '9007199254740993',
  ])('may write the amount as the number %s, hashed as it stands', (lexeme) => {
    const hash = hashOf({ ...success, amount: lexeme }, SUCCESS_FIELDS)
    const raw = JSON.stringify({ ...success, amount: '@', hash }).replace('"@"', lexeme)
    const reading = read(bytes(raw))
    expect(reading.ok && reading.callback.amount).toBe(lexeme)
  })

  it('may write the fees as a number', () => {
    const payload = { ...success, fees: 50 }
    expect(reason(read(body({ ...payload, hash: hashOf(payload, SUCCESS_FIELDS) })))).toBe('believed')
  })

  it('may write channel and result_code as number or as string', () => {
    const payload = { ...success, channel: 420001, result_code: '0' }
    expect(reason(read(body({ ...payload, hash: hashOf(payload, SUCCESS_FIELDS) })))).toBe('believed')
  })

  it.each([
    ['success', success],
    ['failed', failure],
  ] as const)(
    'of %s may decide with any number as number or as text, and carry the text that was signed',
    (kind, given) => {
      const numbers = ['channel', 'amount', 'fees', 'result_code'].filter((name) => given[name] !== undefined)
      for (const convert of [Number, String]) {
        const payload = { ...given, ...Object.fromEntries(numbers.map((name) => [name, convert(given[name])])) }
        const order = kind === 'success' ? SUCCESS_FIELDS : FAILED_FIELDS
        const reading = read(signed(payload))
        expect(reading.ok && reading.callback).toMatchObject({
          kind,
          asDocumented: true,
          signed: { text: order.map((name) => payload[name]).join(''), order: 'documented' },
        })
      }
    },
  )

  it('may escape what it likes, for the hash is over the meaning', () => {
    const spelled = text(signed({ ...success, acc_name: 'Aïssata "T" / \\ Traoré 😀\n' }))
    const escaped = spelled
      .replace('ï', '\\u00ef')
      .replace('é', '\\u00E9')
      .replace('😀', '\\ud83d\\ude00')
      .replace('/', '\\/')
      .replace('"reference"', '"\\u0072eference"')
    expect(escaped).not.toBe(spelled)
    const reading = read(bytes(escaped))
    expect(reading.ok && reading.callback.payerName).toBe('Aïssata "T" / \\ Traoré 😀\n')
  })

  it('may use every escape of JSON', () => {
    const reading = read(signed({ ...success, acc_name: '\b\f\n\r\t"\\/' }))
    expect(reading.ok && reading.callback.payerName).toBe('\b\f\n\r\t"\\/')
  })

  it('keep names as they were composed: NFD stays NFD', () => {
    const nfd = 'Traoré'.normalize('NFD')
    const reading = read(signed({ ...success, acc_name: nfd }))
    expect(reading.ok && reading.callback.payerName).toBe(nfd)
    const swapped = text(signed({ ...success, acc_name: nfd })).replace(nfd, nfd.normalize('NFC'))
    expect(reason(read(bytes(swapped)))).toBe('bad_hash')
  })

  it.each([
    '{}',
    '[]',
    '{"method":"agent","till":{"no":["7", -1.5e3, null]}, "a":1,"a":2}',
    '[{"amount":"9","hash":"x"}, [ ], true]',
  ])('may carry a further field that is an object or array: %s', (nested) => {
    const reading = read(bytes(text(genuineSuccess).replace('{', `{"details": ${nested} ,`)))
    expect(reading.ok && reading.callback).toMatchObject({ amount: '2500', extraFields: ['details'] })
  })

  it('may carry further flat fields, which are named and not hashed', () => {
    const extra = { event: 'paid', attempt: 2 }
    const reading = read(body({ ...failure, ...extra, hash: hashOf(failure, FAILED_FIELDS) }))
    expect(reading.ok && reading.callback.extraFields).toEqual(['event', 'attempt'])
    const words = text(genuineFailure).replace('{', '{"a":true,"b":false,"c":null,"__proto__":"x","d":-1.5E+3, ')
    const other = read(bytes(words))
    expect(other.ok && other.callback.extraFields).toEqual(['a', 'b', 'c', '__proto__', 'd'])
  })

  it('may be printed with spaces', () => {
    expect(reason(read(bytes(` \r\n\t${JSON.stringify(JSON.parse(text(genuineSuccess)), null, '\t')} \n`)))).toBe(
      'believed',
    )
    expect(reason(read(bytes(text(genuineSuccess).replaceAll('":', '" : ').replaceAll(',"', ' , "'))))).toBe('believed')
  })

  it('may leave transaction_id and the description of a failure empty', () => {
    const payload = { ...failure, transaction_id: '', result_description: '' }
    expect(reason(read(signed(payload)))).toBe('believed')
  })

  it.each([1, -1, 9, 1032, 999999999, -999999999])('may fail with code %i', (code) => {
    const reading = read(signed({ ...failure, result_code: code }))
    expect(reading.ok && reading.callback.kind).toBe('failed')
  })
})

describe('genuine callbacks in another form', () => {
  const all = {
    ...failure,
    third_party_id: 'SP7S36U3T8',
    currency: 'KES',
    amount: '2500',
    fees: '0',
    acc_name: 'Achieng',
  }
  const hashed = (payload: Readonly<Record<string, string | number>>, order: readonly string[] = SUCCESS_FIELDS) =>
    body({ ...payload, hash: hashOf(payload, order) })
  const form = (payload: Readonly<Record<string, string | number>>, order: readonly string[]) =>
    bytes(new URLSearchParams({ ...strings(payload), hash: hashOf(payload, order) }).toString())
  const strings = (payload: object) =>
    Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]))
  const emptied = { ...all, third_party_id: '', currency: '', amount: '', fees: '', acc_name: '' }
  const nulled = text(hashed(emptied, FAILED_FIELDS)).replaceAll('""', 'null')

  it.each([
    ['a failure of ten fields, hashed over all', 'failed', hashed(all)],
    ['a failure of ten fields, hashed over five', 'failed', hashed(all, FAILED_FIELDS)],
    ['a failure of ten fields, five of them empty', 'failed', hashed(emptied, FAILED_FIELDS)],
    ['a failure of ten fields, five of them null', 'failed', bytes(nulled)],
    ['a success with empty fees', 'success', hashed({ ...success, fees: '' })],
    ['a success with fees of null', 'success', bytes(text(hashed({ ...success, fees: '' })).replace('""', 'null'))],
    ['a success with separators in its amount', 'success', hashed({ ...success, amount: '2,500.00' })],
    ['a success whose transaction is a number', 'success', hashed({ ...success, transaction_id: 7 })],
    ['a byte order mark', 'success', new Uint8Array([0xef, 0xbb, 0xbf, ...genuineSuccess])],
    ['a form of a success', 'success', form({ ...success, acc_name: 'Aïssata & Co + 1' }, SUCCESS_FIELDS)],
    ['a form of a failure', 'failed', form(failure, FAILED_FIELDS)],
    ['gzip', 'success', new Uint8Array(gzipSync(genuineSuccess))],
    ['a form in gzip', 'failed', new Uint8Array(gzipSync(form(failure, FAILED_FIELDS)))],
  ])('may ring, and never decide: %s', (_name, kind, raw) => {
    const reading = read(raw)
    expect(reading.ok && [reading.callback.kind, reading.callback.asDocumented]).toEqual([kind, false])
  })

  it('of a failure with ten fields carry the sum that it names, and of one with empty fields none', () => {
    const full = read(hashed(all))
    expect(full.ok && full.callback).toMatchObject({ kind: 'failed', currency: 'KES', amount: '2500' })
    const empty = read(hashed(emptied, FAILED_FIELDS))
    expect(empty.ok && Object.keys(empty.callback)).not.toContain('currency')
    expect(empty.ok && Object.keys(empty.callback)).not.toContain('amount')
  })

  it('of a failure with some of the further fields are refused for their shape, whichever fields were hashed', () => {
    const { currency } = all
    const order = [...FAILED_FIELDS.slice(0, 3), 'currency', ...FAILED_FIELDS.slice(3)]
    for (const raw of [hashed({ ...failure, currency }, order), hashed({ ...failure, currency }, FAILED_FIELDS)])
      expect(reason(read(raw))).toBe('wrong_shape')
  })

  it('do not verify with one letter changed', () => {
    for (const raw of [hashed(all), form(success, SUCCESS_FIELDS)])
      expect(reason(read(bytes(text(raw).replace('420001', '420002'))))).toBe('bad_hash')
    const packed = new Uint8Array(gzipSync(text(genuineSuccess).replace('420001', '420002')))
    expect(read(packed)).toMatchObject({ ok: false, reason: 'bad_hash', plain: expect.any(Uint8Array) })
  })

  it('are unpacked up to the limit, and no further', () => {
    expect(reason(read(new Uint8Array(gzipSync(text(genuineSuccess).padEnd(16_384)))))).toBe('believed')
    expect(reason(read(new Uint8Array(gzipSync(text(genuineSuccess).padEnd(16_385)))))).toBe('too_large')
    expect(reason(read(new Uint8Array(gzipSync(' '.repeat(10_000_000)))))).toBe('too_large')
    expect(reason(read(new Uint8Array([0x1f, 0x8b, 1, 2, 3])))).toBe('not_json')
  })

  it('of the documented form may decide where callbacks do', () => {
    for (const raw of [genuineSuccess, genuineFailure])
      expect(read(raw)).toMatchObject({ callback: { asDocumented: true } })
  })

  // One parse gives the hashed text and the fields, so that no two readings of one body exist: the
  // last of two equal names counts.
  it.each([
    text(genuineSuccess).replace('{', '{"amount":"9",'),
    text(genuineSuccess).replace('{', '{"amount":"2500",'),
    text(genuineSuccess).replace('{', '{"\\u0061mount":9.00,'),
    text(genuineSuccess).replace('{', '{"x":1,"x":1,"amount":{"a":1},'),
  ])('may say a field twice, and mean the last: %s', (raw) => {
    const reading = read(bytes(raw))
    expect(reading.ok && reading.callback.amount).toBe('2500')
  })
})

describe('keys', () => {
  it('of before the rotation are still believed, and named', () => {
    const rotated = createCallbackReader({ consumerKey: 'new', previousKey: consumerKey })
    const reading = rotated(genuineSuccess)
    expect(reading.ok && reading.callback.key).toBe('previous')
    const fresh = rotated(signed(success, 'new'))
    expect(fresh.ok && fresh.callback.key).toBe('current')
  })

  it('of another merchant are not', () => {
    expect(reason(createCallbackReader({ consumerKey: 'other', previousKey: 'older' })(genuineSuccess))).toBe(
      'bad_hash',
    )
  })

  it('are never empty', () => {
    expect(() => createCallbackReader({ consumerKey: '' })).toThrow(/HC_CONSUMER_KEY/)
    expect(() => createCallbackReader({ consumerKey: 'a', previousKey: '' })).toThrow(/empty/)
  })
})

describe('the order of the hash', () => {
  const swapped = {
    channel: '420001',
    reference: 'R',
    result_code: 1032,
    transaction_id: 'T',
    result_description: 'D',
    extra: 'E',
  }
  const inOrder = (order: readonly string[]) => body({ ...swapped, hash: hashOf(swapped, order) })
  const asReceived = ['channel', 'reference', 'result_code', 'transaction_id', 'result_description']

  it('is the documented one by default', () => {
    expect(reason(read(inOrder(FAILED_FIELDS)))).toBe('believed')
    expect(reason(read(inOrder(asReceived)))).toBe('bad_hash')
  })

  it('is the one received only where that is set', () => {
    const received = createCallbackReader({ consumerKey, hashOrder: 'received' })
    expect(reason(received(inOrder(asReceived)))).toBe('believed')
    expect(reason(received(inOrder(FAILED_FIELDS)))).toBe('bad_hash')
  })
})

describe('callbacks that are not believed', () => {
  it.each([...SUCCESS_FIELDS])('a success whose %s was changed', (name) => {
    const changed = { ...success, hash: hashOf(success, SUCCESS_FIELDS), [name]: `${success[name]}1` }
    expect(reason(read(body(changed)))).toBe(name === 'result_code' ? 'wrong_type' : 'bad_hash')
  })

  const needed = ['reference', 'result_code', 'hash']
  it.each([...FAILED_FIELDS, 'hash'])('one without %s', (name) => {
    for (const raw of [genuineSuccess, genuineFailure]) {
      const { [name]: _gone, ...rest } = JSON.parse(text(raw)) as Record<string, string>
      expect(reason(read(body(rest)))).toBe(needed.includes(name) ? 'missing_field' : 'bad_hash')
    }
  })

  const onlySuccess = SUCCESS_FIELDS.filter((name) => !(FAILED_FIELDS as readonly string[]).includes(name))
  it.each(onlySuccess)('a success without %s', (name) => {
    const { [name]: _gone, ...rest } = success
    const { reference } = success
    // The payment is named, so that it can be asked about.
    expect(read(body({ ...rest, hash: hashOf(rest, SUCCESS_FIELDS) }))).toEqual({ ok: false, reason: 'wrong_shape', reference }) // prettier-ignore
  })

  it.each(SUCCESS_FIELDS.filter((name) => !['result_code', 'fees'].includes(name)))(
    'a success whose %s is empty',
    (name) => {
      expect(reason(read(signed({ ...success, [name]: '' })))).toBe('wrong_shape')
    },
  )

  it.each(onlySuccess)('a failure with %s, even an empty one', (name) => {
    for (const value of ['', 'x']) {
      const payload = { ...failure, [name]: value }
      expect(reason(read(body({ ...payload, hash: hashOf(payload, FAILED_FIELDS) })))).toBe('wrong_shape')
    }
  })

  it.each([
    '00',
    '-0',
    '+0',
    '01',
    '0.0',
    '0e0',
    '',
    ' 0',
    '0 ',
    '٠',
    '０',
    '1032.0',
    '1e3',
    '1234567890',
    '0x0',
    'zero',
    '-',
  ])('one whose result_code is the text %j', (code) => {
    for (const payload of [
      { ...success, result_code: code },
      { ...failure, result_code: code },
    ]) {
      const order = 'amount' in payload ? SUCCESS_FIELDS : FAILED_FIELDS
      expect(reason(read(body({ ...payload, hash: hashOf(payload, order) })))).toBe('wrong_type')
    }
  })

  it.each(['-0', '0.0', '0e0', '1.0', '1032.0', '1E3'])('one whose result_code is the number %s', (lexeme) => {
    const raw = text(signed({ ...failure, result_code: lexeme })).replace(`"${lexeme}"`, lexeme)
    expect(reason(read(bytes(raw)))).toBe('wrong_type')
  })

  it.each([...SUCCESS_FIELDS, 'hash'])('one whose %s is true, false or null', (name) => {
    for (const value of [true, false, null]) {
      const changed = { ...(JSON.parse(text(genuineSuccess)) as object), [name]: value }
      const mayBeNull = value === null && !needed.includes(name)
      expect(reason(read(bytes(JSON.stringify(changed))))).toBe(mayBeNull ? 'bad_hash' : 'wrong_type')
    }
  })

  // The payment is named, so that it can be asked about: whoever computed the hash knows the key.
  const received = createCallbackReader({ consumerKey, hashOrder: 'received' })
  function expectNamed(payload: Record<string, string | number | null>): void {
    const texts = Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value ?? '')]))
    const documented = payload['result_code'] === 0 ? SUCCESS_FIELDS : FAILED_FIELDS
    for (const [reader, order] of [
      [read, documented],
      [received, Object.keys(texts)],
    ] as const) {
      const raw = (changes: object) => bytes(JSON.stringify({ ...payload, ...changes, hash: hashOf(texts, order) }))
      expect(reader(raw({}))).toEqual({ ok: false, reason: 'wrong_shape', reference: payload['reference'] })
      expect(reason(reader(raw({ result_description: 'Other' })))).toBe('bad_hash')
    }
  }

  it.each(['channel', 'transaction_id', 'result_description'])('a genuine one without %s', (name) => {
    for (const payload of [success, failure]) {
      const { [name]: _gone, ...rest } = payload as Record<string, string | number>
      expectNamed(rest)
    }
  })

  it.each(SUCCESS_FIELDS.filter((name) => !needed.includes(name)))('a genuine one whose %s is null', (name) => {
    for (const payload of name === 'fees' ? [failure] : [success, failure]) expectNamed({ ...payload, [name]: null })
  })

  it.each(['reference', 'hash'])('one whose %s is a number', (name) => {
    const changed = { ...success, [name]: 7 }
    expect(reason(read(body({ hash: hashOf(changed, SUCCESS_FIELDS), ...changed })))).toBe('wrong_type')
  })

  it.each([
    '',
    'abc',
    'g'.repeat(64),
    '0'.repeat(63),
    '0'.repeat(65),
    `${'0'.repeat(64)}\n`,
    ` ${'0'.repeat(63)}`,
    '０'.repeat(64),
  ])('one whose hash is %j', (hash) => {
    expect(reason(read(body({ ...success, hash })))).toBe('bad_hash')
  })

  it.each(['0', '00', 'zz', '\n', ' '])('one whose right hash has %j before or behind it', (more) => {
    const hash = hashOf(success, SUCCESS_FIELDS)
    for (const longer of [more + hash, hash + more]) {
      expect(reason(read(body({ ...success, hash: longer })))).toBe('bad_hash')
    }
  })

  it('one whose hash differs in one bit, at any place', () => {
    const hash = hashOf(success, SUCCESS_FIELDS)
    for (let at = 0; at < 64; at += 1) {
      const flipped = hash.slice(0, at) + (Number.parseInt(hash[at] ?? '0', 16) ^ 1).toString(16) + hash.slice(at + 1)
      expect(reason(read(body({ ...success, hash: flipped })))).toBe('bad_hash')
    }
  })
})

describe('bodies that are no callback', () => {
  const good = text(genuineSuccess)
  const lone = (unit: string) => good.replace('Achieng', `Achieng${unit}`)
  const cases: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['nothing', '', 'not_json'],
    ['spaces', '  \n', 'not_json'],
    ['a word', 'null', 'not_json'],
    ['a string', '"{}"', 'not_json'],
    ['half a form', 'reference=1&hash=2', 'missing_field'],
    ['a form of other bytes', 'reference=%ff&hash=2&result_code=0', 'not_json'],
    ['a form with a NUL', 'reference=%00&hash=2&result_code=0', 'not_json'],
    ['an empty object', '{}', 'missing_field'],
    ['an array', `[${good}]`, 'not_flat'],
    ['an object in a field', good.replace('"2500"', '{"value":2500}'), 'not_flat'],
    ['half an array in a further field', good.replace('{', '{"x":[1,,'), 'not_json'],
    ['an array that ends as an object', good.replace('{', '{"x":[1},'), 'not_json'],
    ['an object with a bare name in a further field', good.replace('{', '{"x":{a:1},'), 'not_json'],
    ['an object without a comma in a further field', good.replace('{', '{"x":{"a":1 "b":2},'), 'not_json'],
    ['half a body', good.slice(0, -20), 'not_json'],
    ['a body without its last brace', good.slice(0, -1), 'not_json'],
    ['two bodies', good + good, 'not_json'],
    ['a tail', `${good}x`, 'not_json'],
    ['a NUL behind it', `${good}\0`, 'not_json'],
    ['two byte order marks', `\ufeff\ufeff${good}`, 'not_json'],
    ['UTF-16', new Uint8Array(Buffer.from(good, 'utf16le')), 'not_json'],
    [
      'bytes that are no UTF-8',
      new Uint8Array([...genuineSuccess.slice(0, -3), 0xff, ...genuineSuccess.slice(-3)]),
      'not_json',
    ],
    ['an overlong slash', new Uint8Array(Buffer.from(good.replace('Achieng', '\x80'), 'latin1')), 'not_json'],
    ['a NUL in a name', lone('\0'), 'not_json'],
    ['an escaped NUL', lone('\\u0000'), 'not_json'],
    ['a raw line break in a string', lone('\n'), 'not_json'],
    ['a lone high surrogate', lone('\\ud800'), 'not_json'],
    ['a lone low surrogate', lone('\\udc00'), 'not_json'],
    ['swapped surrogates', lone('\\udc00\\ud800'), 'not_json'],
    ['an unknown escape', lone('\\x41'), 'not_json'],
    ['half an escape', lone('\\u12'), 'not_json'],
    ['an escape at the end', '{"a\\', 'not_json'],
    ['a comma too many', good.replace('}', ',}'), 'not_json'],
    ['a comma first', good.replace('{', '{,'), 'not_json'],
    ['no comma', good.replace(',', ' '), 'not_json'],
    ['a field without a value', good.replace('{', '{"x":,'), 'not_json'],
    ['a last field without a value', good.replace('}', ',"x":}'), 'not_json'],
    ['no colon', good.replace(':', ' '), 'not_json'],
    ['single quotes', good.replaceAll('"', "'"), 'not_json'],
    ['a bare name', good.replace('"channel"', 'channel'), 'not_json'],
    ['a comment', good.replace('{', '{/**/'), 'not_json'],
    ['a no-break space', good.replace('{', '{\u00a0'), 'not_json'],
    ['a number with a leading zero', good.replace('"2500"', '02500'), 'not_json'],
    ['a number with a plus', good.replace('"2500"', '+2500'), 'not_json'],
    ['a number that ends in its point', good.replace('"2500"', '2500.'), 'not_json'],
    ['a number that begins with its point', good.replace('"2500"', '.5'), 'not_json'],
    ['half an exponent', good.replace('"2500"', '2500e'), 'not_json'],
    ['a hexadecimal number', good.replace('"2500"', '0x9c4'), 'not_json'],
    ['full-width digits', good.replace('"2500"', '２５００'), 'not_json'],
    ['NaN', good.replace('"2500"', 'NaN'), 'not_json'],
    ['Infinity', good.replace('"2500"', '-Infinity'), 'not_json'],
    ['a word in capitals', good.replace('"2500"', 'TRUE'), 'not_json'],
    ['a field twice, of which the last is not the signed one', good.replace(/}$/, ',"amount":"9"}'), 'bad_hash'],
    ['the same in another spelling', good.replace(/}$/, ',"\\u0061mount":"9"}'), 'bad_hash'],
  ]
  it.each(cases)('%s', (_name, raw, expected) => {
    expect(read(typeof raw === 'string' ? bytes(raw) : raw)).toEqual({ ok: false, reason: expected })
  })

  const withExtras = (count: number) => {
    const names = Array.from({ length: count }, (_value, index) => `"x${index}":1`)
    return bytes(good.replace('{', `{${names.join(',')},`))
  }
  it('more than 32 fields', () => {
    expect(reason(read(withExtras(32 - 11)))).toBe('believed')
    expect(reason(read(withExtras(33 - 11)))).toBe('too_large')
  })

  it('more bytes than allowed, counted as bytes', () => {
    expect(reason(read(bytes(good + ' '.repeat(16_384 - genuineSuccess.byteLength - 1) + '\u00a0')))).toBe('too_large')
    expect(reason(read(bytes(good + ' '.repeat(16_384 - genuineSuccess.byteLength))))).toBe('believed')
    expect(reason(read(bytes(good + ' '.repeat(16_385 - genuineSuccess.byteLength))))).toBe('too_large')
  })

  it('nesting of any depth, without falling over', () => {
    expect(reason(read(bytes('['.repeat(16_384))))).toBe('not_json')
    expect(reason(read(bytes('{"a":'.repeat(3_000))))).toBe('not_json')
    // As deep as the limit of bytes lets it be.
    expect(reason(read(bytes(`{"x":${'['.repeat(8000)}${']'.repeat(8000)}}`)))).toBe('too_large')
    const nested = (depth: number) => bytes(good.replace('{', `{"x":${'['.repeat(depth)}${']'.repeat(depth)},`))
    expect(reason(read(nested(32)))).toBe('believed')
    expect(reason(read(nested(33)))).toBe('too_large')
  })
})
