// The schema, as numbered forward-only steps. A step that has shipped is never edited; a change is
// a new step.
import type { Dialect } from './query.ts'
import { UnfitDatabase } from './unfit-database.ts'

export interface Migration {
  readonly version: number
  readonly name: string
  readonly statements: (dialect: Dialect) => readonly string[]
}

/**
 * Column types by dialect. PostgreSQL compares text by bytes here, as SQLite does: paging must not
 * depend on a locale.
 */
function types(dialect: Dialect) {
  return dialect === 'sqlite'
    ? { text: 'TEXT', int: 'INTEGER', bytes: 'BLOB', seq: 'INTEGER PRIMARY KEY' }
    : {
        text: 'TEXT COLLATE "C"',
        int: 'BIGINT',
        bytes: 'BYTEA',
        seq: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
      }
}

export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'deposits and what belongs to them',
    statements(dialect) {
      const { text, int, bytes, seq } = types(dialect)
      return [
        `CREATE TABLE deposits (
          id ${text} PRIMARY KEY NOT NULL,
          reference ${text} NOT NULL,
          phase ${text} NOT NULL,
          version ${int} NOT NULL,
          amount ${int} NOT NULL,
          currency ${text} NOT NULL,
          country ${text} NOT NULL,
          session_id ${text},
          order_id ${text},
          transaction_id ${text},
          live_session ${text},
          credited_session ${text},
          created_at ${int} NOT NULL,
          updated_at ${int} NOT NULL,
          settled_at ${int},
          due_at ${int},
          due_rank ${int} NOT NULL,
          asks ${int} NOT NULL,
          query_missing_since ${int},
          payer ${text},
          payer_phone ${text},
          detail ${text} NOT NULL${dialect === 'postgres' ? `,\n          change_id ${text} NOT NULL` : ''}
        )`,
        'CREATE UNIQUE INDEX deposits_reference ON deposits (reference)',
        'CREATE UNIQUE INDEX deposits_live_session ON deposits (live_session) WHERE live_session IS NOT NULL',
        `CREATE UNIQUE INDEX deposits_credited_session ON deposits (credited_session)
          WHERE credited_session IS NOT NULL`,
        'CREATE UNIQUE INDEX deposits_transaction ON deposits (transaction_id) WHERE transaction_id IS NOT NULL',
        'CREATE INDEX deposits_due ON deposits (due_rank, due_at) WHERE due_at IS NOT NULL',
        'CREATE INDEX deposits_payer ON deposits (created_at) WHERE payer IS NOT NULL',
        'CREATE INDEX deposits_created ON deposits (created_at, id)',
        'CREATE INDEX deposits_phase ON deposits (phase, created_at, id)',
        'CREATE INDEX deposits_currency ON deposits (currency, created_at, id)',
        'CREATE INDEX deposits_country ON deposits (country, created_at, id)',
        'CREATE INDEX deposits_order ON deposits (order_id, created_at, id) WHERE order_id IS NOT NULL',
        'CREATE INDEX deposits_session ON deposits (session_id, created_at, id) WHERE session_id IS NOT NULL',
        // Other instances look here for changes they may have missed; a single process never needs
        // to.
        ...(dialect === 'postgres' ? ['CREATE INDEX deposits_updated ON deposits (updated_at)'] : []),
        `CREATE TABLE timeline (
          seq ${seq},
          deposit_id ${text} NOT NULL REFERENCES deposits (id),
          at ${int} NOT NULL,
          kind ${text} NOT NULL,
          phase ${text} NOT NULL,
          version ${int} NOT NULL,
          detail ${text}
        )`,
        'CREATE INDEX timeline_deposit ON timeline (deposit_id)',
        `CREATE TABLE notices (
          id ${text} PRIMARY KEY NOT NULL,
          deposit_id ${text} NOT NULL REFERENCES deposits (id),
          type ${text} NOT NULL,
          body ${text} NOT NULL,
          created_at ${int} NOT NULL,
          state ${text} NOT NULL,
          attempts ${int} NOT NULL,
          due_at ${int} NOT NULL,
          delivered_at ${int},
          last_error ${text}
        )`,
        'CREATE INDEX notices_deposit ON notices (deposit_id)',
        `CREATE INDEX notices_due ON notices (due_at) WHERE state = 'waiting'`,
        `CREATE INDEX notices_dead ON notices (created_at) WHERE state = 'dead'`,
        `CREATE TABLE idempotency (
          key_hash ${text} PRIMARY KEY NOT NULL,
          fingerprint ${text} NOT NULL,
          deposit_id ${text} NOT NULL,
          created_at ${int} NOT NULL,
          answer ${text}
        )`,
        'CREATE INDEX idempotency_answered ON idempotency (created_at) WHERE answer IS NOT NULL',
        `CREATE TABLE sessions (
          id ${text} PRIMARY KEY NOT NULL,
          created_at ${int} NOT NULL,
          expires_at ${int} NOT NULL,
          payer ${text},
          payer_phone ${text},
          detail ${text} NOT NULL
        )`,
        'CREATE INDEX sessions_payer ON sessions (expires_at) WHERE payer IS NOT NULL',
        `CREATE TABLE inbox (
          id ${text} PRIMARY KEY NOT NULL,
          received_at ${int} NOT NULL,
          reference ${text} NOT NULL,
          deposit_id ${text},
          body ${bytes} NOT NULL,
          verdict ${text} NOT NULL,
          due_at ${int}
        )`,
        'CREATE INDEX inbox_received ON inbox (received_at)',
        'CREATE INDEX inbox_reference ON inbox (reference)',
        'CREATE INDEX inbox_due ON inbox (due_at) WHERE due_at IS NOT NULL',
        `CREATE TABLE counters (
          name ${text} NOT NULL,
          window_start ${int} NOT NULL,
          used ${int} NOT NULL,
          granted ${int} NOT NULL,
          PRIMARY KEY (name, window_start)
        )`,
        `CREATE TABLE meta (
          key ${text} PRIMARY KEY NOT NULL,
          value ${text} NOT NULL
        )`,
      ]
    },
  },
  {
    version: 2,
    name: 'fewer index pages for each callback',
    statements(dialect) {
      const { text } = types(dialect)
      return [
        `ALTER TABLE deposits ADD COLUMN stage ${text} NOT NULL DEFAULT 'open'`,
        `UPDATE deposits SET stage = phase WHERE phase NOT IN ('open', 'confirming')`,
        'DROP INDEX deposits_phase',
        'CREATE INDEX deposits_stage ON deposits (stage, created_at, id)',
        // The id of a callback begins with its reference.
        'DROP INDEX inbox_reference',
      ]
    },
  },
  {
    version: 3,
    name: 'the timeline stands in the row of its payment',
    statements(dialect) {
      const { text } = types(dialect)
      // Older lines stay in their table and are read from there.
      return [`ALTER TABLE deposits ADD COLUMN timeline ${text} NOT NULL DEFAULT ''`]
    },
  },
  {
    version: 4,
    name: 'one live session and one credited payment for each order',
    statements(dialect) {
      const { text, int } = types(dialect)
      const orderId = dialect === 'sqlite' ? `json_extract(detail, '$.orderId')` : `detail::json ->> 'orderId'`
      return [
        `ALTER TABLE deposits ADD COLUMN credited_order ${text}`,
        // An order that was paid twice keeps its history: the first success stands for it.
        `UPDATE deposits SET credited_order = substr(reference, 1, 3) || ' ' || order_id
         WHERE credited_session IS NOT NULL AND order_id IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM deposits AS other
           WHERE other.order_id = deposits.order_id AND other.credited_session IS NOT NULL
             AND substr(other.reference, 1, 3) = substr(deposits.reference, 1, 3)
             AND (other.settled_at < deposits.settled_at
               OR (other.settled_at = deposits.settled_at AND other.id < deposits.id)))`,
        'CREATE UNIQUE INDEX deposits_credited_order ON deposits (credited_order) WHERE credited_order IS NOT NULL',
        `ALTER TABLE sessions ADD COLUMN live_order ${text}`,
        `ALTER TABLE sessions ADD COLUMN starts ${int} NOT NULL DEFAULT 0`,
        `ALTER TABLE sessions ADD COLUMN closed_at ${int}`,
        `UPDATE sessions SET starts = (SELECT count(*) FROM deposits WHERE session_id = sessions.id)`,
        // Of several sessions of one order the one that paid it first stands for it, else one that
        // may still be paid, else the newest. The others stay open: a customer may have their link.
        `UPDATE sessions SET live_order = ${orderId} WHERE id IN (
           SELECT id FROM (
             SELECT id, row_number() OVER (
               PARTITION BY order_id ORDER BY standing, created_at DESC, id DESC
             ) AS place FROM (
               SELECT id, created_at, ${orderId} AS order_id, CASE
                 WHEN EXISTS (SELECT 1 FROM deposits WHERE session_id = sessions.id
                   AND credited_order IS NOT NULL) THEN 0
                 WHEN EXISTS (SELECT 1 FROM deposits WHERE session_id = sessions.id
                   AND stage NOT IN ('failed', 'expired', 'rejected')) THEN 1
                 ELSE 2 END AS standing
               FROM sessions
             ) AS known
           ) AS placed WHERE place = 1)`,
        'CREATE UNIQUE INDEX sessions_live_order ON sessions (live_order) WHERE live_order IS NOT NULL',
      ]
    },
  },
  {
    version: 5,
    name: 'what the people of the shop look for and write down',
    statements(dialect) {
      const { text, int } = types(dialect)
      const isTrue = (name: string) =>
        dialect === 'sqlite' ? `json_extract(detail, '$.${name}') = 1` : `detail::json ->> '${name}' = 'true'`
      return [
        `ALTER TABLE deposits ADD COLUMN owed ${text}`,
        `UPDATE deposits SET owed = 'wrong_amount' WHERE ${isTrue('disputedSum')}`,
        `UPDATE deposits SET owed = 'duplicate' WHERE stage = 'succeeded' AND ${isTrue('duplicate')}`,
        'CREATE INDEX deposits_owed ON deposits (created_at, id) WHERE owed IS NOT NULL',
        // One table and one order of rows for all that is searched by: the rows of a page stand
        // together.
        `CREATE TABLE found_by (
          term ${text} NOT NULL,
          created_at ${int} NOT NULL,
          deposit_id ${text} NOT NULL,
          words ${text} NOT NULL,
          PRIMARY KEY (term, created_at, deposit_id)
        )${dialect === 'sqlite' ? ' WITHOUT ROWID' : ''}`,
        'CREATE INDEX found_by_deposit ON found_by (deposit_id)',
        ...forgetting(dialect),
        `CREATE TABLE sign_ins (
          id ${text} PRIMARY KEY NOT NULL,
          name ${text} NOT NULL,
          mark ${text} NOT NULL,
          created_at ${int} NOT NULL,
          seen_at ${int} NOT NULL,
          ends_at ${int} NOT NULL
        )`,
        `CREATE TABLE acts (
          id ${text} PRIMARY KEY NOT NULL,
          at ${int} NOT NULL,
          name ${text} NOT NULL,
          role ${text} NOT NULL,
          act ${text} NOT NULL,
          deposit_id ${text},
          why ${text},
          detail ${text},
          result ${text} NOT NULL
        )`,
        'CREATE INDEX acts_at ON acts (at, id)',
        'CREATE INDEX acts_deposit ON acts (deposit_id) WHERE deposit_id IS NOT NULL',
        `CREATE TABLE paid_back (
          deposit_id ${text} PRIMARY KEY NOT NULL,
          on_day ${text} NOT NULL,
          amount ${int} NOT NULL,
          how ${text} NOT NULL,
          name ${text} NOT NULL,
          at ${int} NOT NULL
        )`,
        `CREATE TABLE links (
          session_id ${text} PRIMARY KEY NOT NULL,
          created_at ${int} NOT NULL,
          name ${text} NOT NULL,
          language ${text} NOT NULL
        )`,
        'CREATE INDEX links_created ON links (created_at, session_id)',
      ]
    },
  },
  {
    version: 6,
    name: 'who closed a payment link',
    statements(dialect) {
      const { text, int } = types(dialect)
      return [
        `ALTER TABLE links ADD COLUMN closed_at ${int}`,
        `ALTER TABLE links ADD COLUMN closed_by ${text}`,
        `ALTER TABLE links ADD COLUMN closed_why ${text}`,
      ]
    },
  },
  {
    version: 7,
    name: 'a notice says to which trace it belongs',
    statements(dialect) {
      const { text } = types(dialect)
      return [`ALTER TABLE notices ADD COLUMN traceparent ${text}`]
    },
  },
  {
    version: 8,
    name: 'orders and numbers of others are found in small and in capital letters',
    statements(dialect) {
      const number =
        dialect === 'sqlite'
          ? `json_extract(detail, '$.reportedThirdPartyId')`
          : `detail::json ->> 'reportedThirdPartyId'`
      const index = (column: string) =>
        `CREATE INDEX deposits_${column}_found ON deposits (lower(${column}), created_at, id)
          WHERE ${column} IS NOT NULL`
      return [
        index('order_id'),
        index('transaction_id'),
        // Of earlier payments; later ones have it written when it is reported.
        `INSERT INTO found_by (term, created_at, deposit_id, words)
         SELECT 'f' || lower(${number}), created_at, id, '' FROM deposits WHERE ${number} <> ''`,
      ]
    },
  },
  {
    version: 9,
    name: 'attempts at a notice before it was sent again',
    statements(dialect) {
      const { int } = types(dialect)
      return [`ALTER TABLE notices ADD COLUMN earlier_attempts ${int}`]
    },
  },
]

/**
 * The terms of a payer (queries/search-terms.ts) go with the payer's details, whoever erases those.
 */
function forgetting(dialect: Dialect): readonly string[] {
  const erase = `DELETE FROM found_by WHERE deposit_id = OLD.id AND term >= 'n'`
  if (dialect === 'sqlite')
    return [
      `CREATE TRIGGER payer_forgotten AFTER UPDATE OF payer ON deposits
       WHEN OLD.payer IS NOT NULL AND NEW.payer IS NULL BEGIN ${erase}; END`,
    ]
  return [
    `CREATE FUNCTION payer_forgotten() RETURNS trigger LANGUAGE plpgsql AS
     'BEGIN ${erase.replaceAll("'", "''")}; RETURN NULL; END'`,
    `CREATE TRIGGER payer_forgotten AFTER UPDATE OF payer ON deposits FOR EACH ROW
     WHEN (OLD.payer IS NOT NULL AND NEW.payer IS NULL) EXECUTE FUNCTION payer_forgotten()`,
  ]
}

export const newestMigration = migrations.at(-1)?.version ?? 0

/** For callers that must not migrate without being asked. */
export function olderSchema(database: string, present: number): UnfitDatabase {
  return new UnfitDatabase(
    present === 0 ? 'empty' : 'older',
    `${database} has schema ${present}, this release needs ${newestMigration}. Run "hc-checkout-server migrate" first.`,
  )
}
