/** @jsxImportSource preact */
// Preact. Types of the tag: the import of hc-checkout/types/preact.
import 'hc-checkout/define'
import 'hc-checkout/types/preact'
import { useState } from 'preact/hooks'

export function Checkout({ session }: { session: string }) {
  const [paid, setPaid] = useState(false)
  return (
    <>
      <hc-checkout companion="https://pay.shop.example" session={session} onhc-success={() => setPaid(true)} />
      {paid && <p>Thank you!</p>}
    </>
  )
}
