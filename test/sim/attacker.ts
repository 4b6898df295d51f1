// An attacker who has seen callbacks: replays them, sends them to other addresses, re-cuts their
// fields so that the hash still verifies (open-points.md, "A hole in the published hash"), and
// invents hashes. None of it may be believed.
import { SUCCESS_FIELDS } from '../upstream/material.ts'
import type { Chance } from './chance.ts'
import type { Callback, PaymentService } from './payment-service.ts'

export interface Forgery {
  readonly path: string
  readonly text: string
  /**
   * `may_ring`: a replay, or a failure that is indistinguishable from a genuine one. It may be
   * accepted, but decides nothing.
   */
  readonly kind: 'may_ring' | 'forged'
}

export function forge(chance: Chance, service: PaymentService, at?: Callback): Forgery | undefined {
  const callback = at ?? (service.seen.length === 0 ? undefined : chance.pick(service.seen))
  if (callback === undefined) return undefined
  const { fields, path, text } = callback
  const hash = (JSON.parse(text) as { hash: string }).hash
  const forged = (changed: Record<string, string | number>, to = path): Forgery => ({
    path: to,
    text: JSON.stringify({ ...changed, hash }),
    kind: 'forged',
  })
  const read = (name: string) => String(fields[name] ?? '')
  const isSuccess = fields['result_code'] === 0

  switch (chance.below(7)) {
    case 0:
      return { path, text, kind: 'may_ring' }
    case 1: {
      const other = chance.pick(service.seen)
      return other.path === path ? undefined : { path: other.path, text, kind: 'forged' }
    }
    case 2:
      return {
        path,
        text: JSON.stringify({ ...fields, hash: hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
        kind: 'forged',
      }
    case 3: {
      // A failure re-cut as a success: its code starts the name, the rest of it the description.
      if (isSuccess) {
        const amount = read('amount')
        return forged({ ...fields, amount: `${amount}${read('fees').slice(0, 1)}`, fees: read('fees').slice(1) })
      }
      const tail = `${read('result_code')}${read('result_description')}`
      const cut = tail.indexOf('0')
      if (cut < 1) return undefined
      const empty = Object.fromEntries(SUCCESS_FIELDS.map((name) => [name, '']))
      return forged({
        ...empty,
        channel: '420001',
        reference: read('reference'),
        transaction_id: read('transaction_id'),
        acc_name: tail.slice(0, cut),
        result_code: 0,
        result_description: tail.slice(cut + 1),
      })
    }
    case 4: {
      // A success re-cut as a failure: the leading digits of the checkout's id become its code.
      if (!isSuccess) return undefined
      const tail = SUCCESS_FIELDS.slice(3).map(read).join('')
      const code = /^[1-9]\d{0,3}/.exec(tail)?.[0]
      if (code === undefined) return undefined
      const recut = {
        channel: '420001',
        reference: read('reference'),
        transaction_id: read('transaction_id'),
        result_code: Number(code),
        result_description: tail.slice(code.length),
      }
      return { ...forged(recut), kind: 'may_ring' }
    }
    case 5: {
      // Characters move between the reference and the transaction.
      const joined = read('reference') + read('transaction_id')
      const cut = read('reference').length + chance.pick([-1, 1])
      return forged({ ...fields, reference: joined.slice(0, cut), transaction_id: joined.slice(cut) })
    }
    default:
      return {
        path,
        text: chance.pick(['', '{', '[]', '{"hash":1}', text.slice(0, -2), `${text} `.repeat(2)]),
        kind: 'forged',
      }
  }
}
