// The code of an error of the system or of a driver.

/** Such as `ENOENT`, `SQLITE_BUSY` or, of PostgreSQL, `23505`; empty when the error has none. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
