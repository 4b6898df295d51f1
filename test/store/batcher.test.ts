// The batches in which jobs reach the database.
import { describe, expect, it } from 'vitest'
import { createBatcher } from '../../server/store/batcher.ts'
import type { Answer, Job } from '../../server/store/sqlite-work.ts'

const job = (number: number): Job => [[number, [], false]]
const numbers = (jobs: readonly Job[]) => jobs.map(([order]) => order?.[0])
const turn = () => new Promise(setImmediate)

describe('a batch', () => {
  it('holds what arrived in one turn, and while another was in flight', async () => {
    const sent: { readonly jobs: readonly Job[]; readonly answer: (answers: readonly Answer[]) => void }[] = []
    const batcher = createBatcher({
      send: (jobs) => new Promise((answer) => void sent.push({ jobs, answer })),
      lanes: 1,
    })
    const events: string[] = []
    const ask = async (number: number) => {
      await batcher.ask(job(number))
      events.push(`${number} answered, ${sent.length} sent`)
    }
    const all = [ask(1), ask(2)]
    await turn()
    all.push(ask(3))
    await turn()
    all.push(ask(4))
    expect(sent.map(({ jobs }) => numbers(jobs))).toEqual([[1, 2]])
    sent[0]?.answer([[], []])
    await turn()
    // The next one is on its way before anybody works with the answers of the first.
    expect(events).toEqual(['1 answered, 2 sent', '2 answered, 2 sent'])
    expect(sent.map(({ jobs }) => numbers(jobs))).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(batcher.isIdle()).toBe(false)
    sent[1]?.answer([[], []])
    await Promise.all(all)
    expect(batcher.isIdle()).toBe(true)
    expect(sent).toHaveLength(2)
  })
})
