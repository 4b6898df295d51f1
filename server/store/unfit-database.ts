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
