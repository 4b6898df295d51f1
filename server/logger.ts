// The logger port; pino fits it as it is.
export interface Logger {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** Says nothing; for tests and as default of embedded parts. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
