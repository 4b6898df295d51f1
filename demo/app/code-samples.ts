// The code of the integration, with the addresses and goods of the shop that is shown.
export interface SampleValues {
  readonly companion: string
  readonly country: string
  readonly currency: string
  readonly amount: number
  readonly description: string
  readonly order: string
  /** Of the order that is shown, if one is. */
  readonly session: string
}

export const samples: Readonly<Record<string, (values: SampleValues) => string>> = {
  'Script tag': ({
    companion,
    country,
    session,
  }) => `<script type="module" src="${companion}/widget/v1/hc-checkout.js"></script>
<script nomodule src="${companion}/widget/v1/hc-checkout-legacy.js"></script>

<!-- the customer chooses the amount -->
<hc-checkout companion="${companion}" country="${country}"></hc-checkout>

<!-- your backend locked the amount in a session -->
<hc-checkout companion="${companion}" session="${session}"></hc-checkout>`,
  npm: ({ companion, country }) => `npm install hc-checkout

// once, where your app begins
import 'hc-checkout/define'

// anywhere in your markup
<hc-checkout companion="${companion}" country="${country}"></hc-checkout>

// and listen
document.querySelector('hc-checkout').addEventListener('hc-success', (event) => {
  // show "thank you"; the goods are released by the notice to your backend
})`,
  'Your backend': ({ companion, currency, amount, description, order }) => `// lock an amount for an order
const response = await fetch('${companion}/v1/sessions', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.HC_MERCHANT_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    amount: ${amount},            // whole major units
    currency: '${currency}',
    orderId: '${order}-1001',
    description: '${description}',
  }),
})
const { token } = await response.json()   // <hc-checkout session="…">`,
  'The notice': () => `// HC_NOTIFY_URL: credit here, and only here
// npm install express standardwebhooks
import express from 'express'
import { Webhook } from 'standardwebhooks'
import { creditOnce } from './credit.js'   // yours: in one transaction, once per paymentId

const app = express()
const webhook = new Webhook(process.env.HC_NOTIFY_SECRET)

// before express.json(): the signature is over the raw body
app.post('/notices', express.raw({ type: '*/*' }), async (request, response) => {
  let notice
  try {
    notice = webhook.verify(request.body, request.headers)
  } catch {
    return response.sendStatus(401)
  }
  const { type, data } = notice
  // compares data.orderId, data.amount and data.currency with your order;
  // of an order that it does not know it credits nothing and tells a person
  if (type === 'payment.succeeded') await creditOnce(data)
  response.sendStatus(204)   // after your commit: anything but 2xx is sent again
})

app.listen(process.env.PORT)`,
  'Run the companion': ({ companion }) => `npm install hc-checkout-server   # on Node 22.14 or newer

umask 077
npx hc-checkout-server keygen >> companion.env   # keys and secrets
cat >> companion.env <<'END'
HC_AUTH_URL=https://…
HC_BASE_URL=https://…
HC_CONSUMER_KEY=…
HC_CONSUMER_SECRET=…
HC_BUSINESS_ID=…
HC_WALLETS=KES:…,XOF:…
HC_CHECKOUT_ORIGINS=https://…
HC_PUBLIC_URL=${companion.startsWith('https:') ? companion : 'https://pay.shop.example'}
HC_ALLOWED_ORIGINS=https://shop.example
HC_NOTIFY_URL=https://shop.example/notices
HC_DATABASE_URL=file:companion.db
HC_MODE=sessions
END

npx hc-checkout-server start --env-file companion.env`,
}
