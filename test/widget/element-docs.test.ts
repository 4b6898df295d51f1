// What editors know of the element (custom-elements.json, made from the docstrings of the source)
// matches widget.md and the source.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { beforeAll, expect, test } from 'vitest'
import type { ElementManifest } from '../../widget/build/element-manifest.ts'
import { CheckoutError } from '../../widget/base/checkout-error.ts'
import type { Deposit } from '../../widget/base/types.ts'
import { SuccessEvent } from '../../widget/base/deposit-events.ts'
import { ErrorEvent } from '../../widget/base/events.ts'
import { tokens as tokenStyles } from '../../widget/styles/tokens.styles.ts'
import { type DescribedElement, describedElement } from '../helpers/docs-element.ts'
import { root } from '../helpers/run-quietly.ts'

interface Named {
  readonly name: string
}

const page = readFileSync(join(root, 'demo/docs/widget.md'), 'utf8')
const tokens = tokenStyles.cssText
const looks = readFileSync(join(root, 'widget/styles/hc-checkout.styles.ts'), 'utf8')
let manifest: ElementManifest
let element: DescribedElement

beforeAll(async () => {
  const described = await describedElement()
  manifest = described.manifest
  element = described.element
})

/** The cells of a table's rows, without backticks. */
function rows(section: string): string[][] {
  const text = page.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? ''
  return [...text.matchAll(/^\| (`.*|  .*`.*) \|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  )
}
/** The words in backticks of a part of the page. */
const said = (text: RegExp) => [...(text.exec(page)?.[0] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name)
const names = (things: readonly Named[]) => things.map(({ name }) => name).toSorted()

test('it speaks of files that the package has, and of all that they export', () => {
  expect(manifest.modules.map((module) => (module as unknown as { path: string }).path)).toEqual([
    'dist/index.js',
    'dist/define.js',
  ])
  const index = readFileSync(join(root, 'widget/index.ts'), 'utf8')
  const published = [...index.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) => list.match(/\w+/g) ?? [])
  expect(published).toContain('HcCheckout')
  expect(names(manifest.modules[0]?.exports ?? [])).toEqual(published.toSorted())
  expect(JSON.stringify(manifest)).not.toContain('.ts"')
  expect(element.members.filter(({ name, privacy }) => privacy === 'private' || name.startsWith('_'))).toEqual([])
})

test('each attribute and property', () => {
  const told = element.members.filter(
    ({ kind, attribute, name }) => kind === 'field' && name !== 'formAssociated' && (attribute ?? name),
  )
  expect(told.map(({ attribute = '', name }) => `${attribute} ${name}`).toSorted()).toEqual(
    rows('Attributes and properties')
      .map(([attribute, property]) => `${attribute} ${property}`)
      .toSorted(),
  )
  const pairs = told
    .filter(({ attribute }) => attribute !== undefined)
    .map(({ attribute, name }) => `${attribute} ${name}`)
  const attributes = element.attributes.filter(({ name }) => name !== 'theme')
  expect(attributes.map(({ name, fieldName }) => `${name} ${fieldName}`).toSorted()).toEqual(pairs.toSorted())
  expect(page).toContain('`theme="light"`')
  expect([...told, ...element.attributes].filter(({ description }) => !description)).toEqual([])
})

test('each method', () => {
  const told = element.members.filter(({ kind }) => kind === 'method')
  const named = rows('Methods').map(([call = '']) => call.replace(/^HcCheckout\.|\(.*$/g, ''))
  expect(named.toSorted()).toEqual([
    'check',
    'checkValidity',
    'define',
    'paymentLink',
    'reportValidity',
    'reset',
    'resume',
  ])
  expect(names(told)).toEqual(named.toSorted())
  expect(told.filter(({ description }) => !description)).toEqual([])
})

test('each event, with its fields', () => {
  const own = manifest.modules[0]?.declarations ?? []
  const fieldsOf = (type: string) =>
    own.find(({ name }) => name === type)?.members?.map((member) => (member as unknown as Named).name) ?? []
  expect(element.events.map(({ name, type }) => [name, fieldsOf(type.text).toSorted().join(', ')])).toEqual(
    rows('Events').map(([name, fields = '']) => [name, fields.split(', ').toSorted().join(', ')]),
  )
})

test('each slot and part, which the templates have', () => {
  const templates = globSync('widget/{views/*,card}.ts', { cwd: root })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const slots = [...templates.matchAll(/<slot(?: name="?([a-z]+))?/g)].map(([, name = '']) => name)
  expect(names(element.slots).filter((name) => name !== '')).toEqual(said(/Slots: [^.]*\./).toSorted())
  expect(new Set(slots)).toEqual(new Set(names(element.slots).filter((name) => name !== '')))
  const parts = [...templates.matchAll(/part=(?:"([a-z-]+)"|\$\{[^}]*'([a-z]+)' : (?:'([a-z]+)'|nothing))/g)]
  expect(names(element.cssParts)).toEqual(said(/Parts for [^]*?Slots/).toSorted())
  expect([...new Set(parts.flatMap(([, ...found]) => found.filter(Boolean)))].toSorted()).toEqual(
    names(element.cssParts),
  )
})

test('each state for style sheets, which the element takes', () => {
  const code = readFileSync(join(root, 'widget/controller/form-association.ts'), 'utf8')
  expect(element.cssStates).toHaveLength(4)
  expect(said(/States for [^]*?\n/).filter((name) => name !== 'state')).toEqual(
    element.cssStates.map(({ name }) => name),
  )
  expect(names(element.cssStates).filter((name) => !code.includes(`'${name}'`))).toEqual([])
})

test('each token, with what it is unless it is set, in light and dark', () => {
  const told = element.cssProperties.map(({ name, default: light }) => [name, light.split('-')[0]])
  expect(told).toEqual(rows('Appearance').map(([name, light]) => [name, light]))
  const used = [...(tokens + looks).matchAll(/--hc-[a-z-]+/g)].map(([name]) => name)
  expect([...new Set(used)].toSorted()).toEqual(names(element.cssProperties))
  const themes = { light: tokens.split('@media (prefers')[0], dark: tokens.split(":host([theme='dark'])")[1] }
  for (const [name, inLight, inDark] of rows('Appearance')) {
    if (name === '--hc-font') continue
    expect(themes.light).toContain(`var(${name}, ${inLight})`)
    if (inDark !== inLight) expect(themes.dark).toContain(`var(${name}, ${inDark})`)
  }
})

/** The files in which a framework, a page or a backend writes the tag. */
const examples = globSync('demo/examples/*/{,src/,app/}*.{html,tsx,ts,js,vue,svelte,php,py}', { cwd: root }).filter(
  (file) => /<hc-checkout\s/i.test(readFileSync(join(root, file), 'utf8').replaceAll(/<!--[^]*?-->/g, '')),
)

test('each framework and each page of a backend has an example with the tag', () => {
  const folders = ['angular', 'plain', 'preact', 'react', 'shop-express', 'shop-php', 'shop-python', 'solid']
  expect([...new Set(examples.map((file) => file.split('/')[2] ?? ''))].toSorted()).toEqual([
    ...folders,
    'svelte',
    'vue',
  ])
})

test.each(examples)(
  '%s names attributes and events that the element has, and takes the widget from where it is',
  (file) => {
    const example = readFileSync(join(root, file), 'utf8').replaceAll(/<!--[^]*?-->/g, '')
    const [, tag = ''] = /<hc-checkout\s([^]*?)\/?>\s*(?:<|\{|$)/.exec(example) ?? []
    // As each framework binds them: session, :session, {session}, [attr.session].
    const bound = [...tag.matchAll(/(?:^|\s)(?:\[attr\.|:|\{)?([a-z-]+)(?=[\]}=])/g)].map(([, name = '']) => name)
    const attributes = bound.filter((name) => name !== 'ref' && !name.startsWith('onhc-'))
    expect(attributes).toContain('companion')
    expect(attributes.filter((name) => !names(element.attributes).includes(name))).toEqual([])
    const events = [...example.matchAll(/(?:@|\(|\bon:?|')(hc-[a-z-]+)(?=[)='])/g)].map(([, name = '']) => name)
    const heard = events.filter((name) => !['hc-checkout', 'hc-checkout-client'].includes(name))
    // A page that a backend makes may leave the result to the card and to the notice.
    if (!/shop-(php|python)/.test(file)) expect(heard).toContain('hc-success')
    expect(heard.filter((name) => !names(element.events).includes(name))).toEqual([])
    const taken = [...example.matchAll(/import 'hc-checkout\/(\w+)'|\/widget\/v1\/([\w-]+)\.js/g)]
    const entries = taken.map(([, entry, script]) => entry ?? script)
    const isPage = /\/(plain|shop-express|shop-php|shop-python)\//.test(file)
    expect(entries).toEqual(isPage ? ['hc-checkout', 'hc-checkout-legacy'] : ['define'])
  },
)

test('the listeners of the page read what the events carry', () => {
  const [, listeners = ''] = /<!-- widget: events -->\s*```js\n([^]*?)\n```/.exec(page) ?? []
  const checkout = new EventTarget()
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  runInNewContext(listeners, { document: { querySelector: () => checkout }, console: { log } })
  checkout.dispatchEvent(new SuccessEvent({ reference: 'HCT1', amount: 2300, currency: 'KES' } as Deposit, false))
  checkout.dispatchEvent(new ErrorEvent(new CheckoutError('session_expired', 'Ask again.')))
  expect(lines).toEqual(['HCT1: 2300 KES paid', 'session_expired: Ask again.'])
})
