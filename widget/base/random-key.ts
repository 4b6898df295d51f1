// The idempotency key of a request for a payment.

/**
 * The time, by which the companion's index of keys stays in order, and 256 random bits, as decimal
 * numbers: fewer bytes of code than hexadecimal digits.
 */
export function randomKey(): string {
  return [Date.now(), ...crypto.getRandomValues(new Uint32Array(8))].join('-')
}
