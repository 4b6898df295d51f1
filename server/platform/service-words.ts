// The words that the service writes about a payment, which customers, shops and alerts read: on one
// line, short, and without what it quotes of the payer, in whatever writing.

/** Takes out of the service's words what it may quote and nobody else may read. */
export type Hide = (text: string) => string

/** Characters that are looked through; only the first of them are shown. */
const LOOKED_THROUGH = 4000
const SHOWN = 300

interface Payer {
  readonly name?: string | undefined
  /** Digits, with the calling code. */
  readonly phone?: string | undefined
  readonly email?: string | undefined
}

/** Digits of the shortest mobile number, without calling code (Burundi, Mali and others). */
const SHORTEST = 8
const BETWEEN = String.raw`[\s().-]*`

/** As a part of a regular expression. */
export const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
const spaced = (digits: string): string => digits.split('').join(BETWEEN)

/**
 * A number with all of its calling code, a part of it or none, after `+`, `0` or `00`, and with
 * anything between its digits.
 */
function numberPattern(digits: string): string {
  const begin = digits
    .slice(0, -SHORTEST)
    .split('')
    .reduce((before, digit) => `(?:${before}${digit}${BETWEEN})?`, '')
  return String.raw`(?<!\d)(?:(?:\+|00?)${BETWEEN})?${begin}${spaced(digits.slice(-SHORTEST))}(?!\d)`
}

/** By lower case first: the upper case of `ß` is two letters, and that of `ẞ` is itself. */
const inOneCase = (text: string): string => text.toLowerCase().toUpperCase()

const wholeWords = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${pattern}(?![\p{L}\p{N}])`, 'giu')

/**
 * The name and address are found as whole words, in any case. Compiling a pattern for them takes
 * longer than all else that is done for a callback, and few words of the service quote a payer: one
 * is made only where the text contains what it begins with.
 */
export function withoutPayer(text: string, { name = '', phone = '', email = '' }: Payer = {}): string {
  const searched = inOneCase(text)
  const mayQuote = (word: string): boolean => word !== '' && searched.includes(inOneCase(word))
  const names = name.trim().split(/\s+/)
  const isNumber = /^\d+$/.test(phone)
  const patterns = [
    ...(mayQuote(names[0] ?? '') ? [wholeWords(names.map(escaped).join(String.raw`\s+`))] : []),
    ...(mayQuote(email) ? [wholeWords(escaped(email))] : []),
    ...(isNumber && text.replaceAll(/\D/g, '').includes(phone.slice(-SHORTEST))
      ? [new RegExp(numberPattern(phone), 'g')]
      : []),
  ]
  return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, '[hidden]'), text)
}

/** The first characters of a text, whole ones: half a surrogate pair is no text. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : Array.from(text).slice(0, most).join('')
}

/**
 * The words on one line of at most 300 characters. Half a surrogate pair would make PHP and others
 * refuse the whole list of payments.
 */
export function sentence(text: string, hide: Hide = (line) => line): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is taken out
  const line = text.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
  // Before the cut, which would leave a part of what is to be hidden.
  return cut(hide(cut(line.trim(), LOOKED_THROUGH)), SHOWN)
}

/** Why a call told nothing certain, with the service's own words where it said any. */
export function saidBy({ reason, message }: { readonly reason: string; readonly message?: string }): string {
  return message === undefined ? reason : `${reason}: ${message}`
}
