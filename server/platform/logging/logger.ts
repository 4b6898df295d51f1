// The logger port; pino implements it as it is.
export interface Logger {
  debug(fields: object, message?: string): void
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}

/** Logs nothing; for tests and as the default of embedded parts. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} }
