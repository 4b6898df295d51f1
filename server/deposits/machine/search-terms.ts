// What a payment is found by: the terms that are stored of it, and the range of terms that a text
// asks for.
import type { SearchBy } from '../../contract/index.ts'
import type { Deposit } from './deposit.ts'

/**
 * Digits of a phone number that are compared, from its end: the national number of every market.
 */
const PHONE_DIGITS = 9
const FEWEST_PHONE_DIGITS = 4
const FEWEST_LETTERS = 2
/** Of a number of the service or of an operator: its digits could also be those of a phone. */
const FEWEST_SIGNS = 4
/** Every thirtieth such number has no digit. A shorter text without one is most likely a name. */
const FEWEST_SIGNS_WITHOUT_DIGIT = 8
/** Of a name, and of a search. */
const MOST_WORDS = 8
const LONGEST_WORD = 40

/**
 * The first letter of each kind of term. Those from `n` on are details of the payer, and go with
 * them.
 */
const KIND = { amount: 'a', operator: 'f', name: 'n', phone: 'p' } as const

export interface Terms {
  readonly terms: readonly string[]
  /** The words of the name, sorted, each with a space before it and one behind the last. */
  readonly words: string
}

/**
 * A search of one kind. Each kind has an index whose order is that of its results, greatest first.
 */
export interface Search {
  readonly by: SearchBy
  /**
   * What the term, order, transaction or reference begins with, in the case of its index; `amount`:
   * all of it.
   */
  readonly start: string
  /** Other beginnings of words that the name must have. */
  readonly also: readonly string[]
}

/** Without accents and case: as people type it. */
function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [...new Set(words.map((word) => word.slice(0, LONGEST_WORD)))].slice(0, MOST_WORDS).toSorted(byBytes)
}

/** As the databases compare: by bytes of UTF-8. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Whether a term stands before another one in the order of an index. */
export const isBefore = (a: string, b: string): boolean => byBytes(a, b) < 0

/** What stands between the groups of a number that was copied. */
const BLANKS = /[\s\p{Z}\p{Default_Ignorable_Code_Point}]/gu
const DASHES = /[\p{Pd}\u2212]/gu
/** What people write, or leave out, between two parts of an order. */
const GAPS = /[\s\p{Z}\p{Pd}\u2212_]+/u
const JOINTS = ['-', '', ' '] as const
/** Up to so many gaps are each tried with each joint; more of them all with the same one. */
const MOST_FREE_GAPS = 2

/** As `lower` of both databases: only A to Z. */
const lower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** As numbers are made that people read out (identity.ts): no I, L, O in them. */
const readOut = (text: string): string => text.replaceAll(/o/gi, '0').replaceAll(/[il]/gi, '1')

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

/** Backwards, so that the end of a number is the beginning of a term. */
const phoneTerm = (digits: string): string => KIND.phone + Array.from(digits.slice(-PHONE_DIGITS)).toReversed().join('')

/** The term of the operator's number, which a callback reports after the payment was written. */
export function operatorTerms({ reportedThirdPartyId: number = '' }: Pick<Deposit, 'reportedThirdPartyId'>): string[] {
  return number === '' ? [] : [KIND.operator + lower(number)]
}

export function termsOf(deposit: Pick<Deposit, 'amount' | 'payer' | 'reportedThirdPartyId'>): Terms {
  const { amount, payer } = deposit
  const words = wordsOf(payer?.name ?? '')
  const phone = digitsOf(payer?.phone ?? '')
  return {
    terms: [
      `${KIND.amount}${amount}`,
      ...operatorTerms(deposit),
      ...words.map((word) => KIND.name + word),
      ...(phone === '' ? [] : [phoneTerm(phone)]),
    ],
    words: words.length === 0 ? '' : ` ${words.join(' ')} `,
  }
}

/**
 * As it is written. Undefined where the text cannot be searched for in this way.
 */
export function searchFor(text: string, by: SearchBy): Search | undefined {
  const written = text.trim()
  const whole = written.replaceAll(BLANKS, '')
  const of = (start: string, also: readonly string[] = []): Search => ({ by, start, also })
  switch (by) {
    case 'phone': {
      const digits = digitsOf(written)
      return /^[+\d\s()./\p{Pd}\u2212-]+$/u.test(written) && digits.length >= FEWEST_PHONE_DIGITS && digits.length <= 15
        ? of(phoneTerm(digits))
        : undefined
    }
    case 'name': {
      const words = wordsOf(written)
      // The longest beginning leaves the fewest names.
      const [first, ...also] = words.toSorted((a, b) => b.length - a.length)
      return first === undefined || first.length < FEWEST_LETTERS || !/\p{L}/u.test(written)
        ? undefined
        : of(KIND.name + first, also)
    }
    case 'amount': {
      const digits = /^(?:[A-Za-z]{3})?(\d{1,15})$/.exec(whole.replaceAll(/[,.']/g, ''))?.[1]
      return digits === undefined ? undefined : of(KIND.amount + String(Number(digits)))
    }
    case 'order':
      return written === '' ? undefined : of(lower(written))
    case 'transaction':
    case 'operator': {
      const fewest = /\d/.test(whole) ? FEWEST_SIGNS : FEWEST_SIGNS_WITHOUT_DIGIT
      if (whole.length < fewest || !/^[\w./-]+$/.test(whole)) return undefined
      return of((by === 'operator' ? KIND.operator : '') + lower(whole))
    }
    case 'reference':
      return referenceStart(whole.replaceAll(DASHES, ''), of)
  }
}

/** The receipt prints it in groups of four. It is also read out, and copied by hand. */
function referenceStart(text: string, of: (start: string) => Search): Search | undefined {
  const [, kind = '', rest = ''] = /^HC(?:([LT1I])([0-9A-Z]*))?$/i.exec(text) ?? []
  if (kind === '') return /^HC$/i.test(text) ? of('HC') : undefined
  return of(`HC${kind.toUpperCase() === 'T' ? 'T' : 'L'}${readOut(rest).toUpperCase()}`)
}

/**
 * The same text in other spellings, for where `searchFor` finds nothing: with other hyphens and
 * spaces, and of a number that the companion makes with digits for the letters that it never has.
 * In the order of their results.
 */
export function otherSpellings(text: string, by: SearchBy): readonly Search[] {
  const written = searchFor(text, by)
  if (written === undefined) return []
  const starts = new Set<string>()
  if (by === 'order') for (const start of ordersLike(written.start)) starts.add(start)
  if (by === 'transaction' || by === 'operator') {
    const bare = searchFor(text.replaceAll(DASHES, ''), by)
    if (bare !== undefined) starts.add(bare.start)
  }
  starts.delete(written.start)
  const all = [...starts]
  return (
    all
      // Two ranges of terms have nothing in common.
      .filter((start) => !all.some((other) => other !== start && start.startsWith(other)))
      .toSorted((a, b) => byBytes(b, a))
      .map((start) => ({ by, start, also: [] }))
  )
}

function ordersLike(written: string): readonly string[] {
  const [, made] = /^link(.+)$/.exec(written.replaceAll(BLANKS, '').replaceAll(DASHES, '')) ?? []
  const own = made === undefined ? [] : [`link-${readOut(made)}`]
  const spaced = written.split(GAPS).filter((part) => part !== '')
  // `inv100` may be meant for `inv-100`.
  const parts = spaced.length > 1 ? spaced : (spaced[0]?.match(/\d+|\D+/g) ?? [])
  const [first] = parts
  if (first === undefined || parts.length < 2) return own
  // A name has gaps too: it is no order with a gap here and none there.
  const isFree = parts.length - 1 <= MOST_FREE_GAPS && /\d/.test(written)
  if (!isFree) return [...own, ...(spaced.length > 1 ? JOINTS.map((joint) => parts.join(joint)) : [])]
  const joined = parts
    .slice(1)
    .reduce<readonly string[]>(
      (all, part) => all.flatMap((start) => JOINTS.map((joint) => start + joint + part)),
      [first],
    )
  return [...own, ...joined]
}

/**
 * The term by which the search finds this payment: of a name with several such words the greatest.
 */
export function termIn(deposit: Deposit, { by, start }: Search): string {
  if (by === 'order') return lower(deposit.orderId ?? '')
  if (by === 'transaction') return lower(deposit.transactionId ?? '')
  if (by === 'reference') return deposit.reference
  return termsOf(deposit).terms.findLast((term) => term.startsWith(start)) ?? start
}
