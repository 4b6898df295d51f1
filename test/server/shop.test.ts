// Who is paid: what the settings and a session say of the shop, as browsers and the backend read
// it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Markets, Problem, SessionDetail, SessionView } from '../../server/contract/index.ts'
import { readableOn } from '../../server/deposits/merchant/shop.ts'
import { readSettings } from '../../server/settings/settings.ts'
import type { Settings } from '../../server/settings/settings.ts'
import { normalisePhone } from '../../server/deposits/markets.ts'
import { isOddPhone } from '../../widget/controller/form-later.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  environment,
  kenyanDeposit,
  newKey,
  SHOP_URL,
} from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system?.close())

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const nuru: Partial<Settings> = {
  shopName: 'Nuru',
  shopLogo: { bytes: PNG, type: 'image/png' },
  shopAccent: '#f2b33d',
  shopPhone: '+254 712 345 678',
  shopEmail: 'help@nuru.example',
  shopHelpUrl: 'https://nuru.example/help',
}
const told = {
  name: 'Nuru',
  logo: expect.stringMatching(new RegExp(`^${COMPANION_URL}/v1/shop/logo\\?v=[0-9a-f]{16}$`)) as string,
  accent: '#f2b33d',
  onAccent: '#000000',
  phone: '+254 712 345 678',
  email: 'help@nuru.example',
  helpUrl: 'https://nuru.example/help',
}

const markets = async () => (await (await system.browser('/v1/markets')).json()) as Markets
const view = async (token: string) => {
  const answer = await system.browser('/v1/session', { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as SessionView
}

describe('the shop of the settings', () => {
  it('is told with the markets and with each session', async () => {
    system = await createTestSystem({ settings: nuru })
    expect((await markets()).shop).toEqual(told)
    expect((await view((await createSession(system)).token)).shop).toEqual(told)
  })

  it('is not there where nobody has said anything', async () => {
    system = await createTestSystem()
    expect(await markets()).not.toHaveProperty('shop')
    expect(await view((await createSession(system)).token)).not.toHaveProperty('shop')
  })

  it('has its logo served with an address of its own, in which nothing runs', async () => {
    system = await createTestSystem({ settings: nuru })
    const { logo = '' } = (await markets()).shop ?? {}
    const answer = await system.browser(logo.slice(COMPANION_URL.length))
    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    })
    const other = await system.browser('/v1/shop/logo?v=0')
    expect(other.headers.get('cache-control')).toBe('public, max-age=300')
  })

  it('has no logo to serve where it is at another address', async () => {
    system = await createTestSystem({ settings: { shopLogo: { url: `${SHOP_URL}/logo.png` } } })
    expect((await markets()).shop).toEqual({ logo: `${SHOP_URL}/logo.png` })
    expect((await system.browser('/v1/shop/logo')).status).toBe(404)
  })

  it.each([
    ['#0b6e4f', '#ffffff'],
    ['#777777', '#000000'],
    ['#767676', '#ffffff'],
    ['#ffd84d', '#000000'],
    ['#000000', '#ffffff'],
  ])('the text on %s is %s, which has a contrast of 4.5:1', (accent, text) => {
    expect(readableOn(accent)).toBe(text)
  })
})

describe('the shop of a session', () => {
  it('replaces the settings field by field, and is kept as it was given first', async () => {
    system = await createTestSystem({ settings: nuru })
    const shop = { name: 'Asha\u200b Crafts', accent: '#0B6E4F', logo: `${SHOP_URL}/asha.png`, phone: '0712 000 111' }
    const terms = { orderId: 'B-1', shop, returnUrl: `${SHOP_URL}/orders/B-1?paid=1` }
    const { id, token } = await createSession(system, terms)
    const kept = { ...shop, name: 'Asha Crafts', accent: '#0b6e4f' }
    expect((await view(token)).shop).toEqual({ ...told, ...kept, onAccent: '#ffffff' })
    const body = { amount: 2500, currency: 'KES', description: 'Solar lamp', orderId: 'B-1', shop: { name: 'Other' } }
    expect((await system.backend('/v1/sessions', { method: 'POST', body: JSON.stringify(body) })).status).toBe(200)
    const detail = (await (await system.backend(`/v1/sessions/${id}`)).json()) as SessionDetail
    expect(detail).toMatchObject({ shop: kept, returnUrl: terms.returnUrl })
  })

  it('is in no payment, and in no notice', async () => {
    system = await createTestSystem({ settings: nuru })
    const { token } = await createSession(system, { shop: { name: 'Asha Crafts' }, returnUrl: `${SHOP_URL}/back` })
    const body = JSON.stringify(
      kenyanDeposit({ session: token, bankCode: undefined, payer: { name: 'Amina', phone: '254700000001' } }),
    )
    const headers = { 'idempotency-key': newKey() }
    const answer = await (await system.browser('/v1/deposits', { method: 'POST', headers, body })).text()
    await system.advance(30)
    expect(system.notices).toHaveLength(1)
    for (const text of [answer, JSON.stringify(system.notices)]) expect(text).not.toMatch(/Asha|returnUrl|"shop"/)
  })

  it.each([
    ['shop.logo', { shop: { logo: 'https://elsewhere.example/logo.png' } }, 'origin_not_allowed'],
    ['returnUrl', { returnUrl: 'https://elsewhere.example/' }, 'origin_not_allowed'],
    ['returnUrl', { returnUrl: 'javascript:alert(1)' }, 'custom'],
    ['shop.logo', { shop: { logo: 'data:image/png;base64,AA' } }, 'custom'],
    ['shop.helpUrl', { shop: { helpUrl: 'https://user:secret@shop.example/' } }, 'custom'],
    ['shop.accent', { shop: { accent: 'red' } }, 'invalid_format'],
    ['shop.accent', { shop: { accent: '#fff;}' } }, 'invalid_format'],
    ['shop.name', { shop: { name: 'a'.repeat(61) } }, 'too_big'],
    ['shop.name', { shop: { name: '\u200b ' } }, 'too_small'],
    ['shop.phone', { shop: { phone: 'call us' } }, 'invalid_format'],
    ['shop', { shop: { html: '<b>' } }, 'unrecognized_keys'],
  ])('is refused at %s: %j', async (path, change, code) => {
    system = await createTestSystem()
    const body = { amount: 2500, currency: 'KES', orderId: 'B-1', description: 'Lamp', ...change }
    const answer = await system.backend('/v1/sessions', { method: 'POST', body: JSON.stringify(body) })
    expect(answer.status).toBe(422)
    const { issues = [], detail } = (await answer.json()) as Problem
    expect(issues[0]).toMatchObject({ path, code })
    if (code !== 'origin_not_allowed') return
    expect(issues[0]?.message).toContain('add it to HC_ALLOWED_ORIGINS')
    expect(detail).toBe(`${path}: ${issues[0]?.message}`)
  })

  it('may lead back to this machine in test mode alone', async () => {
    const body = JSON.stringify({
      amount: 2500,
      currency: 'KES',
      orderId: 'B-1',
      description: 'Lamp',
      returnUrl: 'http://localhost:3000/done',
    })
    system = await createTestSystem({ settings: { paymentMode: 'live' } })
    expect((await system.backend('/v1/sessions', { method: 'POST', body })).status).toBe(422)
    await system.close()
    system = await createTestSystem()
    expect((await system.backend('/v1/sessions', { method: 'POST', body })).status).toBe(201)
  })
})

it('each market names its operators, and shows a mobile number as people write it there', async () => {
  system = await createTestSystem()
  const { markets: all } = await markets()
  const examples = Object.fromEntries(all.map(({ country, phoneExample }) => [country, phoneExample]))
  expect(examples).toMatchObject({ KE: '0712 123 456', SN: '70 123 45 67' })
  // As long as mobile numbers are there (libphonenumber, 2026): the card finds any other length
  // odd.
  const lengths = { KE: 9, TZ: 9, UG: 9, RW: 9, BI: 8, ET: 9, SO: 9, NG: 10, GH: 9, SN: 9, CI: 10, BJ: 10, BF: 8, ML: 8, NE: 8, TG: 8, GW: 9 } // prettier-ignore
  for (const { country, callingCode, phoneExample } of all)
    expect(normalisePhone(phoneExample, country).length - callingCode.slice(1).length).toBe(lengths[country])
  expect(all.filter((market) => isOddPhone(market.phoneExample, market))).toEqual([])
  const named = all.map(({ country, operators }) => [country, operators])
  expect(Object.fromEntries(named)).toMatchObject({ KE: ['M-Pesa', 'Airtel Money'], GW: [] })
})

describe('the settings of the shop', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-logo-'))
  const file = (name: string, content: Uint8Array | string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const read = (changes: Record<string, string>) => readSettings({ ...environment('.'), ...changes })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('take a file for the logo by what it holds, or an address of an allowed origin', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    expect(read({ HC_SHOP_LOGO: `${SHOP_URL}/logo.png` }).shopLogo).toEqual({ url: `${SHOP_URL}/logo.png` })
    // The last test has taken the folder away.
    expect(() => read({ HC_SHOP_LOGO: join(folder, 'none.png') })).toThrow(
      'HC_SHOP_LOGO names a file that cannot be read (ENOENT).',
    )
    expect(read({ HC_SHOP_LOGO: file('logo', svg) }).shopLogo).toMatchObject({ type: 'image/svg+xml' })
    expect(read({ HC_SHOP_LOGO: file('logo.txt', PNG) }).shopLogo).toMatchObject({ type: 'image/png' })
    expect(() => read({ HC_SHOP_LOGO: file('page.png', '<!doctype html><script>') })).toThrow(
      'HC_SHOP_LOGO names a file that is no PNG, JPEG, WebP or SVG.',
    )
    expect(() => read({ HC_SHOP_LOGO: file('big.png', Buffer.concat([PNG, Buffer.alloc(200_000)])) })).toThrow(
      'HC_SHOP_LOGO names a file of more than 200 kB',
    )
  })

  it.each([
    ['HC_SHOP_LOGO', 'https://elsewhere.example/logo.png', 'at an origin that HC_ALLOWED_ORIGINS does not name'],
    ['HC_SHOP_ACCENT', 'green', 'must be six hex digits after a #, as #0b6e4f.'],
    ['HC_SHOP_NAME', 'a'.repeat(61), 'must not be longer than 60 characters.'],
    ['HC_SHOP_PHONE', 'call us', 'must be a phone number'],
    ['HC_SHOP_HELP_URL', 'http://shop.example/help', 'must begin with https://'],
  ])('refuse %s=%s', (name, value, why) => {
    expect(() => read({ [name]: value })).toThrow(why)
  })
})
