// "Try another outcome": each of the sandbox's scenarios is chosen by the payer's phone number,
// which a click fills in.
import { html, render } from 'lit'
import { shopMarkets } from '../shop/catalogue.ts'
import type { Scenario } from './backend.ts'
import { card, isPaid } from './counter.ts'
import { demo, market, shownOrder } from './demo.ts'

/** The usual endings; the others are folded. */
const USUAL = 6
let chosen = ''

const byId = (id: string): HTMLElement => document.getElementById(id)!

export function drawScenarios(): void {
  const scenarios = demo.offer?.scenarios ?? []
  // A click fills in the card; once it is paid there is nothing left to choose an outcome for.
  const isShown = card() !== null && !isPaid() && scenarios.length > 0
  byId('play').hidden = !isShown
  if (!isShown) {
    chosen = ''
    byId('scenario-said').textContent = ''
    return
  }
  render(scenarios.slice(0, USUAL).map(chip), byId('scenarios'))
  render(scenarios.slice(USUAL).map(chip), byId('more-scenarios'))
}

const chip = (scenario: Scenario) =>
  html`<li>
    <button
      type="button"
      title=${scenario.does}
      aria-pressed=${String(scenario.number === chosen)}
      @click=${() => fillIn(scenario)}
    >
      ${scenario.title}
    </button>
  </li>`

function fillIn(scenario: Scenario): void {
  const widget = card()
  if (widget === null) return
  const country = shownOrder()?.country ?? market().country
  const prefix = shopMarkets.find((one) => one.country === country)?.phonePrefix ?? ''
  const phone = `+${prefix}0000${scenario.number}`
  widget.payerName ||= 'Amina Test'
  widget.payerPhone = phone
  chosen = scenario.number
  byId('scenario-said').textContent = `${phone}: ${scenario.does}`
  drawScenarios()
  showCard(widget)
}

/** What is filled in and Pay stand above the outcomes. The focus stays: another may be chosen. */
function showCard(widget: HTMLElement): void {
  if (widget.getBoundingClientRect().top >= 0) return
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  widget.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth' })
}
