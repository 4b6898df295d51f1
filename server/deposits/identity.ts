// Identifiers and capabilities: random references and ids, and everything derived from the
// installation secret. Tokens, links and webhook keys are derived, not stored, so a repeat can give
// the same answer.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Mode } from '../contract/index.ts'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type Random = (bytes: number) => Uint8Array

/** `length` characters of 5 random bits each. */
function crockford(random: Random, length: number): string {
  return Array.from(random(length), (byte) => CROCKFORD.charAt(byte & 31)).join('')
}

/**
 * Nine characters that sort by time: new rows are adjacent in every index, which halves the pages
 * written by each commit.
 */
function timeOf(now: number): string {
  let time = ''
  for (let rest = now, n = 0; n < 9; n++, rest = Math.floor(rest / 32)) time = CROCKFORD.charAt(rest % 32) + time
  return time
}

/**
 * Our own reference: fixed length and alphabet, so that no re-cut of a hash can read as another
 * reference (open-points.md). 60 random bits after the millisecond, so that installations of one
 * business do not collide. It grants no access.
 */
export function newReference(mode: Mode, random: Random, now: number): string {
  return `HC${mode === 'live' ? 'L' : 'T'}${timeOf(now)}${crockford(random, 12)}`
}

const REFERENCES = /HC[LT][0-9A-HJKMNP-TV-Z]{21}/g

/** An order number that the companion makes, short enough to be read out: 50 random bits. */
export function newOrderId(random: Random): string {
  return `LINK-${crockford(random, 10)}`
}

/** The first few different references in a text, whatever is around them. */
export function referencesIn(text: string): readonly string[] {
  const found = new Set<string>()
  for (const [reference] of text.matchAll(REFERENCES)) if (found.add(reference).size === 4) break
  return [...found]
}

/** 85 random bits after the time. An id by itself grants no access; tokens do. */
export function newId(kind: 'dep' | 'ses' | 'cbk' | 'act', random: Random, now: number): string {
  return `${kind}_${(timeOf(now) + crockford(random, 17)).toLowerCase()}`
}

/** The id of an act that was asked for with a key: asked for again, it is the same one. */
export function actIdOf(...of: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify(of), 'buffer')
  return `act_${crockford((bytes) => digest.subarray(0, bytes), 26).toLowerCase()}`
}

/**
 * The `webhook-id` of an event, derived from the deposit and `event`: an event that is found again
 * after the restore of an older backup keeps its id, so a receiver recognises it. It grants no
 * access.
 */
export function noticeId(deposit: { readonly id: string; readonly createdAt: number }, event: string): string {
  const digest = hash('sha256', `${deposit.id}\n${event}`, 'buffer')
  return `msg_${(timeOf(deposit.createdAt) + crockford((bytes) => digest.subarray(0, bytes), 17)).toLowerCase()}`
}

/** SHA-256 in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex')
}

/**
 * What is stored of an idempotency key: its SHA-256, in hex; of a key that begins with a time in
 * milliseconds, like the widget's, the time and then the SHA-256 of the whole key, in base64url.
 * Keys of one time are then adjacent in their index: with hashes alone each is on a page of its
 * own, which was a third of all pages that a commit of deposits wrote. A wrong time costs that, and
 * nothing else.
 */
export function keyHashOf(key: string): string {
  return /^\d{13}-/.test(key) ? `${key.slice(0, 13)}.${hash('sha256', key, 'base64url')}` : sha256(key)
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

const PURPOSE = {
  depositToken: 'dt',
  sessionToken: 'st',
  link: 'pl',
  webhook: 'wk',
  started: 'sf',
  mark: 'mk',
} as const

/** Of every deposit and session when it is made. */
export const FIRST_GENERATION = 1

export function createCapabilities(secret: string, previousSecret?: string) {
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret]

  function derive(key: string, purpose: string, id: string, generation: number, bytes = 32): string {
    const number = String(generation)
    // Length-prefixed, so that no two lists of parts give the same string.
    const text = `${purpose.length}:${purpose}${id.length}:${id}${number.length}:${number}`
    return createHmac('sha256', key).update(text).digest().toString('base64url', 0, bytes)
  }
  const make = (purpose: string, id: string, generation: number, bytes?: number) =>
    derive(secret, purpose, id, generation, bytes)
  const check = (given: string, purpose: string, id: string, generation: number, bytes?: number) =>
    secrets.some((key) => sameText(given, derive(key, purpose, id, generation, bytes)))

  const short = (id: string) => id.slice(4)
  return {
    depositToken: (id: string, generation: number): string => make(PURPOSE.depositToken, id, generation),
    isDepositToken: (token: string, id: string, generation: number): boolean =>
      check(token, PURPOSE.depositToken, id, generation),
    sessionToken: (id: string, generation: number): string => `${id}.${make(PURPOSE.sessionToken, id, generation)}`,
    /** Session id in a token, or undefined; verifying the token needs the generation of the row. */
    sessionIdOf(token: string): string | undefined {
      const match = /^(ses_[0-9a-z]{26})\.[\w-]{43}$/.exec(token)
      return match?.[1]
    },
    isSessionToken: (token: string, id: string, generation: number): boolean =>
      check(token.slice(id.length + 1), PURPOSE.sessionToken, id, generation),
    /** Path segment of /pay/:link. */
    link({ kind, id }: LinkTarget, generation: number): string {
      return `${kind === 'deposit' ? 'd' : 's'}${short(id)}${make(PURPOSE.link, id, generation, 16)}`
    },
    readLink(link: string): LinkTarget | undefined {
      const match = /^([ds])([0-9a-z]{26})[\w-]{22}$/.exec(link)
      if (!match?.[2]) return undefined
      return match[1] === 'd' ? { kind: 'deposit', id: `dep_${match[2]}` } : { kind: 'session', id: `ses_${match[2]}` }
    },
    isLink: (link: string, target: LinkTarget, generation: number): boolean =>
      check(link.slice(27), PURPOSE.link, target.id, generation, 16),
    /**
     * Says that a payment was started with this form: what the cookie of /pay carries beside the
     * payment's link.
     */
    startedMark: (id: string, form: string, generation: number): string =>
      make(PURPOSE.started, `${id}\n${form}`, generation, 16),
    isStartedMark: (mark: string, id: string, form: string, generation: number): boolean =>
      check(mark, PURPOSE.started, `${id}\n${form}`, generation, 16),
    webhookKey: (reference: string): string => make(PURPOSE.webhook, reference, 0),
    isWebhookKey: (key: string, reference: string): boolean => check(key, PURPOSE.webhook, reference, 0),
    /**
     * Recognises the secret, or a value that is used with it, and says nothing about either: kept
     * in the database.
     */
    mark: (value = ''): string => make(PURPOSE.mark, value, 0),
    isMark: (mark: string): boolean => check(mark, PURPOSE.mark, '', 0),
  }
}

/**
 * Makes and verifies tokens, links and webhook keys with the installation secret (current, and
 * previous after a rotation).
 */
export type Capabilities = ReturnType<typeof createCapabilities>
