// The record of what people do: written before an act, and again when it has ended, so that none is
// without.
import type { ActKind, Role } from '../../contract/index.ts'
import { CompanionError } from '../../platform/errors.ts'
import type { ActRow } from '../ports/desk-store.ts'
import type { Tools } from '../ports/machine.ts'
import { newId } from '../identity.ts'

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

type NewAct = Pick<ActRow, 'act' | 'depositId' | 'why' | 'detail'>

export function createActs({ store, now, random }: Pick<Tools, 'store' | 'now' | 'random'>) {
  const { desk } = store

  async function begin({ name, role }: Actor, what: NewAct, result: string): Promise<ActRow | undefined> {
    if (desk === undefined) return undefined
    const at = now()
    const row: ActRow = { id: newId('act', random, at), at, name, role, ...what, result }
    await desk.addAct(row)
    return row
  }

  return {
    /**
     * Does the work and records it. Of a backend with the merchant key only what people read later
     * is recorded: it may ask for a payment many times a minute.
     */
    async record<T>(actor: Actor, what: NewAct, work: () => Promise<T>, detailOf?: (result: T) => string): Promise<T> {
      if (actor.role === 'key' && !OF_KEY.includes(what.act)) return work()
      const begun = await begin(actor, what, 'begun')
      const end = async (result: string, detail?: string) => begun && desk?.endAct(begun.id, result, detail)
      let result: T
      try {
        result = await work()
      } catch (error) {
        await end(error instanceof CompanionError ? error.code : 'internal_error')
        throw error
      }
      await end('done', detailOf?.(result))
      return result
    },
    /** Records what has happened already, or what nobody waits for. */
    note: (actor: Actor, what: NewAct): Promise<ActRow | undefined> => begin(actor, what, 'done'),
  }
}

export type Acts = ReturnType<typeof createActs>
