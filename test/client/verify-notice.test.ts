// Which requests are believed to be notices of the companion: those that its own signing has made,
// and no other.
import { describe, expect, it } from 'vitest'
import { NoticeError, verifyNotice, type NoticeHeaders } from '../../server/client/index.ts'
import { signatureHeaders } from '../../server/notices/send-notice.ts'

const secret = `whsec_${Buffer.alloc(32, 21).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 22).toString('base64')}`
const notice = {
  type: 'payment.succeeded',
  timestamp: '2026-11-21T09:00:07.000Z',
  data: { paymentId: 'dep_1', amount: 2500, currency: 'KES', version: 4, orderId: 'Nº 1 – “é”' },
}
const body = JSON.stringify(notice)
const signed = (text = body, secrets: readonly string[] = [secret], at = Date.now()) =>
  signatureHeaders({ id: 'msg_1', body: text }, secrets, at)

function faultOf(text: unknown, headers: NoticeHeaders, held = secret): string {
  try {
    verifyNotice(text as string, headers, held)
    return 'none'
  } catch (error) {
    return error instanceof NoticeError ? error.code : String(error)
  }
}

describe('a genuine notice', () => {
  it('is returned, as text or bytes, with the headers of each framework', () => {
    const headers = signed()
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    for (const form of [headers, new Headers(headers), upper])
      for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)])
        expect(verifyNotice(raw, form, secret)).toEqual(notice)
  })

  it('may be signed with a new secret and an old one, and the receiver may hold either or both', () => {
    const headers = signed(body, [other, secret])
    for (const held of [secret, other, `${other},${secret}`, ` ${secret} , ${other}`])
      expect(faultOf(body, headers, held)).toBe('none')
    expect(faultOf(body, signed(body, [secret]), `${other},${secret}`)).toBe('none')
  })

  it('of a type that is newer than this package is handed on', () => {
    const newer = JSON.stringify({ ...notice, type: 'payment.refunded' })
    expect(verifyNotice(newer, signed(newer), secret).type).toBe('payment.refunded')
  })
})

describe('no notice is', () => {
  it.each([
    ['one with another secret', body, signed(body, [other]), 'forged'],
    ['one with another amount', body.replace('2500', '25000'), signed(), 'forged'],
    ['one with another id', body, { ...signed(), 'webhook-id': 'msg_2' }, 'forged'],
    [
      'one of another time',
      body,
      { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) },
      'forged',
    ],
    ['one of six minutes ago', body, signed(body, [secret], Date.now() - 360_000), 'out_of_time'],
    ['one of tomorrow', body, signed(body, [secret], Date.now() + 86_400_000), 'out_of_time'],
    ['one of no time', body, { ...signed(), 'webhook-timestamp': 'soon' }, 'forged'],
    ['one of another scheme', body, { ...signed(), 'webhook-signature': 'v1a,AAAA v2,x v1 v1,' }, 'forged'],
    [
      'one with half a signature',
      body,
      { ...signed(), 'webhook-signature': signed()['webhook-signature']!.slice(0, 20) },
      'forged',
    ],
    ['one without a signature', body, { ...signed(), 'webhook-signature': '' }, 'unsigned'],
    ['one without any header', body, {}, 'unsigned'],
    ['one whose body was parsed', notice, signed(), 'body_parsed'],
    ['one whose body is gone', undefined, signed(), 'body_parsed'],
    ['a genuine one that is not JSON', 'hello', signed('hello'), 'unreadable'],
    ['a genuine one that is empty', '', signed(''), 'unreadable'],
    ['a genuine null', 'null', signed('null'), 'unreadable'],
  ])('%s', (_what, text, headers, fault) => {
    expect(faultOf(text, headers)).toBe(fault)
  })

  it.each(['paymentId', 'amount', 'currency', 'version'])('a genuine one without %s', (field) => {
    const without = JSON.stringify({ ...notice, data: { ...notice.data, [field]: undefined } })
    expect(faultOf(without, signed(without))).toBe('unreadable')
  })
})

it.each([
  '',
  'whsec_',
  ',',
  `${secret},`,
  undefined,
  'whsec_!!!',
  'whsec_short',
  'notbase64',
  secret.slice('whsec_'.length),
  secret.slice(0, -1),
  `whsec_${Buffer.alloc(23, 1).toString('base64')}`,
  `whsec_${Buffer.alloc(65, 1).toString('base64')}`,
])('with the secret %j nobody is believed: anybody could sign, or the companion has another', (held) => {
  expect(() => verifyNotice(body, signed(), held)).toThrow(/HC_NOTIFY_SECRET/)
})
