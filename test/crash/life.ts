// The durable steps of one deposit, as the companion writes them, and checks that a step was
// written completely.
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import type { Applied, NoticeRow, Store } from '../../server/deposits/ports/store.ts'
import {
  creation,
  depositRecord,
  idempotencyRecord,
  inboxRecord,
  move,
  noticeRecord,
  START,
} from '../helpers/deposit-record.ts'

export interface Life {
  readonly id: string
  readonly store: Store
}

export interface LifeStep {
  readonly name: string
  write(life: Life): Promise<unknown>
  /** `whole`: all of it is there. `nothing`: none of it. Anything else is a torn write. */
  look(life: Life): Promise<'whole' | 'nothing' | 'torn'>
}

function verdict(parts: readonly boolean[]): 'whole' | 'nothing' | 'torn' {
  if (parts.every(Boolean)) return 'whole'
  return parts.some(Boolean) ? 'torn' : 'nothing'
}

function must(applied: Applied): void {
  if (!applied.applied) throw new Error(`Refused: ${applied.conflict}`)
}

async function present({ id, store }: Life): Promise<Deposit> {
  const row = await store.deposit(id)
  if (!row) throw new Error(`${id} is not there.`)
  return row
}

const keyOf = (id: string) => `key-${id}`
const session = (id: string) => `ses-${id}`

async function noticeOf({ id, store }: Life): Promise<NoticeRow | undefined> {
  return (await store.notices(id)).find((notice) => notice.id === `msg-${id}`)
}

/** A move to `version`, with its timeline row. */
async function reached({ id, store }: Life, version: number): Promise<boolean[]> {
  const row = await store.deposit(id)
  const timeline = await store.timeline(id)
  return [(row?.version ?? 0) >= version, timeline.some((entry) => entry.version === version)]
}

export const steps: readonly LifeStep[] = [
  {
    name: 'created',
    async write({ id, store }) {
      const row = depositRecord({ id, reference: `HCT-${id}`, phase: 'creating', sessionId: session(id), dueAt: START })
      must(await store.apply({ ...creation(row), idempotency: idempotencyRecord(id, { keyHash: keyOf(id) }) }))
    },
    async look(life) {
      const { id, store } = life
      const key = await store.idempotency(keyOf(id))
      const live = await store.depositByReference(`HCT-${id}`)
      return verdict([...(await reached(life, 1)), key !== undefined, live !== undefined])
    },
  },
  {
    name: 'opened',
    async write(life) {
      const { change } = move(await present(life), {
        phase: 'open',
        transactionId: `tx-${life.id}`,
        checkoutUrl: 'https://pay.example/1',
      })
      must(await life.store.apply({ ...change, answer: { keyHash: keyOf(life.id), answer: `answer-${life.id}` } }))
    },
    async look(life) {
      const key = await life.store.idempotency(keyOf(life.id))
      const row = await life.store.deposit(life.id)
      return verdict([...(await reached(life, 2)), key?.answer !== undefined, row?.transactionId !== undefined])
    },
  },
  {
    name: 'rang',
    async write(life) {
      const { change } = move(await present(life), { phase: 'confirming' })
      const inbox = inboxRecord({
        id: `inbox-${life.id}`,
        reference: `HCT-${life.id}`,
        depositId: life.id,
        verdict: 'unmatched',
        dueAt: START * 2,
      })
      must(await life.store.apply({ ...change, inbox }))
    },
    async look(life) {
      return verdict(await reached(life, 3))
    },
  },
  {
    name: 'settled',
    async write(life) {
      const row = await present(life)
      const { change } = move(row, { phase: 'succeeded', settledAt: START + 5 })
      must(await life.store.apply({ ...change, notices: [noticeRecord(life.id, { id: `msg-${life.id}` })] }))
    },
    async look(life) {
      const { id, store } = life
      const credited = await store.creditedDeposit(session(id))
      return verdict([...(await reached(life, 4)), (await noticeOf(life)) !== undefined, credited?.id === id])
    },
  },
  {
    name: 'told',
    async write({ id, store }) {
      const leased = { id: `msg-${id}`, attempts: 0 }
      await store.updateNotice(leased, { state: 'delivered', attempts: 1, dueAt: START, deliveredAt: START + 9 })
    },
    async look(life) {
      return verdict([(await noticeOf(life))?.state === 'delivered'])
    },
  },
]

/**
 * Names of the steps that are there, in order. @throws when one is torn, or there without the one
 * before it.
 */
export async function lookAt(life: Life): Promise<string[]> {
  const there: string[] = []
  let ended = false
  for (const step of steps) {
    const found = await step.look(life)
    if (found === 'torn') throw new Error(`Half of "${step.name}" of ${life.id} was written.`)
    if (found === 'whole' && ended) throw new Error(`"${step.name}" of ${life.id} is there without the step before it.`)
    if (found === 'nothing') ended = true
    else there.push(step.name)
  }
  return there
}
