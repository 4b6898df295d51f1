// What the browser keeps of a payment: `{id, token, createdAt}` (money rule 12), and between click and answer the key
// under which the companion gives the answer again. Never a payer detail. A browser that refuses storage still pays, it only
// can't resume.
export interface Kept {
  id?: string
  token?: string
  /** When the payment was made, or the request with that key left. */
  createdAt?: string
  key?: string
  /** The payment has ended: erased then. */
  eraseAt?: string
  /** The end that the page was told of. */
  told?: string
}

const DAY_MS = 86_400_000

/** What is kept under a name; what has had its time is erased. */
export function readKept(name: string): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(name) || '{}') as Kept
    if (!(Date.parse(kept.eraseAt as string) < Date.now())) return kept
    writeKept(name)
  } catch {
    /* Storage refused, or none of ours. */
  }
  return {}
}

/** Without anything to keep: erases. */
export function writeKept(name: string, kept?: Kept): void {
  try {
    if (name)
      localStorage[kept ? 'setItem' : 'removeItem'](
        name,
        JSON.stringify({ createdAt: new Date().toISOString(), ...kept }),
      )
  } catch {
    /* Storage refused: nothing to resume, nothing lost. */
  }
}

/** This payment has ended so: erased a day later. @returns whether that was noted before */
export function endKept(name: string, id: string, told: string): boolean {
  const kept = readKept(name)
  if (kept.id !== id) return false
  writeKept(name, { eraseAt: new Date(Date.now() + DAY_MS).toISOString(), ...kept, told })
  return kept.told === told
}

/** All names that are this one or go on after its colon. */
export function keptNames(root: string): string[] {
  try {
    return Object.keys(localStorage).filter((name) => `${name}:`.startsWith(`${root}:`))
  } catch {
    return []
  }
}

/** 192 random bits. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
