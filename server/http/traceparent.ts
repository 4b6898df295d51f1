// The trace that a request belongs to, by W3C Trace Context: https://www.w3.org/TR/trace-context/

/** Version, then trace, caller and flags; a later version may have more behind them. */
const FORM = /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(-.*)?$/

/**
 * The header as it is passed on; undefined if it is malformed. Of a later version we pass on what
 * we know of it, as the standard says.
 */
export function readTraceparent(header = ''): string | undefined {
  const [, version, known, more] = FORM.exec(header) ?? []
  if (known === undefined || (version === '00' && more !== undefined)) return undefined
  return `00-${known}`
}
