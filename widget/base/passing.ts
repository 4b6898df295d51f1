// The answers of the companion that may change by themselves.

/**
 * It is unknown whether the companion acted: lost answers, its own faults, and a key that is in
 * use.
 */
export const unclear = [
  'network',
  'blocked',
  'internal_error',
  'store_unavailable',
  'idempotency_key_in_progress',
  'idempotency_key_reused',
]

/** Passes by itself, or once the shop has mended its proxy, its companion or its database. */
export const passing = ['rate_limited', 'bearer_missing', 'bearer_malformed', 'not_found']

/** What was asked may be answered in a moment. */
export const isPassing = ({ code }: { readonly code: string }): boolean =>
  unclear.includes(code) || passing.includes(code)
