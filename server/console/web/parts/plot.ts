// A plot over named places of the axis, such as hours, days or countries, with its numbers as a
// table below it.
import { html, type PropertyValues, type TemplateResult } from 'lit'
import type uPlot from 'uplot'
import { fill } from '../base/format.ts'
import { View } from '../base/view.ts'

export interface Series {
  readonly name: string
  /** One for each place; null where there is none. */
  readonly values: readonly (number | null)[]
  readonly write: (value: number) => string
}

export interface Plotted {
  readonly title: string
  /** What the places are: hours, days … */
  readonly axis: string
  readonly places: readonly string[]
  readonly series: readonly Series[]
  /** For the numbers beside the plot, where there is little room. */
  readonly short: (value: number) => string
  /** A line joins the values; else each is a bar. */
  readonly isLine?: boolean
}

const HEIGHT = 220
/** Of a letter of the axis. */
const LETTER_PX = 7
/** Between the lines of what is counted in whole numbers: 1, 2, 5, 10, 20 … */
const WHOLE = Array.from({ length: 14 }, (_, n) => [1, 2, 5].map((step) => step * 10 ** n)).flat()
/** By the style sheet, so that they are those of light or dark. */
const COLOURS = ['--plot-1', '--plot-0'] as const

let library: Promise<typeof uPlot | undefined> | undefined
/**
 * The plotting library, once a plot is shown. Undefined where it cannot run, for example in a
 * browser
 * whose language is no language tag: then the numbers stand alone.
 */
const loaded = (): Promise<typeof uPlot | undefined> =>
  (library ??= import('uplot').then(
    (module) => module.default,
    () => undefined,
  ))

export class Plot extends View {
  static override properties = { ...View.properties, plotted: { attribute: false } }
  declare plotted: Plotted
  #plot: uPlot | undefined
  readonly #dark = window.matchMedia('(prefers-color-scheme: dark)')
  readonly #draw = (): void => void this.#redraw()
  readonly #sizes = new ResizeObserver(() => {
    const width = this.#width()
    if (width !== this.#plot?.width) this.#plot?.setSize({ width, height: HEIGHT })
  })

  override connectedCallback(): void {
    super.connectedCallback()
    this.#dark.addEventListener('change', this.#draw)
    this.#sizes.observe(this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#dark.removeEventListener('change', this.#draw)
    this.#sizes.disconnect()
    this.#plot?.destroy()
    this.#plot = undefined
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('plotted')) void this.#redraw()
  }

  #width(): number {
    return Math.max(Math.floor(this.querySelector('.canvas')?.clientWidth ?? 0), 100)
  }

  async #redraw(): Promise<void> {
    const Library = await loaded()
    const place = this.querySelector<HTMLElement>('.canvas')
    if (place === null || !this.isConnected) return
    if (Library === undefined) {
      place.hidden = true
      this.querySelector('details')!.open = true
      return
    }
    this.#plot?.destroy()
    const { places, series } = this.plotted
    const data: uPlot.AlignedData = [places.map((_, index) => index), ...series.map(({ values }) => [...values])]
    this.#plot = new Library(this.#options(Library), data, place)
  }

  #options({ paths }: typeof uPlot): uPlot.Options {
    const { places, series, isLine = false, axis, short } = this.plotted
    const style = getComputedStyle(this)
    const colour = (name: string): string => style.getPropertyValue(name).trim()
    const axes = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false } }
    return {
      width: this.#width(),
      height: HEIGHT,
      scales: {
        x: { time: false, range: [-0.5, places.length - 0.5] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.05 : 1] },
      },
      axes: [
        {
          ...axes,
          grid: { show: false },
          incrs: [1, 2, 3, 5, 10],
          // No name runs into the next one.
          space: Math.max(48, LETTER_PX * Math.max(...places.map(({ length }) => length))),
          values: (_, splits) => splits.map((at) => places[at] ?? ''),
        },
        {
          ...axes,
          size: 56,
          ...(isLine ? {} : { incrs: WHOLE }),
          values: (_, splits) => splits.map((value) => short(value)),
        },
      ],
      cursor: { drag: { x: false, y: false }, y: false },
      series: [
        { label: axis, value: (_, at: number | null) => (at === null ? '–' : (places[at] ?? '–')) },
        ...series.map(({ name, write: writeOne }, index): uPlot.Series => {
          // What matters, what was paid, is the last of them.
          const stroke = colour(COLOURS[series.length - 1 - index] ?? COLOURS[0])
          const side = series.length < 2 ? 0 : index % 2 === 0 ? -1 : 1
          const bars = paths.bars?.({ size: [series.length < 2 ? 0.7 : 0.38, 48], align: side })
          return {
            label: name,
            stroke,
            width: isLine ? 2 : 0,
            value: (_, value: number | null) => (value === null ? '–' : writeOne(value)),
            points: { show: isLine },
            ...(isLine ? {} : { fill: stroke }),
            ...(isLine || bars === undefined ? {} : { paths: bars }),
          }
        }),
      ],
    }
  }

  override render(): TemplateResult {
    const { title, axis, places, series } = this.plotted
    const t = this.t.figures
    return html`<section class="card plot" aria-label=${title}>
      <h2>${title}</h2>
      <div class="canvas" role="img" aria-label=${fill(t.chart, { what: title })}></div>
      <details>
        <summary>${t.table}</summary>
        <div class="wide" tabindex="0" role="region" aria-label="${title}: ${t.table}">
          <table>
            <thead>
              <tr>
                <th scope="col">${axis}</th>
                ${series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${places.map(
                (place, index) =>
                  html`<tr>
                    <th scope="row">${place}</th>
                    ${series.map(({ values, write }) => {
                      const value = values[index] ?? null
                      return html`<td class="number">${value === null ? '–' : write(value)}</td>`
                    })}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>
      </details>
    </section>`
  }
}
