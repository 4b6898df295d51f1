// What every page tells browsers to say of its address: it may be a link that opens a payment.
import { expect, it } from 'vitest'
import { kenyanDeposit, newKey, SHOP_URL } from '../helpers/create-test-system.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { open, openForEach, payer, person, session, system } from './pay-system.ts'
import { formsOf, type Seen } from './visitor.ts'

openForEach()

/**
 * The policy fits: forms need their Origin, nothing needs more, and what sends no form needs
 * nothing.
 */
function expectPolicy(name: string, page: Seen): void {
  const sends = formsOf(page.html).length > 0
  expect([name, page.headers.get('referrer-policy')]).toEqual([name, sends ? 'strict-origin' : 'no-referrer'])
}

async function create(): Promise<{ id: string; payUrl: string }> {
  const answer = await system.browser('/v1/deposits', {
    method: 'POST',
    body: JSON.stringify(kenyanDeposit()),
    headers: { 'idempotency-key': newKey(), origin: SHOP_URL },
  })
  return (await answer.json()) as { id: string; payUrl: string }
}

it('each page with a form sends its origin, and each other page nothing', async () => {
  const made = await create()
  const order = await session()
  const form = await person.get('/pay?country=KE')
  const seen: Record<string, Seen> = {
    country: await person.get('/pay'),
    form,
    'faulty form': await person.submit(form, { ...payer, amount: '1' }),
    'no country': await person.post('/pay', {}),
    session: await person.get(order.payUrl),
    payment: await person.get(made.payUrl),
    'not to be refreshed': await person.get(`${made.payUrl}?refresh=off`),
    unknown: await person.get(`${made.payUrl}x`),
    'nothing there': await person.get('/pay/a/b'),
    'foreign form': await person.post('/pay', {}, { origin: 'https://evil.example' }),
  }
  const phases: Partial<Deposit>[] = [
    { phase: 'confirming' },
    { phase: 'review', reviewReason: 'redirect_origin' },
    { phase: 'failed', resultCode: '1032', settledAt: 0 },
    { phase: 'succeeded', settledAt: 0 },
  ]
  for (const change of phases) {
    const old = await system.store.deposit(made.id)
    if (old === undefined) throw new Error('The payment is gone.')
    const row = { ...old, ...change, version: old.version + 1 }
    await system.store.apply({ deposit: { row, expect: old.version } })
    seen[String(change.phase)] = await person.get(made.payUrl)
  }
  for (const [name, page] of Object.entries(seen)) expectPolicy(name, page)
  // Both kinds were met.
  expect(new Set(Object.values(seen).map(({ headers }) => headers.get('referrer-policy')))).toEqual(
    new Set(['strict-origin', 'no-referrer']),
  )
})

it('a page with the widget sends its origin: old browsers need it for fetch', async () => {
  await system.close()
  await open({ companion: { widget: { folder: new URL('../vectors/', import.meta.url), version: '1.2.3' } } })
  expect((await person.get('/pay')).headers.get('referrer-policy')).toBe('strict-origin')
})
