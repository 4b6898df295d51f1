// React 19 passes unknown props of custom elements as properties, and `onhc-success` as an event listener.
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import { type DetailedHTMLProps, type HTMLAttributes, useState } from 'react'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'hc-checkout': DetailedHTMLProps<HTMLAttributes<HcCheckout>, HcCheckout> & {
        companion: string
        session?: string
        'onhc-success'?: (event: Event) => void
      }
    }
  }
}

export function Checkout({ session }: { session: string }) {
  const [paid, setPaid] = useState(false)
  return (
    <>
      <hc-checkout companion="https://pay.shop.example" session={session} onhc-success={() => setPaid(true)} />
      {paid && <p>Thank you!</p>}
    </>
  )
}
