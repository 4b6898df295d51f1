// Why a database that can be reached is not used: a fault of set-up, to be told in words that a person can act on.

/** A database that this release cannot use as it stands. Its message says what to do, and no secret. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
  /**
   * `empty`, `older` or `newer` than this release, a `foreign` program's, `pooled`: behind a pooler that gives each transaction another
   * connection, `untrusted`: its certificate does not prove whose it is, `damaged`, `inaccessible`: the system does not let us use it, which may
   * pass by itself, or `moved`: its payments live in PostgreSQL now.
   */
  readonly kind: 'empty' | 'older' | 'newer' | 'foreign' | 'pooled' | 'untrusted' | 'damaged' | 'inaccessible' | 'moved'

  constructor(kind: UnfitDatabase['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}
