// Who is paid, on `/pay` in every state, without a script: name, logo, accent, where to ask, and
// the way back to the shop.
import { afterEach, describe, expect, it } from 'vitest'
import type { CreatedDeposit, CreatedSession } from '../../server/contract/index.ts'
import type { Settings } from '../../server/settings/settings.ts'
import {
  COMPANION_URL,
  createSession,
  createTestSystem,
  kenyanDeposit,
  newKey,
  SHOP_URL,
} from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

const nuru: Partial<Settings> = {
  shopName: 'Nuru <b>',
  shopLogo: { url: `${SHOP_URL}/logo.png` },
  shopAccent: '#f2b33d',
  shopPhone: '+254 712 345 678',
  shopEmail: 'help@nuru.example',
  shopHelpUrl: 'https://nuru.example/help',
}

async function page(address: string): Promise<{ html: string; status: number; policy: string }> {
  const answer = await system.browser(address.replace(COMPANION_URL, ''))
  return {
    html: await answer.text(),
    status: answer.status,
    policy: answer.headers.get('content-security-policy') ?? '',
  }
}

async function start(session: CreatedSession, phone: string): Promise<CreatedDeposit> {
  const body = JSON.stringify(
    kenyanDeposit({ session: session.token, bankCode: undefined, payer: { name: 'Amina', phone } }),
  )
  const headers = { 'idempotency-key': newKey() }
  return (await (await system.browser('/v1/deposits', { method: 'POST', headers, body })).json()) as CreatedDeposit
}

function shows(html: string, about?: string): void {
  expect(html).toContain('<b>Nuru &lt;b&gt;</b>')
  expect(html).not.toContain('Nuru <b>')
  expect(html).toContain(`<img src="${SHOP_URL}/logo.png" alt=""`)
  expect(html).toMatch(/<title>[^<]* · Nuru &lt;b&gt;<\/title>/)
  expect(html).toContain('href="tel:+254712345678"')
  expect(html).toContain('href="mailto:help@nuru.example"')
  expect(html).toContain('href="https://nuru.example/help"')
  expect(html).toContain('background:#f2b33d;border-color:#f2b33d;color:#000000')
  if (about !== undefined) expect(html.replaceAll('\u00a0', ' ')).toContain(`<span>${about}</span>`)
}

describe('the shop stands above the card', () => {
  it('of the open form, of a refused one, and of an address behind which is nothing', async () => {
    system = await createTestSystem({ settings: nuru })
    const form = await page('/pay?country=KE')
    shows(form.html)
    expect(form.policy).toContain(`img-src 'self' data: ${SHOP_URL};`)
    const body = new URLSearchParams({ country: 'KE', amount: '1', key: 'x'.repeat(32) }).toString()
    const headers = { origin: COMPANION_URL, 'content-type': 'application/x-www-form-urlencoded' }
    const refused = await system.browser('/pay', { method: 'POST', headers, body })
    expect(refused.status).toBe(422)
    shows(await refused.text())
    shows((await page('/pay/nothing')).html)
  })

  it('of a session, of its payment, and of each end', async () => {
    system = await createTestSystem({ settings: nuru })
    const about = 'Solar lamp · KSh 2,500'
    const session = await createSession(system)
    shows((await page(session.payUrl)).html, about)
    const { payUrl } = await start(session, '254700000001')
    shows((await page(payUrl)).html, about)
    await system.advance(30)
    const paid = await page(payUrl)
    expect(paid.html).toContain('<title>✓ Payment received · Nuru')
    shows(paid.html, about)
    const declined = await createSession(system)
    const failed = await start(declined, '254700000002')
    await system.advance(30)
    shows((await page(failed.payUrl)).html, about)
  })

  it('and is the one that the session names', async () => {
    system = await createTestSystem({ settings: nuru })
    const session = await createSession(system, { shop: { name: 'Asha Crafts' } })
    const { html } = await page(session.payUrl)
    expect(html).toContain('<b>Asha Crafts</b>')
    expect(html).not.toContain('Nuru')
  })

  it('not at all where nobody has named it', async () => {
    system = await createTestSystem()
    const { html, policy } = await page('/pay?country=KE')
    expect(html).not.toMatch(/<header|<footer|tel:|mailto:/)
    expect(html).toContain('<title>Pay with mobile money</title>')
    expect(policy).toContain("img-src 'self' data:;")
  })
})

describe('after success', () => {
  it('a button leads back to the shop, by the address of the session', async () => {
    system = await createTestSystem({ settings: nuru })
    const returnUrl = `${SHOP_URL}/orders/7?paid=1&x=2`
    const session = await createSession(system, { returnUrl })
    const before = await page(session.payUrl)
    expect(before.html).not.toContain('Back to')
    await start(session, '254700000001')
    await system.advance(30)
    const { html } = await page(session.payUrl)
    expect(html).toContain(`href="${returnUrl.replaceAll('&', '&amp;')}" rel="noopener"`)
    expect(html).toContain('Back to Nuru &lt;b&gt;')
    // As on the card.
    expect((await page(`${session.payUrl}?lang=sw`)).html).toContain('>Rudi kwa Nuru &lt;b&gt;</a>')
  })

  it('and so it does where another payment of the order came first', async () => {
    system = await createTestSystem({ settings: nuru })
    const session = await createSession(system, { returnUrl: `${SHOP_URL}/orders/7` })
    const { id, payUrl } = await start(session, '254712345678')
    const row = (await system.store.deposit(id))!
    const paidByAnother = { ...row, phase: 'abandoned', resultCode: 'order_paid', version: row.version + 1 } as const
    await system.store.apply({ deposit: { row: paidByAnother, expect: row.version } })
    const { html } = await page(payUrl)
    expect(html).toContain('This order is already paid')
    expect(html).toContain(`href="${SHOP_URL}/orders/7" rel="noopener"`)
  })

  it('there is none where the session has named no address', async () => {
    system = await createTestSystem({ settings: nuru })
    const session = await createSession(system)
    await start(session, '254700000001')
    await system.advance(30)
    expect((await page(session.payUrl)).html).not.toContain('Back to')
  })
})

it('the card on the page bears no second mark of the shop, and is told the way back', async () => {
  const widget = { folder: new URL('file:///nowhere/'), version: '1.0.0' }
  system = await createTestSystem({ settings: nuru, companion: { widget } })
  const session = await createSession(system, { returnUrl: `${SHOP_URL}/orders/7` })
  const { html } = await page(session.payUrl)
  expect(html).toContain('<span slot="header" hidden></span>')
  expect(html).toContain(`return-url="${SHOP_URL}/orders/7"`)
  expect(html).toContain('data-paid="Payment received"')
})
