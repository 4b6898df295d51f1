// The backend: orders, sessions for them, and the notices that say that one is paid.
import { DatabaseSync } from 'node:sqlite'
import express from 'express'
import { createClient, createNoticeReceiver, expressNotices, sqliteNoticeStore } from 'hc-checkout-client'

const { COMPANION: companion, HC_MERCHANT_KEY: key, HC_NOTIFY_SECRET: secret, PORT = 3000 } = process.env
const db = new DatabaseSync('shop.db')
db.exec('CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, amount INTEGER, currency TEXT, state TEXT)')
db.exec(`INSERT OR IGNORE INTO orders VALUES ('A-1', 2300, 'KES', 'open')`)
const orderOf = (id) => db.prepare('SELECT * FROM orders WHERE id = ?').get(id)
const setState = (id, state) => db.prepare('UPDATE orders SET state = ? WHERE id = ?').run(state, id)

const hc = createClient({ url: companion, key })
const receiver = createNoticeReceiver({
  secret,
  mode: 'test',
  store: sqliteNoticeStore(db),
  expects: ({ orderId = '' }) => orderOf(orderId),
  onPaid: ({ orderId }) => setState(orderId, 'paid'),
  onUncredited: ({ reference }, why) => console.error(`pay back ${reference}: ${why}`),
})

const app = express()
app.post('/notices', expressNotices(receiver)) // before express.json()
app.use(express.static('dist'))
app.get('/api/orders/:id', async (request, response) => {
  const { id, amount, currency, state } = orderOf(request.params.id)
  const { token } = await hc.sessions.create({ amount, currency, orderId: id, description: 'Lamp' })
  // The token is for one customer: no cache may give it to another.
  response.set('cache-control', 'no-store').json({ companion, token, state })
})
app.listen(PORT, '127.0.0.1')
