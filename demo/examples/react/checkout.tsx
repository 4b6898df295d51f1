// React 18 and 19. In Next.js add 'use client' at the top. Uses an effect to listen, because React does not attach `onhc-success` to
// server-rendered elements (react/react#35446).
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import { useEffect, useRef, useState } from 'react'

// Within it stand React's own names, such as HTMLAttributes: Vite's tsconfig calls an import of them unused.
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'hc-checkout': DetailedHTMLProps<HTMLAttributes<HcCheckout>, HcCheckout> & { companion: string; session?: string }
    }
  }
}

export function Checkout({ session }: { session: string }) {
  const checkout = useRef<HcCheckout>(null)
  const [paid, setPaid] = useState(false)
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
