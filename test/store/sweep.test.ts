// Work on any number of rows in small steps: where many have the same time, one step has them all.
import { expect, it } from 'vitest'
import type { Engine } from '../../server/store/engine/engine.ts'
import { queries } from '../../server/store/queries/queries.ts'
import { sweep } from '../../server/store/engine/sweep.ts'

it('takes the rows of a step that has more of them than a call has arguments', async () => {
  const many = 200_000
  const woken = Array.from({ length: many }, (_, id) => ({ id }))
  const engine = {
    read: async (_: unknown, { from }: { from: number }) => (from === 0 ? [{ at: 7 }] : []),
    write: async (_: unknown, { from }: { from: number }) => (from === 0 ? woken : [{ id: many }]),
  } as unknown as Engine
  const found = await sweep(engine, queries.depositsDueWindow, queries.hastenDeposits, 0, {})
  expect([found.length, found.at(-1)]).toEqual([many + 1, { id: many }])
})
