// React 19 with the tag itself. Names with a hyphen are not checked by TypeScript: write
// bankChoice, payerPhone and so on.
import 'hc-checkout/define'
import 'hc-checkout/types/react'
import type { HcCheckout } from 'hc-checkout'
import { useEffect, useRef, useState } from 'react'

export function Checkout({ session }: { session: string }) {
  const checkout = useRef<HcCheckout>(null)
  const [paid, setPaid] = useState(false)
  // An effect, because React does not attach `onhc-success` to what it has rendered on the server
  // (react/react#35446).
  useEffect(() => {
    const element = checkout.current
    const thank = () => setPaid(true)
    element?.addEventListener('hc-success', thank)
    return () => element?.removeEventListener('hc-success', thank)
  }, [])
  return (
    <>
      <hc-checkout ref={checkout} companion="https://pay.shop.example" session={session} />
      {paid && <p>Thank you!</p>}
    </>
  )
}
