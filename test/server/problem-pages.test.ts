// The `type` of an error leads to a page that says what it is; from the one table of errors.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { problems } from '../../server/contract/index.ts'
import { createTestSystem, type TestSystem } from '../helpers/create-test-system.ts'

let system: TestSystem
beforeEach(async () => void (system = await createTestSystem()))
afterEach(() => system.close())

const get = (path: string) => system.companion.app.request(`http://localhost${path}`)

it('the type of an answer leads to a page with its title and status', async () => {
  const answer = await get('/v1/payments')
  const { type, title } = (await answer.json()) as { type: string; title: string }
  const page = await get(type)
  expect(page.status).toBe(200)
  const text = await page.text()
  expect(text).toContain(title)
  expect(text).toContain(`status ${answer.status}`)
})

it('each code has its page, and no other word has one', async () => {
  for (const code of Object.keys(problems)) expect([code, (await get(`/problems/${code}`)).status]).toEqual([code, 200])
  for (const code of ['nothing', 'toString', '<b>', 'constructor'])
    expect((await get(`/problems/${encodeURIComponent(code)}`)).status).toBe(404)
})
