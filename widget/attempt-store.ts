// What the browser keeps of a payment: `{id, token, createdAt}` (money rule 12), and between click and answer the key
// under which the companion gives the answer again. Never a payer detail.
export interface Kept {
  id: string
  token: string
  createdAt: string
}

const DAY_MS = 86_400_000

export interface AttemptStore {
  kept(): Kept | undefined
  keep(attempt: Kept): void
  pendingKey(): string | undefined
  /** When the request with that key left, in ms. */
  pendingSince(): number
  setPending(key: string): void
  /** The payment has ended: erased a day later. */
  ended(): void
  forget(): void
}

/** `scope` tells shops and sessions apart; a browser that refuses storage still pays, it only can't resume. */
export function attemptStore(scope: string): AttemptStore {
  const name = `hc-checkout:${scope}`
  function read(): Record<string, string> {
    try {
      const value = JSON.parse(localStorage.getItem(name) || '{}') as Record<string, string>
      if (value['eraseAt'] && Date.parse(value['eraseAt']) < Date.now()) {
        localStorage.removeItem(name)
        return {}
      }
      return value
    } catch {
      return {}
    }
  }
  function write(value: Record<string, string> | undefined): void {
    try {
      localStorage[value ? 'setItem' : 'removeItem'](name, JSON.stringify(value))
    } catch {
      /* Storage refused: nothing to resume, nothing lost. */
    }
  }
  return {
    kept() {
      const { id, token, createdAt } = read()
      return id && token ? { id, token, createdAt: createdAt || '' } : undefined
    },
    keep: ({ id, token, createdAt }) => write({ id, token, createdAt }),
    pendingKey: () => read()['key'],
    pendingSince: () => Date.parse(read()['createdAt'] as string) || 0,
    setPending: (key) => write({ key, createdAt: new Date().toISOString() }),
    ended() {
      const value = read()
      if (value['id'] && !value['eraseAt']) write({ ...value, eraseAt: new Date(Date.now() + DAY_MS).toISOString() })
    },
    forget: () => write(undefined),
  }
}

/** 192 random bits. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
