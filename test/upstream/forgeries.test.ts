// Hundreds of thousands of forged callbacks through read and bind: none is accepted for a deposit
// whose fields differ from its own. HC_FORGERIES sets how many (default 60,000), HC_FORGERIES_SEED
// which.
import { describe, expect, it } from 'vitest'
import { bindCallback } from '../../server/upstream/bind.ts'
import { createCallbackReader } from '../../server/upstream/callback.ts'
import { signsOtherSum } from '../../server/upstream/recut.ts'
import type { Callback } from '../../server/deposits/ports/upstream.ts'
import { asReceived, createForgeries, type Forgery } from './forgeries.ts'
import { body, consumerKey, FAILED_FIELDS, hashOf, held, SUCCESS_FIELDS } from './material.ts'

const count = Number(process.env['HC_FORGERIES'] ?? 60_000)
const seed = Number(process.env['HC_FORGERIES_SEED'] ?? 20_261_121)
const read = createCallbackReader({ consumerKey })

/**
 * What is wrong with believing it, judged apart from the product: by JSON.parse and plain
 * comparison.
 */
function wrong(forgery: Forgery, callback: Callback): string | undefined {
  const { held } = forgery
  const raw = asReceived(forgery.raw) ?? {}
  if (forgery.truth === undefined) return 'the service never said anything of this deposit'
  if (raw['channel'] !== '420001') return 'channel'
  if (raw['reference'] !== held.reference || callback.reference !== held.reference) return 'reference'
  if (held.transactionId !== undefined && raw['transaction_id'] !== held.transactionId) return 'transaction_id'
  const isSuccess = Number(raw['result_code']) === 0
  if (isSuccess !== (callback.kind === 'success')) return 'kind'
  if (isSuccess && raw['currency'] !== held.currency) return 'currency'
  if (isSuccess && Number(raw['amount']) !== held.amount) return 'amount'
  if (SUCCESS_FIELDS.some((name) => name !== 'fees' && raw[name] === '' && isSuccess)) return 'an empty field'
  // The hash covers it: only texts that the service itself signed can come so far.
  const orders = isSuccess ? [SUCCESS_FIELDS] : [FAILED_FIELDS, SUCCESS_FIELDS]
  const texts = orders.map((order) => order.map((name) => raw[name] ?? '').join(''))
  const truth = (forgery.truth['amount'] === undefined ? FAILED_FIELDS : SUCCESS_FIELDS)
    .map((name) => forgery.truth?.[name])
    .join('')
  return texts.includes(truth) ? undefined : 'a text that was never signed'
}

describe('forged callbacks', () => {
  it(`none of ${count} triggers a query for a deposit that it does not fit`, { timeout: 180_000 + count }, () => {
    const forgeries = createForgeries({ seed, consumerKey })
    const refused: Record<string, number> = {}
    const unbound: Record<string, number> = {}
    const rang: Record<string, number> = {}
    const flipped: Record<string, number> = {}
    const add = (counts: Record<string, number>, name: string) => {
      counts[name] = (counts[name] ?? 0) + 1
    }
    const believed: unknown[] = []
    for (let made = 0; made < count; made += 1) {
      const forgery = forgeries.next()
      const reading = read(forgery.raw)
      if (!reading.ok) {
        add(refused, reading.reason)
        continue
      }
      const { callback } = reading
      // Cut out of what the service said of this very payment: nobody may take it for a sum that
      // the service signed.
      if (callback.reference === forgery.held.reference && signsOtherSum(callback, forgery.held))
        believed.push({ fault: 'a re-cut counts as the word of the service', ...forgery, raw: forgery.raw.toString() })
      const field = bindCallback(reading.callback, forgery.held)
      if (field !== undefined) {
        add(unbound, field)
        continue
      }
      const fault = wrong(forgery, reading.callback)
      if (fault !== undefined) believed.push({ fault, ...forgery, raw: new TextDecoder().decode(forgery.raw) })
      add(rang, forgery.kind)
      const truth = forgery.truth?.['amount'] === undefined ? 'failed' : 'success'
      if (truth !== reading.callback.kind) add(flipped, `${truth} read as ${reading.callback.kind}`)
    }
    if (process.env['HC_FORGERIES'] !== undefined)
      process.stdout.write(`${JSON.stringify({ count, seed, refused, unbound, rang, flipped }, null, 1)}\n`)
    expect(believed.slice(0, 3)).toEqual([])
    // The generator does its work: each line of defence is reached, and the hole itself.
    for (const reason of [
      'not_json',
      'not_flat',
      'missing_field',
      'wrong_type',
      'wrong_shape',
      'bad_hash',
      'too_large',
    ]) {
      expect(refused[reason], reason).toBeGreaterThan(0)
    }
    for (const field of ['channel', 'reference', 'currency', 'amount', 'transaction_id'])
      expect(unbound[field], field).toBeGreaterThan(0)
    // A genuine failure can be cut to a success that fits in everything we hold, and the other way
    // round. No check of the callback can tell: that is why a callback only triggers a query, and
    // our own signed query decides (money rule 3).
    expect(flipped['failed read as success']).toBeGreaterThan(0)
    expect(flipped['success read as failed']).toBeGreaterThan(0)
    expect(Object.keys(rang).filter((kind) => !MAY_RING.has(kind))).toEqual([])
  })

  it('come out the same for the same seed', () => {
    const [one, other] = [createForgeries({ seed: 7, consumerKey }), createForgeries({ seed: 7, consumerKey })]
    for (let made = 0; made < 500; made += 1) expect(one.next()).toEqual(other.next())
  })
})

/** Kinds that keep the signed text and only move its borders, or only spell it otherwise. */
const MAY_RING = new Set([
  'digits-moved',
  'cut-at-random',
  'cut-to-fit-success',
  'cut-to-fit-failure',
  'cut-from-failure',
  'other-types',
  'odd-json',
  'bytes-changed',
  'hash-swapped',
  'other-shape',
])

describe('the re-cut pair of the published hash', () => {
  const failure = {
    channel: '420001',
    reference: 'HC01JD7Q3V9KES',
    transaction_id: 'CP7S36ULT8P',
    result_code: '1032',
    result_description: 'DS timeout user cannot be reached',
  }
  const success = {
    ...failure,
    third_party_id: '',
    currency: '',
    amount: '',
    fees: '',
    acc_name: '1',
    result_code: '0',
    result_description: '32DS timeout user cannot be reached',
  }
  const hash = hashOf(failure, FAILED_FIELDS)

  it('has one hash, and only its genuine half is believed', () => {
    expect(hashOf(success, SUCCESS_FIELDS)).toBe(hash)
    expect(read(body({ ...failure, hash }))).toMatchObject({ ok: true })
    expect(read(body({ ...success, hash }))).toMatchObject({ ok: false, reason: 'wrong_shape' })
  })
})

// Ten ways to cut one hash (F1 to F10), each with what stops it, or why it may only ring.
describe('each known way to cut one hash', () => {
  const paid = {
    channel: '420001',
    reference: held.reference,
    transaction_id: '20451990',
    third_party_id: 'MP240611.1530',
    currency: 'KES',
    amount: '1000',
    fees: '25',
    acc_name: 'Jean Mbarga',
    result_code: '0',
    result_description: 'Success',
  }
  const failed = {
    channel: '420001',
    reference: held.reference,
    transaction_id: '20451990',
    result_code: '51',
    result_description: 'Insufficient funds',
  }
  const holds = { reference: held.reference, currency: 'KES', amount: 1000, transactionId: '20451990' }
  const { transactionId: _unknown, ...young } = holds
  const quoting = { ...failed, result_description: 'P1KES10000Jean0OK' }
  const digitsName = { ...paid, acc_name: '000 Jean' }
  const cheap = { ...paid, amount: '1', fees: '0', acc_name: '0000 Jean' }
  const S = SUCCESS_FIELDS
  const F = FAILED_FIELDS
  type Fields = Readonly<Record<string, string>>

  const cases: readonly (readonly [
    string,
    Fields,
    readonly string[],
    Fields,
    readonly string[],
    typeof young,
    string,
  ])[] = [
    ['F1 fees into amount', paid, S, { ...paid, amount: '100025', fees: '' }, S, holds, 'amount'],
    [
      'F2 a digit of fees into amount',
      paid,
      S,
      { ...paid, amount: '10002', fees: '5' },
      S,
      { ...holds, amount: 1000 },
      'amount',
    ],
    [
      'F3 a digit of the transaction id into the reference',
      paid,
      S,
      { ...paid, reference: `${held.reference}2`, transaction_id: '0451990' },
      S,
      holds,
      'reference',
    ],
    [
      'F4 a letter into the transaction id',
      paid,
      S,
      { ...paid, transaction_id: '20451990M', third_party_id: 'P240611.1530' },
      S,
      holds,
      'transaction_id',
    ],
    [
      'F4 while no id is known',
      paid,
      S,
      { ...paid, transaction_id: '20451990M', third_party_id: 'P240611.1530' },
      S,
      young,
      'triggers: amount, currency and reference are right; the id of a callback is never stored',
    ],
    [
      'F5 digits of the name into fees',
      digitsName,
      S,
      { ...digitsName, fees: '25000', acc_name: ' Jean' },
      S,
      holds,
      'triggers: only the reported fees are wrong',
    ],
    [
      'F6 digits of the name into amount',
      cheap,
      S,
      { ...cheap, amount: '100000', fees: '', acc_name: ' Jean' },
      S,
      { ...holds, amount: 1 },
      'amount',
    ],
    [
      'F6 with fees left',
      cheap,
      S,
      { ...cheap, amount: '1000', fees: '00', acc_name: ' Jean' },
      S,
      { ...holds, amount: 1 },
      'amount',
    ],
    [
      'F7 a failure code cut to 0',
      { ...failed, result_code: '01' },
      F,
      { ...failed, result_code: '0', result_description: '1Insufficient funds' },
      F,
      holds,
      'wrong_shape',
    ],
    [
      'F8 a failure with five empty fields',
      { ...failed, result_code: '01' },
      F,
      { ...failed, result_code: '01', third_party_id: '', currency: '', amount: '', fees: '', acc_name: '' },
      S,
      holds,
      'wrong_type',
    ],
    [
      'F8 with the code cut to 0',
      { ...failed, result_code: '01' },
      F,
      {
        ...failed,
        third_party_id: '',
        currency: '',
        amount: '',
        fees: '',
        acc_name: '',
        result_code: '0',
        result_description: '1Insufficient funds',
      },
      S,
      holds,
      'wrong_shape',
    ],
    [
      'F9 a success read as a failure',
      paid,
      S,
      {
        channel: '420001',
        reference: held.reference,
        transaction_id: '20451990MP240611.1530KES',
        result_code: '100',
        result_description: '025Jean Mbarga0Success',
      },
      F,
      holds,
      'transaction_id',
    ],
    [
      'F9 while no id is known',
      paid,
      S,
      {
        channel: '420001',
        reference: held.reference,
        transaction_id: '20451990MP240611.1530KES',
        result_code: '100',
        result_description: '025Jean Mbarga0Success',
      },
      F,
      young,
      'triggers: the query says SUCCESS',
    ],
    [
      'F10 a failure that quotes a success',
      quoting,
      F,
      { ...paid, third_party_id: '51P1', fees: '0', acc_name: 'Jean', result_description: 'OK' },
      S,
      holds,
      'triggers: the query says FAILED',
    ],
  ]
  it.each(cases)('%s', (_name, truth, truthOrder, forged, forgedOrder, target, expected) => {
    const hash = hashOf(truth, truthOrder)
    expect(hashOf(forged, forgedOrder)).toBe(hash)
    const reading = read(body({ ...forged, hash }))
    const outcome = reading.ok ? (bindCallback(reading.callback, target) ?? 'triggers') : reading.reason
    expect(outcome).toBe(expected.split(':')[0])
  })
})
