// Random identifiers, made from the injected random source.
export type Random = (bytes: number) => Uint8Array

const CAPITALS = '0123456789ABCDEFGHIJKLMNOPQRSTUV'

/** `length` capital letters and digits of base 32, as in the service's transaction ids. */
export function capitals(random: Random, length: number): string {
  return Array.from(random(length), (byte) => CAPITALS[byte & 31]).join('')
}

/** An unguessable, URL-safe text of `bytes` random bytes. */
export function secretText(random: Random, bytes = 24): string {
  return Buffer.from(random(bytes)).toString('base64url')
}

/** `length` decimal digits, the first not zero. */
export function digits(random: Random, length: number): string {
  return Array.from(random(length), (byte, index) => (index === 0 ? 1 + (byte % 9) : byte % 10)).join('')
}
