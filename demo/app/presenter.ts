// Presenter mode: large type, one sentence for each step, and the next one by a key, as a clicker
// sends it. Each step has an address.
import { html, nothing, render } from 'lit'
import { type Address, writeAddress } from './address.ts'
import { backend, demo, draw, go, goods, keepOrders, language, market } from './demo.ts'
import { pitchLanguage, pitchWord } from './words/index.ts'
import { stepWord } from './words/steps.ts'

interface Step {
  /** Its words are in words/steps.ts. */
  readonly name: string
  readonly shop: Address['shop']
  readonly lang?: 'en' | 'fr'
  /** What is talked about, shown above the bar; until it is there, the shop's window. */
  readonly look: string
  readonly phone?: true
  /** Done when the step is reached by a key: reading its address again does nothing twice. */
  readonly does?: 'buy' | 'forge' | 'restart'
  /** Left out where the shop has no such screen. */
  readonly needs?: 'staff'
}

const steps: readonly Step[] = [
  { name: 'what', shop: 'nairobi', look: 'body' },
  { name: 'nairobi', shop: 'nairobi', look: '.window' },
  { name: 'kampala', shop: 'kampala', look: '.window' },
  { name: 'dakar', shop: 'dakar', lang: 'fr', look: '.window' },
  { name: 'buy', shop: 'nairobi', look: '.window', does: 'buy' },
  { name: 'pay', shop: 'nairobi', look: '#play' },
  { name: 'forge', shop: 'nairobi', look: '#verdict', does: 'forge' },
  { name: 'restart', shop: 'nairobi', look: '#verdict', does: 'restart' },
  { name: 'phone', shop: 'nairobi', look: '#phone', phone: true },
  { name: 'owner', shop: 'nairobi', look: 'body', needs: 'staff' },
  { name: 'code', shop: 'nairobi', look: '.code' },
]

const bar = document.querySelector<HTMLElement>('#presenter')!
/** Between what is talked about and the bar, in px: a verdict may get one more large line. */
const GAP = 40
/** The step, with its order, that has begun, and that whose subject has been brought into view. */
let begun = ''
let looked = ''

addEventListener('keydown', (event) => {
  const at = stepNow()
  if (at === undefined || event.altKey || event.ctrlKey || event.metaKey || isTyping()) return
  const { key } = event
  if (key === 'ArrowRight' || key === 'PageDown') present(from(at, 1))
  else if (key === 'ArrowLeft' || key === 'PageUp') present(from(at, -1))
  else if (key === 'Escape') leave()
  else return
  event.preventDefault()
})

/** Keys belong to a field while something is typed into it, in the card too. */
function isTyping(): boolean {
  let focused = document.activeElement
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
  return focused !== null && /^(INPUT|SELECT|TEXTAREA)$/.test(focused.tagName)
}

function stepNow(): number | undefined {
  const said = demo.address.choices['present']
  const at = Number(said)
  return said !== undefined && Number.isInteger(at) && at >= 0 && at < steps.length ? at : undefined
}

/**
 * Whether a step can be shown here: on a static host nothing can be broken, and on a network nobody
 * pulls the plug. Each keeps its number, which stands in addresses.
 */
function isOffered({ does, needs }: Step): boolean {
  const { offer } = demo
  if (offer === undefined) return true
  if (does === 'forge' || does === 'restart') return offer.breakages.includes(does)
  return needs === undefined || offer[needs] !== undefined
}

/** The next step on offer, or the one before. */
function from(at: number, by: 1 | -1): number {
  let next = at + by
  for (let step = steps[next]; step !== undefined && !isOffered(step); step = steps[next]) next += by
  return next
}

export function present(at: number): void {
  const step = steps[at]
  if (step === undefined) return
  const { theme } = demo.address.choices
  const choices = {
    ...(theme === undefined ? {} : { theme }),
    present: String(at),
    ...(step.lang === undefined ? {} : { lang: step.lang }),
    ...(step.phone ? { phone: 'yes' } : {}),
  }
  const { view, order } = demo.address
  // What was bought in the step before is what is paid.
  const isBought = step.name === 'pay' && view === 'order' && order !== undefined
  go({ shop: step.shop, choices, ...(isBought ? { view, order } : {}) })
  if (step.does !== undefined) void act(at, step.does)
}

async function act(at: number, does: Step['does']): Promise<void> {
  const [product] = goods()
  if (product === undefined) return
  const { country, currency } = market()
  // Who has gone on meanwhile is not led back. What is bought is paid in the next step.
  const isHere = (): boolean => stepNow() === at || (does === 'buy' && stepNow() === at + 1)
  try {
    if (does === 'buy') {
      const wish = { product: product.id, country, currency, shop: demo.address.shop, amount: product.prices[currency] }
      const order = await backend.order(wish)
      keepOrders([order])
      if (isHere()) go({ view: 'order', order: order.id })
    } else if (does !== undefined) {
      const order = await backend.breakIt(does, product.id, country)
      if (isHere()) go({ view: 'order', order })
    }
  } catch {
    if (!isHere()) return
    demo.isUnavailable = true
    draw()
  }
}

function leave(): void {
  const { present: _, phone: __, ...choices } = demo.address.choices
  location.hash = writeAddress({ ...demo.address, choices })
}

export function drawPresenter(): void {
  const at = stepNow()
  const step = at === undefined ? undefined : steps[at]
  bar.hidden = step === undefined
  const { dataset } = document.documentElement
  if (step === undefined) delete dataset['presenting']
  else dataset['presenting'] = ''
  if (step === undefined || at === undefined) {
    begun = looked = ''
    return
  }
  const say = (key: string): string => stepWord(language(), key)
  const staff = step.needs === 'staff' ? demo.offer?.staff : undefined
  bar.lang = pitchLanguage(language())
  render(
    html`<div class="says">
        <p role="status"><strong>${say(step.name)}</strong> ${say(`${step.name}Says`)}</p>
        ${
          staff
            ? html`<a href=${staff.url} target="_blank" rel="noreferrer">${pitchWord(language(), 'staff')} ↗</a>
                <span>${pitchWord(language(), 'signIn', staff)}</span>`
            : nothing
        }
      </div>
      <div>
        <span>${steps.slice(0, at + 1).filter(isOffered).length} / ${steps.filter(isOffered).length}</span>
        <button type="button" ?disabled=${at === 0} @click=${() => present(from(at, -1))}>${say('back')}</button>
        ${
          at < steps.length - 1
            ? html`<button type="button" class="first" @click=${() => present(from(at, 1))}>${say('next')}</button>`
            : nothing
        }
        <button type="button" @click=${leave}>${say('end')}</button>
      </div>`,
    bar,
  )
  lookAt(step.look, `${step.name} ${demo.address.order ?? ''}`)
}

/**
 * Once for a step and its order: what is drawn later must not take the speaker's place on the page.
 * A verdict and outcomes come after the order's address.
 */
function lookAt(look: string, view: string): void {
  if (looked === view) return
  requestAnimationFrame(() => {
    if (looked === view) return
    const subject = document.querySelector<HTMLElement>(look)
    if (subject && subject.getClientRects().length > 0) {
      looked = begun = view
      showAboveBar(subject)
    } else if (begun !== view) {
      begun = view
      showAboveBar(document.querySelector('.window')!)
    }
  })
}

/** Its end just above the bar; of what is taller than the room there, its beginning. */
function showAboveBar(subject: Element): void {
  const { top, bottom } = subject.getBoundingClientRect()
  scrollBy(0, Math.min(top, bottom + GAP - bar.getBoundingClientRect().top))
}
