// "Copy this": the code of the integration in tabs.
import { html, render } from 'lit'
import { samples } from './code-samples.ts'
import { demo, goods, market, shopNow, shownOrder } from './demo.ts'

const names = Object.keys(samples)
let chosen = names[0] ?? ''

const byId = (id: string): HTMLElement => document.getElementById(id)!
const copy = byId('copy') as HTMLButtonElement
copy.disabled = false
copy.addEventListener('click', () => {
  void write(byId('code')).then((isDone) => {
    copy.textContent = isDone ? 'Copied' : 'Select and copy'
    setTimeout(() => (copy.textContent = 'Copy this'), 2000)
  })
})
byId('code-tabs').addEventListener('keydown', ({ key }) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
  if (step === undefined) return
  chosen = names[(names.indexOf(chosen) + step + names.length) % names.length] ?? ''
  drawCode()
  byId('code-tabs').querySelectorAll('button')[names.indexOf(chosen)]?.focus()
})

export function drawCode(): void {
  const { country, currency } = market()
  const [product] = goods()
  byId('code').textContent =
    samples[chosen]?.({
      companion: demo.offer?.companionUrl ?? '',
      country,
      currency,
      amount: product?.prices[currency] ?? 0,
      description: product?.name ?? '',
      order: shopNow().orders,
      session: shownOrder()?.sessionToken ?? 'SESSION_TOKEN',
    }) ?? ''
  render(names.map(tab), byId('code-tabs'))
}

const tab = (name: string) =>
  html`<button
    type="button"
    role="tab"
    aria-controls="code"
    aria-selected=${String(name === chosen)}
    tabindex=${name === chosen ? 0 : -1}
    @click=${() => {
      chosen = name
      drawCode()
    }}
  >
    ${name}
  </button>`

/**
 * The clipboard is there on secure pages only; elsewhere the text is selected for the person to
 * copy.
 */
async function write(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return false
  }
}
