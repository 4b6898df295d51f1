import { HcCheckout } from 'hc-checkout/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'

const order = await (await fetch('/api/orders/A-1')).json()

function Checkout() {
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <HcCheckout companion={order.companion} session={order.token} onSuccess={() => setPaid(true)} />
      {isPaid && <p>Thank you for the lamp!</p>}
    </>
  )
}

createRoot(document.getElementById('root')!).render(<Checkout />)
