// Lit as the bundles have it (widget/lit-cuts.ts) and as it is published do the same: they draw each template as it stands in the bundles, with what
// its expressions may give, changed in place; and an element with the properties of ours lives the same life.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CSSResult, ReactiveElement } from 'lit'
import type { Browser } from 'playwright-core'
import { parseSync } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWidgetIfStale } from '../../demo/widget-bundle.ts'
import { withoutDashed } from '../../widget/build-plugins.ts'
import { cutLit } from '../../widget/lit-cuts.ts'
import { root } from '../helpers/run-quietly.ts'
import { openChromium } from './customer.ts'

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function templatesOf(value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap(templatesOf)
  if (!value || typeof value !== 'object') return []
  const inner = Object.values(value).flatMap(templatesOf)
  const { type, tag, quasi } = value as Node
  // `String.raw` is no template of Lit's.
  if (type !== 'TaggedTemplateExpression' || (tag as Node).type !== 'Identifier') return inner
  const { quasis } = quasi as { quasis: { value: { cooked: string } }[] }
  return [quasis.map((part) => part.value.cooked), ...inner]
}

interface Lit {
  html(strings: readonly string[], ...values: unknown[]): unknown
  render(value: unknown, place: HTMLElement, options: { host: object }): void
}

/** Runs in the page: what both draw of each template, step by step. */
function drawn(templates: string[][]): [string, string][] {
  const nothing = Symbol.for('lit-nothing')
  const { published, cut } = globalThis as unknown as Record<'published' | 'cut', Lit>
  function draw({ html, render }: Lit, texts: string[]): string[] {
    const written = (strings: string[]): string[] => Object.assign(strings, { raw: strings })
    const bold = written(['<b class=', ' title="a ', ' b ', '">', '</b>'])
    const inner = (n: number): unknown => html(bold, `c${n}`, n, `t${n}`, n % 2 ? `w${n}` : nothing)
    const strings = written(texts)
    const heard: string[] = []
    const host = { name: 'host' }
    // Each after each other: text, template, array, nothing and the like.
    const shown = [
      'text', inner(1), ['a', inner(2), nothing, inner(3)], nothing, 'other', 0, [inner(4)], '', inner(5), null, [], inner(6), undefined,
      inner(7), 'more', ['b', 'c', 'd'], 'e', nothing, ['f'], ['g', inner(8)], [inner(9), 'h'], inner(9), inner(10), 7,
    ] // prettier-ignore
    const place = document.createElement('div')
    return shown.map((child, step) => {
      const values = strings.slice(1).map((after, i) => {
        const before = strings.slice(0, i + 1).join('x')
        const [, sign, name, quoted] = /<[^<>]* ([?.@]?)([\w-]+)=("[^"]*)?$/.exec(before) ?? []
        if (name === undefined) return child
        if (sign === '?') return [true, false, undefined, 'yes', ''][step % 5]
        if (sign === '.') return name === 'checked' ? step % 2 > 0 : `p${step}`
        if (sign === '@')
          return function (this: unknown, event: Event) {
            heard.push(`${event.type} ${step} ${this === host}`)
          }
        if (quoted !== undefined && !(quoted === '"' && after.startsWith('"'))) return step % 3 ? `v${step}` : step
        return [`a ${step}`, step, nothing, step % 2 > 0, undefined, ''][step % 6]
      })
      render(html(strings, ...values), place, { host })
      const properties: unknown[] = []
      for (const element of place.querySelectorAll('*')) {
        for (const name of ['value', 'checked', 'selected', 'open'])
          if (name in element) properties.push((element as unknown as Record<string, unknown>)[name])
        for (const type of ['click', 'input', 'change', 'keydown', 'blur', 'submit', 'scroll', 'pointerdown', 'close'])
          element.dispatchEvent(new Event(type, { cancelable: true }))
      }
      return JSON.stringify([
        place.innerHTML.replace(/<!--.*?-->/g, ''),
        place.textContent,
        properties,
        heard.splice(0),
      ])
    })
  }
  const differences: [string, string][] = []
  for (const texts of templates) {
    const theirs = draw(published, texts)
    const ours = draw(cut, texts)
    theirs.forEach((one, i) => {
      if (one !== ours[i]) differences.push([one, ours[i]!])
    })
  }
  return differences
}

interface Reactive {
  ReactiveElement: typeof ReactiveElement
  unsafeCSS(text: string): CSSResult
}

/** Runs in the page: what becomes of the properties, attributes and updates of an element, step by step. */
async function lived(name: string, properties: typeof ReactiveElement.properties): Promise<string[]> {
  const { ReactiveElement, unsafeCSS } = (globalThis as unknown as Record<string, Reactive>)[name]!
  let log: unknown[] = []
  let inUpdate: ((element: Element) => void) | undefined
  type Element = HTMLElement & Record<string, unknown> & { requestUpdate(): void; updateComplete: Promise<boolean> }
  const tag = `one-${name}`
  const element = document.createElement(tag) as Element
  const place = document.body.appendChild(document.createElement('div'))
  // Set before the element is defined.
  element['amount'] = 5
  element['session'] = 's'
  element['disabled'] = true
  element.setAttribute('min-amount', '7')
  element.setAttribute('session', 'of the attribute')
  class One extends ReactiveElement {
    static override properties = properties
    static override styles = unsafeCSS('')
    constructor() {
      super()
      Object.assign(this, { companion: '', disabled: false })
      this.addController({
        hostConnected: () => log.push('connected'),
        hostDisconnected: () => log.push('disconnected'),
      })
    }
    override willUpdate(changed: Map<PropertyKey, unknown>): void {
      log.push(['update', ...[...changed.keys()].map(String).toSorted()])
      const act = inUpdate
      inUpdate = undefined
      act?.(this as unknown as Element)
    }
    override firstUpdated(): void {
      log.push('first')
    }
    override updated(): void {
      log.push('updated')
    }
  }
  const steps: ((one: Element) => void)[] = [
    () => customElements.define(tag, One),
    () => place.append(element),
    (one) => one.setAttribute('amount', '12'),
    (one) => one.setAttribute('amount', ''),
    (one) => one.setAttribute('amount', 'abc'),
    (one) => one.setAttribute('amount', 'abd'),
    (one) => one.removeAttribute('amount'),
    (one) => (one['amount'] = undefined),
    (one) => (one['country'] = 'KE'),
    (one) => one.setAttribute('country', 'UG'),
    (one) => (one['country'] = undefined),
    (one) => ((one['country'] = 'RW'), one.removeAttribute('country')),
    (one) => (one['country'] = ''),
    (one) => (one['disabled'] = true),
    (one) => one.removeAttribute('disabled'),
    (one) => one.setAttribute('disabled', 'false'),
    (one) => (one['disabled'] = 0),
    (one) => (one['texts'] = { pay: 'Pay' }),
    (one) => one.setAttribute('texts', 'no'),
    (one) => ((one['locale'] = 'fr'), (one['locale'] = undefined)),
    (one) => one.setAttribute('BANK-choice', 'hidden'),
    (one) => one.setAttribute('client-reference', 'a'),
    (one) => one.setAttribute('clientreference', 'b'),
    (one) => (one.requestUpdate(), one.requestUpdate()),
    (one) => ((inUpdate = (it) => (it['bank'] = 'b')), one.requestUpdate()),
    (one) => ((inUpdate = (it) => it.removeAttribute('disabled')), (one['disabled'] = true)),
    (one) => (one.remove(), (one['amount'] = 9), place.append(one)),
    (one) => (one.remove(), (one['session'] = 't')),
    (one) => place.append(one),
    (one) => ((inUpdate = () => void JSON.parse('{')), one.requestUpdate()),
    (one) => (one['name'] = 'n'),
  ]
  addEventListener('unhandledrejection', (event) => event.preventDefault())
  const told: string[] = []
  for (const step of steps) {
    log = []
    step(element)
    if (element.isConnected) await element.updateComplete.catch((error: Error) => log.push(error.name))
    if (element.isConnected) await element.updateComplete.catch((error: Error) => log.push(error.name))
    const values = Object.keys(properties).map((key) => [key, String(element[key])])
    const attributes = Array.from(element.attributes, ({ name: key, value }) => [key, value])
    told.push(JSON.stringify([String(step), log, values, attributes]))
  }
  return told
}

let browser: Browser
beforeAll(async () => {
  await buildWidgetIfStale()
  browser = await openChromium()
})
afterAll(() => browser.close())

test('each template of the bundles is drawn by their Lit as by the published one, whatever its expressions give after what', async () => {
  const bundles = globSync('*.js', { cwd: join(root, 'widget/dist/bundle') })
  const templates = bundles.flatMap((name) =>
    templatesOf(parseSync(name, readFileSync(join(root, 'widget/dist/bundle', name), 'utf8')).program.body),
  )
  expect(templates.length).toBeGreaterThan(60)
  const lit = readFileSync(join(root, 'node_modules/lit-html/lit-html.js'), 'utf8')
  const page = await browser.newPage()
  for (const [name, code] of Object.entries({ published: lit, cut: cutLit(lit, 'lit-html.js') })) {
    const address = JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`)
    await page.evaluate(`import(${address}).then((lit) => void (self.${name} = lit))`)
  }
  expect(await page.evaluate(drawn, templates)).toEqual([])
})

test('an element with the properties of ours hears of the same changes, and has the same attributes, by the Lit of the bundles as by the published one', async () => {
  const file = join(root, 'widget/hc-checkout.ts')
  const [, written = ''] = /static override properties = (\{[^]*?\n  \})/.exec(readFileSync(file, 'utf8')) ?? []
  expect(written).toContain("attribute: 'bank-choice'")
  const short = withoutDashed(written)
  expect(short.match(/attribute: .*?(?=[,}])/g)).toEqual(['attribute: false'])
  const read = (name: string): string => readFileSync(join(root, 'node_modules/@lit/reactive-element', name), 'utf8')
  const addressOf = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`
  const page = await browser.newPage()
  const lives: unknown[] = []
  for (const name of ['published', 'cut']) {
    const [sheets, element] = ['css-tag.js', 'reactive-element.js'].map((one) =>
      name === 'cut' ? cutLit(read(one), one) : read(one),
    ) as [string, string]
    const address = JSON.stringify(addressOf(element.replaceAll('"./css-tag.js"', JSON.stringify(addressOf(sheets)))))
    await page.evaluate(`import(${address}).then((lit) => void (self.${name} = lit))`)
    lives.push(await page.evaluate(`(${String(lived)})('${name}', ${name === 'cut' ? short : written})`))
  }
  expect(lives[0]).toHaveLength(31)
  expect(lives[1]).toEqual(lives[0])
})
