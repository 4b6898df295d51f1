// The strip of figures: measured when the page was built, or told by the companion.
import { html, nothing, render } from 'lit'
import { weight } from 'virtual:widget-weight'
import { shopMarkets } from '../shop/catalogue.ts'
import { demo, draw, language } from './demo.ts'
import { languages, pitchLanguage, pitchWord } from './words/index.ts'

interface MarketOnOffer {
  readonly operators?: readonly string[]
}
/** Undefined until the companion has answered: their place is kept. */
let operators: readonly string[] | undefined
let asked = ''

export function drawFigures(): void {
  if (demo.offer && asked === '') void askOperators((asked = demo.offer.companionUrl))
  const currencies = new Set(shopMarkets.map(({ currency }) => currency)).size
  const figures = [
    [shopMarkets.length, 'countries', { currencies }],
    ...(operators?.length === 0 ? [] : ([[operators?.length, 'operators', {}]] as const)),
    [languages.length, 'languages', {}],
    [weight, 'weight', {}],
  ] as const
  const place = document.querySelector<HTMLElement>('#figures')!
  place.lang = pitchLanguage(language())
  render(
    html`<dl>
        ${figures.map(
          ([figure, key, values]) =>
            html`<div>
              <dt>${pitchWord(language(), key, values)}</dt>
              <dd>${figure ?? '…'}</dd>
            </div>`,
        )}
      </dl>
      ${
        operators?.length === 0
          ? nothing
          : html`<p class="operators" aria-busy=${String(operators === undefined)}>
              <span>${pitchWord(language(), 'payWith')}</span> ${operators?.join(' · ') ?? '…'}
            </p>`
      }`,
    place,
  )
}

/** Whom customers pay with, over all markets on offer. Without an answer the figure is left out. */
async function askOperators(companionUrl: string): Promise<void> {
  try {
    const { markets } = (await (await fetch(`${companionUrl}/v1/markets`)).json()) as { markets: MarketOnOffer[] }
    operators = [...new Set(markets.flatMap((one) => one.operators ?? []))]
  } catch {
    // The strip says less.
    operators = []
  }
  draw()
}
