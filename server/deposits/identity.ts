// Names and capabilities: random references and ids, and everything that is derived from the installation secret.
// DESIGN.md "References": tokens, links and webhook keys are derived, not stored, so a repeat can give the same answer.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Mode } from '../contract/index.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type Random = (bytes: number) => Uint8Array

/** `length` characters of 5 random bits each. */
function crockford(random: Random, length: number): string {
  const bytes = random(length)
  let text = ''
  for (const byte of bytes) text += CROCKFORD.charAt(byte & 31)
  return text
}

/** Our own reference: fixed length and alphabet, so that no re-cut of a hash can read as another one (FACTS.md). */
export function newReference(mode: Mode, random: Random): string {
  return `HC${mode === 'live' ? 'L' : 'T'}${crockford(random, 21)}`
}

/**
 * 85 random bits behind the time, so that new rows stand together in every index: half the pages to write for each commit.
 * An id opens nothing by itself; tokens do.
 */
export function newId(kind: 'dep' | 'ses' | 'msg', random: Random, now: number): string {
  let time = ''
  for (let rest = now, n = 0; n < 9; n++, rest = Math.floor(rest / 32)) time = CROCKFORD.charAt(rest % 32) + time
  return `${kind}_${(time + crockford(random, 17)).toLowerCase()}`
}

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

/** Constant-time comparison of two texts of any length. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

export interface LinkTarget {
  readonly kind: 'deposit' | 'session'
  readonly id: string
}

/** What an installation secret (current, and previous after a rotation) can make and recognise. */
export interface Capabilities {
  depositToken(id: string, generation: number): string
  isDepositToken(token: string, id: string, generation: number): boolean
  sessionToken(id: string, generation: number): string
  /** Session id inside a token, or undefined; whether it is genuine needs the generation of the row. */
  sessionIdOf(token: string): string | undefined
  isSessionToken(token: string, id: string, generation: number): boolean
  /** Path segment of /pay/:link. */
  link(target: LinkTarget, generation: number): string
  readLink(link: string): LinkTarget | undefined
  isLink(link: string, target: LinkTarget, generation: number): boolean
  webhookKey(reference: string): string
  isWebhookKey(key: string, reference: string): boolean
}

const PURPOSE = { depositToken: 'dt', sessionToken: 'st', link: 'pl', webhook: 'wk' } as const

export function createCapabilities(secret: string, previousSecret?: string): Capabilities {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret]

  function derive(key: string, purpose: string, id: string, generation: number, bytes = 32): string {
    // Length-prefixed, so that no two lists of parts give the same string.
    const text = [purpose, id, String(generation)].map((part) => `${part.length}:${part}`).join('')
    return createHmac('sha256', key).update(text).digest().subarray(0, bytes).toString('base64url')
  }
  const make = (purpose: string, id: string, generation: number, bytes?: number) =>
    derive(secret, purpose, id, generation, bytes)
  const check = (given: string, purpose: string, id: string, generation: number, bytes?: number) =>
    secrets.some((key) => sameText(given, derive(key, purpose, id, generation, bytes)))

  const short = (id: string) => id.slice(4)
  return {
    depositToken: (id, generation) => make(PURPOSE.depositToken, id, generation),
    isDepositToken: (token, id, generation) => check(token, PURPOSE.depositToken, id, generation),
    sessionToken: (id, generation) => `${id}.${make(PURPOSE.sessionToken, id, generation)}`,
    sessionIdOf(token) {
      const match = /^(ses_[0-9a-z]{26})\.[\w-]{43}$/.exec(token)
      return match?.[1]
    },
    isSessionToken: (token, id, generation) => check(token.slice(id.length + 1), PURPOSE.sessionToken, id, generation),
    link({ kind, id }, generation) {
      return `${kind === 'deposit' ? 'd' : 's'}${short(id)}${make(PURPOSE.link, id, generation, 16)}`
    },
    readLink(link) {
      const match = /^([ds])([0-9a-z]{26})[\w-]{22}$/.exec(link)
      if (!match?.[2]) return undefined
      return match[1] === 'd' ? { kind: 'deposit', id: `dep_${match[2]}` } : { kind: 'session', id: `ses_${match[2]}` }
    },
    isLink: (link, target, generation) => check(link.slice(27), PURPOSE.link, target.id, generation, 16),
    webhookKey: (reference) => make(PURPOSE.webhook, reference, 0),
    isWebhookKey: (key, reference) => check(key, PURPOSE.webhook, reference, 0),
  }
}
