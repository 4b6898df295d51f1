// Shows one element in a page with a fake companion, and reads and operates it as a customer.
// Everything is reset after each test.
import { fixture, html, waitUntil } from '@open-wc/testing'
import 'hc-checkout/define'
import type { HcCheckout } from 'hc-checkout'
import { companion, slow } from './companion.ts'
import type { Asked, Doors } from './companion.ts'

let network: ReturnType<typeof companion> | undefined
let shown: HcCheckout | undefined
const realOpen = window.open

/** No tab is opened: a test that wants one sets `window.open` afterwards. */
export async function show(doors: Doors = {}, attributes: Record<string, string> = {}): Promise<HcCheckout> {
  network = companion(doors)
  window.open = () => null
  const element = document.createElement('hc-checkout')
  for (const [name, value] of Object.entries({
    companion: 'https://pay.example',
    locale: 'en',
    presentation: 'tab',
    ...attributes,
  }))
    element.setAttribute(name, value)
  shown = element
  return fixture<HcCheckout>(html`${element}`)
}

afterEach(() => {
  // A create that was never answered is repeated also off the page, and stored each time: the next
  // test would find it.
  const { _checkout: checkout } = shown ?? {}
  checkout?.reset(true)
  shown = undefined
  network?.close()
  window.open = realOpen
})

/** What the companion was asked at this door. */
export const asked = (door: string): readonly Asked[] => network!.asked.filter((one) => one.door === door)

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as querySelector has
export const within = <T extends HTMLElement = HTMLElement>(element: HcCheckout, selector: string): T =>
  element.shadowRoot!.querySelector<T>(selector)!

export const text = (element: HcCheckout): string => within(element, '.card').textContent.replace(/\s+/g, ' ')

/** What a screen reader was told last. */
export const said = (element: HcCheckout): string => within(element, '[role=status]').textContent

/** Enters the bank field, opening its row, and leaves it, so that its list is loaded. */
export async function useBanks(element: HcCheckout): Promise<void> {
  const { _offer: offer } = element
  await waitUntil(() => within(element, '[role=combobox]'), '', slow)
  const field = within(element, '#bank')
  field.closest('details')?.setAttribute('open', '')
  field.focus()
  await waitUntil(() => Array.isArray(offer.banks), 'the list of banks has come', slow)
  field.blur()
  await element.updateComplete
}

export function type(element: HcCheckout, id: string, value: string): void {
  const input = within<HTMLInputElement>(element, `#${id}`)
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
