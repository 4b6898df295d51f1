// Changes of other instances are read from the store for who listens here; a companion that is
// closing reads for nobody.
import { expect, it } from 'vitest'
import { createHub } from '../../server/deposits/settle/hub.ts'
import type { OnChange } from '../../server/deposits/ports/store.ts'

it('a read that fails is reported, unless the hub was closed meanwhile and its store after it', async () => {
  const errors: unknown[] = []
  const fails: ((error: Error) => void)[] = []
  let change: OnChange = () => {}
  const hub = createHub(
    {
      onChange(listener) {
        change = listener
        return () => {}
      },
      deposit: () => new Promise((_, reject) => fails.push(reject)),
    },
    (error) => errors.push(error),
  )
  hub.listen('dep_1', () => {})
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  change('dep_1', 2)
  change('dep_1', 3)
  fails[0]?.(new Error('no connection'))
  await settled()
  expect(errors).toHaveLength(1)
  hub.close()
  fails[1]?.(new Error('Cannot use a pool after calling end on the pool'))
  await settled()
  expect(errors).toHaveLength(1)
})
