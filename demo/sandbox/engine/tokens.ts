// Bearer tokens: issued by login, valid for 3600 seconds, revocable. Only their digest is stored.
import { createHash } from 'node:crypto'
import type { SandboxDatabase } from './database.ts'
import { ServiceError } from './envelope.ts'
import { capitals, secretText, type Random } from './identifiers.ts'

/** service.md "Token object". */
export const TOKEN_LIFE_IN_SECONDS = 3600

export interface TokenRow {
  readonly id: string
  readonly digest: string
  readonly business_id: string
  readonly issued_at: number
  readonly expires_at: number
  readonly revoked_at: number | null
}

export interface Tokens {
  issue(businessId: string): string
  /** The token's row if it is live: known, not expired, not revoked. */
  find(token: string): TokenRow | undefined
  /** Newest first: those of one merchant, or of all. */
  list(limit: number, businessId?: string): TokenRow[]
  /** Revokes one token by its id. @throws {ServiceError} 404 */
  revoke(id: string): void
  /** Revokes all live tokens, or those of one merchant, and returns how many. */
  revokeAll(businessId?: string): number
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export function createTokens(db: SandboxDatabase, now: () => number, random: Random): Tokens {
  const insert = db.prepare(
    'INSERT INTO tokens (id, digest, business_id, issued_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  )
  const byDigest = db.prepare<[string], TokenRow>('SELECT * FROM tokens WHERE digest = ?')
  const newest = db.prepare<[string, string, number], TokenRow>(
    `SELECT * FROM tokens WHERE ? = '' OR business_id = ? ORDER BY issued_at DESC, id LIMIT ?`,
  )
  const forget = db.prepare('DELETE FROM tokens WHERE expires_at < ?')
  return {
    issue(businessId) {
      const token = secretText(random, 32)
      const at = now()
      // Expired tokens are kept for a day, then deleted.
      forget.run(at - 86_400_000)
      insert.run(`TK${capitals(random, 10)}`, digestOf(token), businessId, at, at + TOKEN_LIFE_IN_SECONDS * 1000)
      return token
    },
    find(token) {
      const row = byDigest.get(digestOf(token))
      return row && row.revoked_at === null && row.expires_at > now() ? row : undefined
    },
    list: (limit, businessId = '') => newest.all(businessId, businessId, limit),
    revoke(id) {
      const done = db.prepare('UPDATE tokens SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?').run(now(), id)
      if (done.changes === 0) throw new ServiceError(404, 'Token not found.')
    },
    revokeAll(businessId = '') {
      return db
        .prepare(
          `UPDATE tokens SET revoked_at = ? WHERE revoked_at IS NULL AND expires_at > ? AND (? = '' OR business_id = ?)`,
        )
        .run(now(), now(), businessId, businessId).changes
    },
  }
}
