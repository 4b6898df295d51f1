// Forged callbacks over HTTP, for deposits in every state: none is believed, none breaks the
// endpoint, and no row moves by one that is distinguishable from a genuine one. Indistinguishable
// replays and re-cuts only trigger a query. HC_FORGED changes how many.
import { describe, expect, it } from 'vitest'
import { DepositPhase } from '../../server/contract/index.ts'
import { createCapabilities } from '../../server/deposits/identity.ts'
import type { Deposit } from '../../server/deposits/machine/deposit.ts'
import { CONSUMER_KEY } from '../sim/payment-service.ts'
import { depositRecord } from '../helpers/deposit-record.ts'
import { createForgeries } from '../upstream/forgeries.ts'
import { createStage, START, tell } from './stage.ts'

const count = Number(process.env['HC_FORGED'] ?? 5_000)
const phases = DepositPhase.options

/**
 * What a callback may not touch. A genuine one may say `confirming`, ask sooner and note what was
 * reported, unproven.
 */
function moneyOf(row: Deposit): unknown {
  const money = [
    'reference', 'amount', 'currency', 'walletNo', 'transactionId', 'checkoutUrl', 'settledAt', 'late', 'duplicate', 'resultCode',
    'resultDescription', 'reviewReason',
  ] as const // prettier-ignore
  return Object.fromEntries(money.map((name) => [name, row[name]]))
}

/**
 * All of a row but when it is asked about: a refused callback with a valid hash makes us ask the
 * service, and nothing else.
 */
function visible(row: Deposit | undefined): unknown {
  if (row === undefined) return undefined
  const { dueAt: _, asks: __, ...rest } = row
  return rest
}

describe('forged callbacks', () => {
  it(
    `${count} of them, to deposits in every state: 0 believed, 0 answered 5xx, 0 rows moved by a refused one, no money by any`,
    async () => {
      // The service does not answer our questions meanwhile: whatever moved, moved by a callback.
      const stage = createStage({ faults: { query: () => 'refused_connection' } })
      const capabilities = createCapabilities(stage.settings.secret)
      for (let number = 0; number < 40; number++) {
        const phase = phases[number % phases.length] ?? 'open'
        const body = String(number).padStart(21, '0')
        const row = depositRecord({
          id: `dep_${String(number).padStart(26, '0')}`,
          reference: `HCT${body}`,
          phase,
          amount: 10 ** (1 + (number % 5)) * 25,
          createdAt: START,
          updatedAt: START,
          expiresAt: START + 900_000,
          ...(phase === 'creating' || phase === 'unknown' || phase === 'rejected'
            ? {}
            : { transactionId: `CP7S36ULT${number}P` }),
          ...(phase === 'review' ? { reviewReason: 'redirect_origin' } : {}),
          ...(['succeeded', 'failed', 'expired', 'rejected'].includes(phase) ? { settledAt: START } : {}),
        })
        stage.disk.apply({ deposit: { row, expect: 'new' } })
      }
      const before = new Map([...stage.disk.deposits].map(([id, row]) => [id, row]))
      const byReference = new Map([...before.values()].map((row) => [row.reference, row]))
      const held = [...before.values()].map(({ reference, currency, amount, transactionId }) => ({
        reference,
        currency,
        amount,
        transactionId,
      }))
      const forgeries = createForgeries({ seed: 5, consumerKey: CONSUMER_KEY, deposits: held })
      const statuses: Record<number, number> = {}
      let triggered = 0
      let refusals = 0
      for (let sent = 0; sent < count; sent++) {
        const { raw, held: at, kind, truth } = forgeries.next()
        const target = byReference.get(at.reference)
        if (target === undefined) throw new Error('A forgery goes to one of the planted deposits.')
        const asItWas = visible(stage.disk.deposits.get(target.id))
        const response = await stage.until(
          stage.request(`/v1/webhook/${capabilities.webhookKey(at.reference)}`, {
            method: 'POST',
            body: Buffer.from(raw),
            headers: { 'content-type': 'application/json' },
          }),
        )
        statuses[response.status] = (statuses[response.status] ?? 0) + 1
        expect(response.status, `${kind}: ${Buffer.from(raw).toString()}`).toBeLessThan(500)
        if (response.status !== 200) {
          expect(visible(stage.disk.deposits.get(target.id)), kind).toEqual(asItWas)
          refusals += 1
          continue
        }
        triggered += 1
        // It may trigger a query only where its fields are those of this deposit; an amount that is
        // carried is ours.
        const fields = JSON.parse(Buffer.from(raw).toString()) as Record<string, string>
        expect(fields['reference'], kind).toBe(at.reference)
        if (fields['amount'] !== undefined) expect(Number(fields['amount']), kind).toBe(target.amount)
        expect(
          truth === undefined && (kind === 'invented' || kind === 'other-key' || kind === 'hash-swapped'),
          kind,
        ).toBe(false)
      }
      for (const [id, row] of stage.disk.deposits) {
        const old = before.get(id)
        if (old === undefined) continue
        expect(moneyOf(row)).toEqual(moneyOf(old))
        const allowed =
          old.phase === 'creating' || old.phase === 'unknown' || old.phase === 'open'
            ? [old.phase, 'confirming']
            : [old.phase]
        expect(allowed).toContain(row.phase)
        expect(row.version - old.version).toBe(row.phase === old.phase ? 0 : 1)
      }
      expect([...stage.disk.notices.values()]).toEqual([])
      expect(Math.min(refusals, triggered)).toBeGreaterThan(0)
      tell(
        `${count} forgeries: ${JSON.stringify(statuses)}; ${refusals} refused moved nothing; ${triggered} replays and re-cuts that nobody can tell from genuine ones triggered queries, and decided nothing`,
      )
    },
    // Longer than the usual limit only where more are asked for.
    Math.max(180_000, count * 10),
  )
})
