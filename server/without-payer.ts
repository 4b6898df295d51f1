// Takes a payer's details out of the service's words, which customers, shops and alerts read. The service may write them in its own way.

interface Payer {
  readonly name?: string | undefined
  /** Digits, with the calling code. */
  readonly phone?: string | undefined
  readonly email?: string | undefined
}

/** Digits of a number without calling code or leading zero, in any of our countries. */
const OWN_DIGITS = 9
const BETWEEN = String.raw`[\s().-]*`

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
const spaced = (digits: string): string => digits.split('').join(BETWEEN)

/** The name and address as whole words in any case; the number with or without its calling code, and with anything between its digits. */
export function withoutPayer(text: string, { name = '', phone = '', email = '' }: Payer = {}): string {
  const words = [
    name
      .trim()
      .split(/\s+/)
      .map(escaped)
      .join(String.raw`\s+`),
    escaped(email),
  ].filter(Boolean)
  const callingCode = phone.slice(0, -OWN_DIGITS)
  const start = callingCode === '' ? '' : String.raw`(?:\+?${spaced(callingCode)}${BETWEEN}|0)?`
  const number = start + spaced(phone.slice(-OWN_DIGITS))
  const patterns = [
    ...words.map((word) => new RegExp(String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])`, 'giu')),
    ...(/^\d+$/.test(phone) ? [new RegExp(String.raw`(?<!\d)${number}(?!\d)`, 'g')] : []),
  ]
  return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, '[hidden]'), text)
}
