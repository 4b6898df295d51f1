'use client'
import { HcCheckout } from 'hc-checkout/react'
import { useState } from 'react'

export function Checkout({ companion, session }: { companion: string; session: string }) {
  const [isPaid, setPaid] = useState(false)
  return (
    <>
      <HcCheckout companion={companion} session={session} onSuccess={() => setPaid(true)} />
      {isPaid && <p>Thank you for the lamp!</p>}
    </>
  )
}
