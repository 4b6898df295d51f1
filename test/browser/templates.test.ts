// Lit as the bundles have it (widget/lit-cuts.ts) and as it is published draw the same: each template as it stands in the bundles, with what its
// expressions may give, changed in place.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { parseSync } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWidgetIfStale } from '../../demo/widget-bundle.ts'
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
