// Retry-After (RFC 9110, 10.2.3) of the payment service and of receivers of notices.

/** Milliseconds of the header, seconds or an HTTP date, at least 0; undefined if it is neither. */
export function readRetryAfter(header: string | null | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000
  // A date without GMT would be read in the time zone of this machine.
  const date = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
