// The sandbox's state in one SQLite file (or in memory): schema, durability settings and small
// named settings.
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { makeFolder } from './make-folder.ts'

export type SandboxDatabase = Database.Database

const SCHEMA = `
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS merchants (
  business_id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL,
  consumer_key TEXT NOT NULL UNIQUE, consumer_secret TEXT NOT NULL, public_key TEXT,
  enabled INTEGER NOT NULL DEFAULT 1, created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS retired_keys (
  consumer_key TEXT PRIMARY KEY, business_id TEXT NOT NULL, retired_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS wallets (
  wallet_no TEXT PRIMARY KEY, business_id TEXT NOT NULL REFERENCES merchants, currency TEXT NOT NULL,
  allocated INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (
  id TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, business_id TEXT NOT NULL,
  issued_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, revoked_at INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS transactions (
  transaction_id TEXT PRIMARY KEY, business_id TEXT NOT NULL, wallet_no TEXT NOT NULL, reference TEXT NOT NULL,
  acc_name TEXT NOT NULL, acc_no TEXT NOT NULL, email TEXT NOT NULL, amount TEXT NOT NULL, currency TEXT NOT NULL,
  description TEXT NOT NULL, result_url TEXT NOT NULL,
  session TEXT NOT NULL UNIQUE, third_party_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL, status_description TEXT NOT NULL, result_code INTEGER, fees TEXT NOT NULL,
  scenario TEXT NOT NULL, step TEXT NOT NULL, country TEXT, operator TEXT, agent TEXT,
  opened_by TEXT, locked_by TEXT, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
  locked_at INTEGER, paid_at INTEGER, ended_at INTEGER, query_sees_from INTEGER, version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (business_id, reference)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS transactions_created ON transactions (created_at);
CREATE TABLE IF NOT EXISTS used_references (
  business_id TEXT NOT NULL, reference TEXT NOT NULL, PRIMARY KEY (business_id, reference)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS timeline (
  id INTEGER PRIMARY KEY, transaction_id TEXT NOT NULL, at INTEGER NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS timeline_transaction ON timeline (transaction_id, id);
CREATE TABLE IF NOT EXISTS deliveries (
  id INTEGER PRIMARY KEY, transaction_id TEXT NOT NULL, business_id TEXT NOT NULL, kind TEXT NOT NULL,
  url TEXT NOT NULL, body TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL, next_at INTEGER
);
CREATE INDEX IF NOT EXISTS deliveries_transaction ON deliveries (transaction_id, id);
CREATE TABLE IF NOT EXISTS attempts (
  id INTEGER PRIMARY KEY, delivery_id INTEGER NOT NULL, number INTEGER NOT NULL, at INTEGER NOT NULL, took_ms INTEGER NOT NULL,
  request_headers TEXT NOT NULL, status INTEGER, answer TEXT NOT NULL, error TEXT
);
CREATE INDEX IF NOT EXISTS attempts_delivery ON attempts (delivery_id, id);
CREATE TABLE IF NOT EXISTS work (
  id INTEGER PRIMARY KEY, due_at INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, detail TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS work_due ON work (due_at, id);
CREATE TABLE IF NOT EXISTS seen (name TEXT PRIMARY KEY) WITHOUT ROWID;
`

/**
 * Opens the sandbox's database and creates its tables.
 * @param address `:memory:`, or a path, optionally with `file:` before it; its folder is created.
 * @throws if Node is too old.
 */
export function openDatabase(address: string): SandboxDatabase {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  // The driver ends an older one with a segmentation fault and no message.
  if (major < 22 || (major === 22 && minor < 14))
    throw new Error(`hc-checkout-sandbox needs Node 22.14 or newer, and this is Node ${process.versions.node}.`)
  const path = address.startsWith('file:') ? address.slice('file:'.length) : address
  if (path !== ':memory:') {
    makeFolder(dirname(path))
    // It holds the merchants' secrets: readable by this user only.
    closeSync(openSync(path, 'a', 0o600))
  }
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  // Every acknowledgement follows a commit that survives a power cut.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('busy_timeout = 5000')
  db.exec(SCHEMA)
  return db
}

export interface Settings {
  /** The stored value, or `fallback` when nothing was stored. */
  get<T>(name: string, fallback: T): T
  set(name: string, value: unknown): void
}

export function createSettings(db: SandboxDatabase): Settings {
  const read = db.prepare<[string], { value: string }>('SELECT value FROM settings WHERE name = ?')
  const write = db.prepare(
    'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  )
  return {
    get<T>(name: string, fallback: T): T {
      const row = read.get(name)
      return row ? (JSON.parse(row.value) as T) : fallback
    },
    set(name, value) {
      write.run(name, JSON.stringify(value))
    },
  }
}
