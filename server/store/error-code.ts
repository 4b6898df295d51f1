// The code of an error of the system or of a database driver.

/** Such as `ENOENT`, `SQLITE_BUSY` or, of PostgreSQL, `23505`; empty when the error has none. */
export function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
