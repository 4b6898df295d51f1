// The record of what people do: written before an act, and again when it has ended, so that none is
// without.
import type { ActKind, Role } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { ActRow } from '../ports/desk-store.ts'
import type { Tools } from '../ports/machine.ts'
import { actIdOf, newId } from '../identity.ts'

/** Who acts. */
export interface Actor {
  readonly name: string
  readonly role: Role
}

/** A backend with the merchant key. */
export const KEY: Actor = { name: 'merchant key', role: 'key' }
/** A backend with the key that only reads. */
export const READ_KEY: Actor = { name: 'read key', role: 'key' }

const OF_KEY: readonly ActKind[] = ['note', 'paid_back', 'link', 'close_link']

interface NewAct extends Pick<ActRow, 'act' | 'depositId' | 'why' | 'detail'> {
  /** Of the request, all of it: with the same one from the same person it is the same act. */
  readonly key?: string | undefined
}

/** How an act ends, and what it is answered when it is asked for again. */
interface Course<T> {
  readonly detailOf?: (result: T) => string
  /**
   * Of an act with a key that was asked for before, and may be done: its answer, or undefined where
   * it is to be done. Default: it is done again.
   * @param isDone whether the record says that it is
   */
  readonly repeat?: (isDone: boolean) => Promise<T | undefined>
}

export function createActs({ store, now, random }: Pick<Tools, 'store' | 'now' | 'random'>) {
  const { desk } = store

  /** `before`: that it was asked for before, and how far it came. */
  async function begin(
    { name, role }: Actor,
    { key, ...what }: NewAct,
    result: string,
  ): Promise<{ readonly row: ActRow; readonly before?: ActRow | undefined } | undefined> {
    if (desk === undefined) return undefined
    const at = now()
    const id = key === undefined ? newId('act', random, at) : actIdOf(name, what.act, key)
    const row: ActRow = { id, at, name, role, ...what, result }
    return { row, before: (await desk.addAct(row)) ? undefined : await desk.act(id) }
  }

  return {
    /**
     * Does the work and records it. Of a backend with the merchant key only what people read later
     * is recorded: it may ask for a payment many times a minute.
     */
    async record<T>(
      actor: Actor,
      what: NewAct,
      work: () => Promise<T>,
      { detailOf, repeat }: Course<T> = {},
    ): Promise<T> {
      if (actor.role === 'key' && !OF_KEY.includes(what.act)) return work()
      const begun = await begin(actor, what, 'begun')
      const { before } = begun ?? {}
      const known = before && (await repeat?.(before.result === 'done'))
      if (known !== undefined) return known
      const end = async (result: string, detail?: string) => begun && desk?.endAct(begun.row.id, result, detail)
      let result: T
      try {
        result = await work()
      } catch (error) {
        // The first one may still have been on its way.
        const done = before && (await repeat?.(false))
        if (done !== undefined) return done
        await end(error instanceof CompanionError ? error.code : 'internal_error')
        throw error
      }
      await end('done', detailOf?.(result))
      return result
    },
    /** Records what has happened already, or what nobody waits for. */
    async note(actor: Actor, what: NewAct): Promise<ActRow | undefined> {
      const begun = await begin(actor, what, 'done')
      return begun?.before ?? begun?.row
    },
  }
}

export type Acts = ReturnType<typeof createActs>
