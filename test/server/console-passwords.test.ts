// What a check of a password costs, for a name that there is and for one that there is not.
import { scrypt } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { createPasswords, hashPassword } from '../../server/console/passwords.ts'

vi.mock('node:crypto', { spy: true })

it('checks an unknown name at the cost of a user, and never lets it in', async () => {
  const hash = await hashPassword('four plain words here', 10)
  vi.mocked(scrypt).mockClear()
  const { isRight } = createPasswords(hash)
  expect(await isRight('four plain words here', hash)).toBe(true)
  expect(await isRight('four plain words here', undefined)).toBe(false)
  expect(vi.mocked(scrypt).mock.calls.map(([, , , cost]) => cost)).toEqual([
    expect.objectContaining({ N: 1024, r: 8, p: 3 }),
    expect.objectContaining({ N: 1024, r: 8, p: 3 }),
  ])
})
