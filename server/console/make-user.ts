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

/** @param password made unless given */
export async function makeConsoleUser(
  name: string,
  role: ConsoleUser['role'],
  password = newPassword(),
): Promise<{ readonly line: string; readonly password: string }> {
  return { line: `${name}:${role}:${await hashPassword(password)}`, password }
}
