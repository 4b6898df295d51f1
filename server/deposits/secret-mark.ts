// Notices that HC_SECRET is not the one that this database was used with: tokens, links and callback addresses are derived from it, so another
// one invalidates those of every payment that is open, and each fault by itself looks like something else.
import type { Store } from '../store/store.ts'
import type { Capabilities } from './identity.ts'
import type { Alert } from './ports.ts'

const KEY = 'secret_mark'

/** Whether the database was last used with a secret that is neither the present nor the previous one. */
export async function isOtherSecret(store: Pick<Store, 'meta'>, capabilities: Pick<Capabilities, 'isMark'>) {
  const kept = await store.meta(KEY)
  return kept !== undefined && !capabilities.isMark(kept)
}

/** Alerts a person if the secret is another one, and keeps the mark of the present one for the next start. */
export async function checkSecret(parts: {
  readonly store: Pick<Store, 'meta' | 'setMeta'>
  readonly capabilities: Pick<Capabilities, 'mark' | 'isMark'>
  readonly alert: Alert
}): Promise<void> {
  const { store, capabilities, alert } = parts
  if (await isOtherSecret(store, capabilities))
    alert('other_secret', 'The database was last used with another one, which is not HC_SECRET_PREVIOUS either.')
  await store.setMeta(KEY, capabilities.mark())
}
