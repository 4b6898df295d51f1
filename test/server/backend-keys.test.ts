// The keys of a shop's backend: two during a rotation, and one that only reads.
import { afterEach, expect, it } from 'vitest'
import { readSettings } from '../../server/settings/settings.ts'
import { createTestSystem, keys, type TestSystem } from '../helpers/create-test-system.ts'

const PREVIOUS = 'mk_test_previous_0badc0de0badc0de0badc0de'
const READ = 'rk_test_0badc0de0badc0de0badc0de0badc0de'

let system: TestSystem
afterEach(() => system.close())

const order = { amount: 2500, currency: 'KES', orderId: 'A-1', description: 'Solar lamp' }

async function asked(key: string, path: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
  return (await system.backend(path, init)).status
}

it('during a rotation both merchant keys do the same', async () => {
  system = await createTestSystem({ settings: { previousMerchantKey: PREVIOUS } })
  expect(await asked(PREVIOUS, '/v1/sessions', order)).toBe(201)
  expect(await asked(keys.merchantKey, '/v1/sessions', order)).toBe(200)
  expect(await asked(PREVIOUS, '/v1/payments')).toBe(200)
  expect(await asked(`${PREVIOUS}x`, '/v1/payments')).toBe(401)
})

it('without a rotation the earlier key opens nothing', async () => {
  system = await createTestSystem()
  expect(await asked(PREVIOUS, '/v1/payments')).toBe(401)
  expect(await asked(PREVIOUS, '/v1/sessions', order)).toBe(401)
  expect(await asked(READ, '/v1/payments')).toBe(401)
})

it('the key that reads lists and shows payments, and does nothing else', async () => {
  system = await createTestSystem({ settings: { readKey: READ } })
  expect(await asked(READ, '/v1/payments')).toBe(200)
  expect(await asked(READ, '/v1/payments.csv')).toBe(200)
  expect(await asked(READ, '/v1/payments/dep_none')).toBe(404)
  expect(await asked(READ, '/v1/sessions', order)).toBe(401)
  for (const act of ['refresh', 'notices']) expect(await asked(READ, `/v1/payments/dep_none/${act}`, {})).toBe(401)
  const decision = { outcome: 'succeeded', reason: 'x', by: 'y' }
  expect(await asked(READ, '/v1/payments/dep_none/decision', decision)).toBe(401)
  expect(await asked(keys.merchantKey, '/v1/payments/dep_none/decision', decision)).toBe(404)
})

it('a key that is given twice stops the start', async () => {
  system = await createTestSystem()
  const faultsOf = (env: Record<string, string>) => {
    try {
      readSettings({ ...env, HC_MERCHANT_KEY: keys.merchantKey })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(faultsOf({ HC_MERCHANT_KEY_PREVIOUS: keys.merchantKey })).toContain('HC_MERCHANT_KEY_PREVIOUS is the same')
  expect(faultsOf({ HC_READ_KEY: keys.merchantKey })).toContain('HC_READ_KEY is the same')
  expect(faultsOf({ HC_READ_KEY: READ, HC_MERCHANT_KEY_PREVIOUS: PREVIOUS })).not.toContain('is the same')
})
