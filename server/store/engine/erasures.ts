// Erases, when due or on request: payer details with their copies in callbacks and stored answers,
// and old answers, callbacks and counters.
import type { Engine } from './engine.ts'
import { UNSETTLED_FOR_MS } from '../queries/purge-queries.ts'
import { queries } from '../queries/queries.ts'
import type { Store } from '../../deposits/ports/store.ts'
import { drain, sweep } from './sweep.ts'
import type { Row, Values } from '../schema/tables.ts'

/** An idempotency key is a little older than its deposit: the request is validated in between. */
const KEY_BEFORE_DEPOSIT_MS = 3_600_000

/**
 * A number as it is stored, and the two ways it is dialled nationally: a session without a country
 * has it as the shop wrote it.
 */
function dialled(phone: string): Values {
  // Every calling code of our markets has three digits.
  const national = phone.length > 9 ? phone.slice(3) : phone
  return { phone, national, dialled: `0${national}` }
}

/** The erasing methods of the store. */
export function createErasures(engine: Engine): Pick<Store, 'purgePayers' | 'forgetPhone' | 'emptyLog' | 'purgeOld'> {
  /**
   * Something was erased, and the log may still hold it; at first by a process that ended before it
   * could empty the log.
   */
  let erased = true

  async function emptyLogAfter(changed: boolean): Promise<void> {
    erased ||= changed
    if (erased) erased = !(await engine.emptyLog())
  }

  /**
   * Erases copies of payer details: callbacks repeat the payer's name, and answers that an earlier
   * build stored the masked details, including the domain of an e-mail address.
   */
  async function forgetTraces(deposits: readonly Row[]): Promise<void> {
    if (deposits.length === 0) return
    const oldest = deposits.reduce((least, row) => Math.min(least, Number(row['created_at'])), Infinity)
    const references = JSON.stringify(deposits.map((row) => row['reference']))
    const body = Buffer.alloc(0)
    // From the very first row: the clock may have been set back since, by any amount.
    await sweep(engine, queries.inboxWindow, queries.emptyInbox, Number.MIN_SAFE_INTEGER, { references, body })
    const ids = JSON.stringify(deposits.map((row) => row['id']))
    await sweep(engine, queries.answerWindow, queries.forgetAnswers, oldest - KEY_BEFORE_DEPOSIT_MS, { ids })
  }

  return {
    async purgePayers(before) {
      const purged = await drain(engine, queries.purgePayers, { before, unsettled_before: before - UNSETTLED_FOR_MS })
      const sessions = await drain(engine, queries.purgeSessionPayers, { before })
      await emptyLogAfter(purged + sessions > 0)
      return purged
    },
    async forgetPhone(phone) {
      const everything = Number.MIN_SAFE_INTEGER
      const known = await sweep(engine, queries.depositWindow, queries.depositsOfPhone, everything, { phone })
      // Traces that are found through the deposits go first: after a crash in between, the deposits
      // still lead to them.
      await forgetTraces(known)
      const deposits = await sweep(engine, queries.depositWindow, queries.forgetPhone, everything, { phone })
      // A callback that arrived meanwhile still found a payer, and was stored with its body.
      await forgetTraces(known)
      const sessions = await sweep(
        engine,
        queries.sessionWindow,
        queries.forgetSessionPhone,
        everything,
        dialled(phone),
      )
      await emptyLogAfter(deposits.length + sessions.length > 0)
      return deposits.length
    },
    async emptyLog() {
      await emptyLogAfter(false)
      return !erased
    },
    async purgeOld(before) {
      const answers = await drain(engine, queries.purgeAnswers, { before })
      const bodies = await drain(engine, queries.purgeInbox, { before })
      await engine.write(queries.purgeCounters, { before })
      await emptyLogAfter(answers + bodies > 0)
      return answers + bodies
    },
  }
}
