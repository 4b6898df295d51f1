// React 18 and 19, and Next.js. The component also listens where React has rendered the page on the
// server.
import { HcCheckout } from 'hc-checkout/react'
import { useState } from 'react'

export function Checkout({ session }: { session: string }) {
  const [paid, setPaid] = useState(false)
  return (
    <>
      <HcCheckout companion="https://pay.shop.example" session={session} onSuccess={() => setPaid(true)} />
      {paid && <p>Thank you!</p>}
    </>
  )
}
