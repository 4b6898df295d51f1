// Why a reachable database is not used: a set-up fault, described in words that a person can act on.

/** A database that this release cannot use as it stands. The message says what to do, and contains no secret. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
  /**
   * `empty`; `older` or `newer` than this release; `foreign`: another program's; `pooled`: behind a pooler that gives each transaction another
   * connection; `untrusted`: its certificate does not prove its identity; `encoding`: it cannot store all characters; `damaged`; `inaccessible`:
   * access is denied, which may pass by itself; `moved`: its payments are in PostgreSQL now.
   */
  readonly kind:
    | 'empty'
    | 'older'
    | 'newer'
    | 'foreign'
    | 'pooled'
    | 'untrusted'
    | 'encoding'
    | 'damaged'
    | 'inaccessible'
    | 'moved'

  constructor(kind: UnfitDatabase['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** Names the setting: the driver says what failed and not of what, and nothing at all if each address of a host name refuses (Node's error has a code only). */
export function unusable(error: unknown): Error {
  const { message, code } = error as NodeJS.ErrnoException
  const reason = message === '' ? code : message
  return new Error(`The database of HC_DATABASE_URL cannot be used: ${reason}`, { cause: error })
}
