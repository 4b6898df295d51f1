// Why a reachable database is not used: a set-up fault, described in words that a person can act
// on.

/**
 * A database that this release cannot use as it stands. The message says what to do, and contains
 * no secret.
 */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase'
  /**
   * `empty`; `older` or `newer` than this release; `foreign`: another program's; `pooled`: behind a
   * pooler that gives each transaction another connection; `untrusted`: its certificate does not
   * prove its identity; `encoding`: it cannot store all characters; `damaged`; `misnamed`: its path
   * cannot be that of a file; `inaccessible`: access is denied, which may pass by itself; `moved`:
   * its payments are in PostgreSQL now; `alone`: its file is mounted without the folder.
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
    | 'misnamed'
    | 'inaccessible'
    | 'moved'
    | 'alone'

  constructor(kind: UnfitDatabase['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/**
 * Names the setting: the driver says what failed and not of what, and nothing at all if each
 * address of a host name refuses (Node's error has a code only).
 */
export function unusable(error: unknown): Error {
  const { message, code } = error as NodeJS.ErrnoException
  const reason = message === '' ? code : message
  const advice = adviceFor(code ?? '', message)
  return new Error(
    `The database of HC_DATABASE_URL cannot be used: ${reason}${advice === undefined ? '' : `. ${advice}`}`,
    { cause: error },
  )
}

/**
 * What to do about a fault of PostgreSQL's address, of which the driver and the server say only
 * what it is.
 */
function adviceFor(code: string, message: string): string | undefined {
  if (code.startsWith('28') || message.includes('password must be a'))
    return 'Look at user and password there: / # ? @ % in them are written %2F %23 %3F %40 %25.'
  if (code === '3D000')
    return 'The name of the database is what follows the last / of the address; CREATE DATABASE makes one.'
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code))
    return 'Look at host and port there: is PostgreSQL started, and may this machine connect to it?'
  // The driver's, of a pool and of a connection of its own.
  if (/connection timeout|^timeout expired$/.test(message))
    return (
      'Look at host and port there: nothing answers. Is PostgreSQL started, and does every firewall in ' +
      'between let this machine through?'
    )
  if (message.includes('does not support SSL'))
    return (
      'To another machine the companion speaks TLS only, and everywhere when sslmode asks for it: have ' +
      'the server offer TLS. Where nobody can listen in between, as in one network of Docker, write ' +
      '?sslmode=disable; on one machine leave sslmode out.'
    )
  if (message === 'Connection terminated unexpectedly' || message.includes('unexpected message'))
    return 'Look at host and port there: what answers may be no PostgreSQL.'
  return undefined
}
