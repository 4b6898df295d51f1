// A shop with Express and a page of plain HTML: orders, sessions for them, and the notices that
// say that one is paid.
import { DatabaseSync } from 'node:sqlite'
import express from 'express'
import { createClient, createNoticeReceiver, expressNotices, sqliteNoticeStore } from 'hc-checkout-client'

const { COMPANION: companion, HC_MERCHANT_KEY: key, HC_NOTIFY_SECRET: secret } = process.env
const { DATABASE = 'shop.db', PORT = 3000 } = process.env
const db = new DatabaseSync(DATABASE)
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

// Nothing in an address or a token has a meaning in HTML.
const page = ({ token, payUrl }) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>Lamps</title>
  <script type="module" src="${companion}/widget/v1/hc-checkout.js"></script>
  <script nomodule src="${companion}/widget/v1/hc-checkout-legacy.js"></script>
  <hc-checkout companion="${companion}" session="${token}">
    <a href="${payUrl}">Pay with mobile money</a>
  </hc-checkout>
  <p id="thanks" hidden>Thank you for the lamp!</p>
  <script>
    document.querySelector('hc-checkout').addEventListener('hc-success', function () {
      document.getElementById('thanks').hidden = false
    })
  </script>
</html>`

const app = express()
app.post('/notices', expressNotices(receiver)) // before express.json()
app.get('/', async (request, response) => {
  const { id, amount, currency } = orderOf('A-1')
  // The same session at each reload.
  const session = await hc.sessions.create({ amount, currency, orderId: id, description: 'Lamp' })
  // The token is for one customer: no cache may give it to another.
  response.set('cache-control', 'no-store').send(page(session))
})
app.listen(PORT, '127.0.0.1', () => console.log(`The shop: http://127.0.0.1:${PORT}`))
