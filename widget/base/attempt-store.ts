// What the browser stores of a payment: `{id, token, createdAt}` (money rule 12) and, while a
// request is pending, its idempotency key, with which a lost answer can be recovered; beside the
// key id and token of the payment that it replaces. Never a payer detail. It is in localStorage
// and, for a shop that clears that, in the state of the page's history entry. Where neither takes
// it a payment still works, but cannot be resumed.

export interface Kept {
  id?: string | undefined
  token?: string | undefined
  /** When the payment was created, or the request with that key was sent. */
  createdAt?: string
  key?: string | undefined
  /** Set when the payment has ended: the entry is erased at this time. */
  eraseAt?: number
  /** The page has named the payment, and the companion has not confirmed its token yet. */
  given?: true | undefined
  /** The end for which an event was dispatched. */
  told?: string
}

/**
 * Names that are erased, but not in the history entry: WebKit refuses more than a hundred changes
 * in ten seconds.
 */
const erased = new Set<string>()

/**
 * The state of the history entry; empty where the page has put something else there than a plain
 * object.
 */
function pageState(): Record<string, Kept | undefined> {
  try {
    const state = Object(history.state) as Record<string, Kept | undefined>
    return state.constructor === Object ? state : {}
  } catch {
    return {}
  }
}

/**
 * The entry stored under a name; an entry past its time is erased. What all tabs share counts
 * first.
 * @param isShared only what all tabs share, where the browser has such a storage: another tab may
 *   have erased the entry
 */
export function readKept(name: string, isShared?: boolean): Kept {
  let kept: Kept | null | undefined
  let isRefused = false
  try {
    kept = JSON.parse(localStorage.getItem(name)!) as Kept | null
  } catch {
    /* Storage refused, or not our entry. */
    isRefused = true
  }
  if (!kept && !erased.has(name) && (isRefused || !isShared)) kept = pageState()[name]
  if (!kept) return {}
  if (!(kept.eraseAt! < Date.now())) return kept
  writeKept(name)
  return {}
}

/**
 * Stores an entry in localStorage and in the state of the page's history entry, or erases it in
 * both if `kept` is not given. The history entry is this tab's alone: Back from the hosted page
 * finds the payment there where storage is refused, and a reload after the shop has cleared its
 * storage.
 */
export function writeKept(name: string, kept?: Kept): void {
  if (!name) return
  const copy = kept && { createdAt: new Date().toISOString(), ...kept }
  try {
    try {
      if (copy) localStorage.setItem(name, JSON.stringify(copy))
      else localStorage.removeItem(name)
    } catch {
      // It does not fit: the old one must not count in its place.
      localStorage.removeItem(name)
    }
  } catch {
    /* Refused. */
  }
  try {
    const { [name]: old, ...others } = pageState()
    // The page's or a router's own state is left alone unless it is a plain object, to which a name
    // can be added. The address stays as it is.
    if ((copy || old) && Object(history.state === null ? {} : history.state).constructor === Object)
      history.replaceState(copy ? { ...others, [name]: copy } : others, '')
    erased.delete(name)
  } catch {
    // Refused as well: the payment can't be resumed, nothing else is lost. But what is erased must
    // not come back.
    if (!copy) erased.add(name)
  }
}

/** All stored names that are `root` or begin with `root:`. */
export function keptNames(root: string): string[] {
  let names = Object.keys(pageState())
  try {
    names = names.concat(Object.keys(localStorage))
  } catch {
    /* Refused. */
  }
  return Array.from(new Set(names)).filter((name) => `${name}:`.startsWith(`${root}:`))
}
