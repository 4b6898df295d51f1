/** @jsxImportSource solid-js */
// Solid. Types of the tag: the import of hc-checkout/types/solid.
import 'hc-checkout/define'
import 'hc-checkout/types/solid'
import { createSignal, Show } from 'solid-js'

export function Checkout(props: { session: string }) {
  const [paid, setPaid] = createSignal(false)
  return (
    <>
      <hc-checkout companion="https://pay.shop.example" session={props.session} on:hc-success={() => setPaid(true)} />
      <Show when={paid()}>
        <p>Thank you!</p>
      </Show>
    </>
  )
}
