// Makes a user of the console: a password that nobody guesses, and the line for HC_CONSOLE_USERS.
import { randomBytes } from 'node:crypto'
import type { ConsoleUser } from '../settings/values.ts'
import { hashPassword } from './passwords.ts'

export const ROLES = ['viewer', 'operator', 'owner'] as const satisfies readonly ConsoleUser['role'][]

/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** 80 random bits in four groups. */
function newPassword(): string {
  const letters = Array.from(randomBytes(16), (byte) => LETTERS.charAt(byte & 31)).join('')
  return letters.match(/.{4}/g)?.join('-') ?? letters
}

/** What is wrong with a user to be made: the field, and the rest of a sentence about it. */
export function faultOfUser(
  name: string,
  role: string | undefined,
): readonly [field: string, says: string] | undefined {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,59}$/u.test(name))
    return ['name', 'must have 1 to 60 letters, digits and . _ @ -, a letter or digit first.']
  return ROLES.some((known) => known === role) ? undefined : ['role', `must be one of ${ROLES.join(', ')}.`]
}

/**
 * @param password of 1 to 256 characters; made unless given
 * @throws TypeError for what the settings or the sign-in would refuse
 */
export async function makeConsoleUser(
  name: string,
  role: ConsoleUser['role'],
  password = newPassword(),
): Promise<{ readonly line: string; readonly password: string }> {
  const isWrong = password === '' || password.length > 256
  const fault = faultOfUser(name, role) ?? (isWrong ? ['password', 'must have 1 to 256 characters.'] : undefined)
  if (fault !== undefined) throw new TypeError(`makeConsoleUser: ${fault.join(' ')}`)
  return { line: `${name}:${role}:${await hashPassword(password)}`, password }
}
