// Replaces load-extras.ts in the legacy file (browsers without modules): loads what few need from a
// second legacy file beside it.
import type { BankParts, RareParts } from '../controller/load-extras.ts'

type Extras = typeof import('./extras-whole.ts')

const own = document.currentScript
let loading: Promise<Extras> | undefined

export function loadExtras(): Promise<Extras> {
  loading ||= new Promise<Extras>((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener('load', () => resolve((window as unknown as { HcExtras: Extras }).HcExtras))
    script.addEventListener('error', () => {
      loading = undefined
      script.remove()
      reject(new Error('The extras did not come.'))
    })
    // An `<img name="currentScript">` in the page is returned instead of this script, and its
    // address may be anybody's.
    script.src = own instanceof HTMLScriptElement ? own.src.replace(/[^/]*$/, 'hc-extras-legacy.js') : ''
    document.head.appendChild(script)
  })
  return loading
}

/** They are in the same file. */
export const loadBankPicking = (): Promise<BankParts> => loadExtras()
export const loadRareParts = (): Promise<RareParts> => loadExtras()
