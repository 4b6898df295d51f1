// Passwords of the console: how they are hashed, and how one is checked without telling which names
// there are.
import { hash as digest, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

/** As OWASP advises: 32 MB and a tenth of a second or two for each attempt. */
const COST = 15
const SHAPE = { r: 8, p: 3 } as const
const HASH_BYTES = 32
const MOST_MEMORY = 160 * 1024 * 1024

async function hashWith(password: string, cost: number, salt: Uint8Array): Promise<Buffer> {
  // One text however a keyboard writes its accents.
  return derive(password.normalize('NFC'), salt, HASH_BYTES, { N: 2 ** cost, ...SHAPE, maxmem: MOST_MEMORY })
}

/** As HC_CONSOLE_USERS has it. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16)
  const hash = await hashWith(password, cost, salt)
  return `scrypt-${cost}-${salt.toString('base64url')}-${hash.toString('base64url')}`
}

const FORM = /^scrypt-(\d{2})-([\w-]{22})-([\w-]{43})$/

export interface Passwords {
  /** @param hash undefined for a name that there is not: false, after as long */
  isRight(password: string, hash: string | undefined): Promise<boolean>
}

/**
 * One at a time: each takes 32 MB and a thread, and payments need both.
 * @param standIn a user's hash: a name that there is not is checked against it, at the same cost
 */
export function createPasswords(standIn: string): Passwords {
  let last: Promise<unknown> = Promise.resolve()
  async function check(password: string, hash: string | undefined): Promise<boolean> {
    const [, cost = '', salt = '', expected = ''] = FORM.exec(hash ?? standIn) ?? []
    const made = await hashWith(password, Number(cost), Buffer.from(salt, 'base64url'))
    return timingSafeEqual(made, Buffer.from(expected, 'base64url')) && hash !== undefined
  }
  return {
    isRight(password, hash) {
      const next = last.then(() => check(password, hash))
      last = next.catch(() => undefined)
      return next
    },
  }
}

/** What a sign-in keeps of its password's hash: it ends when the password is changed. */
export const markOf = (hash: string): string => digest('sha256', hash).slice(0, 16)
