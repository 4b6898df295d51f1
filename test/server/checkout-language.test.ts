// The hosted page opens in the language of the card, where the service takes one in its address.
import { afterEach, expect, it } from 'vitest'
import type { CreatedDeposit } from '../../server/contract/index.ts'
import { createTestSystem, kenyanDeposit, newKey } from '../helpers/create-test-system.ts'
import type { TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
afterEach(() => system.close())

async function started(locale: string | undefined): Promise<CreatedDeposit> {
  const headers = { 'idempotency-key': newKey() }
  const body = JSON.stringify(kenyanDeposit({ locale, bankCode: undefined }))
  return (await (await system.browser('/v1/deposits', { method: 'POST', headers, body })).json()) as CreatedDeposit
}

it('the address shown has the card’s language; the stored one stays as it came', async () => {
  system = await createTestSystem({ settings: { checkoutLanguageParam: 'lang' }, agent: false })
  const { id, checkoutUrl = '' } = await started('sw-KE')
  expect(new URL(checkoutUrl).searchParams.get('lang')).toBe('sw')
  expect(`${(await system.store.deposit(id))?.checkoutUrl}?lang=sw`).toBe(checkoutUrl)
  const { pathname, search } = new URL(checkoutUrl)
  const page = await (await system.service(pathname + search)).text()
  expect(page).toContain('<html lang="sw">')
})

it('nothing is added without the setting, nor for a card without a language', async () => {
  system = await createTestSystem({ agent: false })
  expect((await started('sw')).checkoutUrl).not.toContain('?')
  await system.close()
  system = await createTestSystem({ settings: { checkoutLanguageParam: 'lang' }, agent: false })
  expect((await started(undefined)).checkoutUrl).not.toContain('?')
})
