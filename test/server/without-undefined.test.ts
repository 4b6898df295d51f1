// Optional fields: there with a value, or not there at all.
import { expect, expectTypeOf, it } from 'vitest'
import { withoutUndefined } from '../../server/without-undefined.ts'

it('leaves out undefined, and keeps every other value in its order', () => {
  const kept = withoutUndefined({ b: 0, a: undefined, d: '', c: false, e: null })
  expect(Object.entries(kept)).toEqual([
    ['b', 0],
    ['d', ''],
    ['c', false],
    ['e', null],
  ])
})

it('makes optional what may be undefined, and nothing else', () => {
  const given: { readonly id: string; readonly phone: string | undefined } = { id: 'x', phone: undefined }
  expectTypeOf(withoutUndefined(given)).toMatchObjectType<{ readonly id: string; readonly phone?: string }>()
  expect(withoutUndefined(given)).toStrictEqual({ id: 'x' })
})
