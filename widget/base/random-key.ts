// The idempotency key of a request for a payment.

/**
 * The time, which keeps the companion's index of keys in order, and 256 random bits, all as decimal
 * numbers.
 */
export function randomKey(): string {
  return [Date.now(), ...crypto.getRandomValues(new Uint32Array(8))].join('-')
}
