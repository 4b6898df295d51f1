// The shop's orders, and its way to the companion. Only the server imports it.
import { DatabaseSync } from 'node:sqlite'
import {
  createClient,
  createNoticeReceiver,
  sqliteNoticeStore,
  type Client,
  type NoticeReceiver,
} from 'hc-checkout-client'

interface Shop {
  readonly hc: Client
  readonly receiver: NoticeReceiver
  order(id: string): { amount: number; currency: 'KES'; state: string } | undefined
}

function openShop(): Shop {
  const db = new DatabaseSync(process.env.DATABASE ?? 'shop.db')
  db.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000')
  db.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, amount INTEGER, currency TEXT, state TEXT)')
  db.exec(`INSERT OR IGNORE INTO orders VALUES ('A-1', 2300, 'KES', 'open')`)
  const order = (id: string) => db.prepare('SELECT * FROM orders WHERE id = ?').get(id) as ReturnType<Shop['order']>
  return {
    order,
    hc: createClient({ url: process.env.COMPANION, key: process.env.HC_MERCHANT_KEY }),
    receiver: createNoticeReceiver({
      secret: process.env.HC_NOTIFY_SECRET,
      mode: 'test',
      store: sqliteNoticeStore(db),
      expects: ({ orderId = '' }) => order(orderId),
      onPaid: ({ orderId = '' }) => void db.prepare('UPDATE orders SET state = ? WHERE id = ?').run('paid', orderId),
      onUncredited: ({ reference }, why) => console.error(`pay back ${reference}: ${why}`),
    }),
  }
}

let opened: Shop | undefined
/** Opened at the first request: the build loads this file too, without its settings. */
export const shop = (): Shop => (opened ??= openShop())
