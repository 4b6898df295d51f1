// The console as it is built runs in the oldest browsers that it is for: Chrome 87, Firefox 78 and
// Safari 14. The build translates syntax; it adds no function, and takes no style away.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { beforeAll, expect, it } from 'vitest'
import { buildConsoleIfStale } from '../../demo/console-pages.ts'
import { root } from '../helpers/run-quietly.ts'

const folder = join(root, 'server/dist/console/web/assets')
const filesOf = (ext: string): string[] =>
  globSync(`*.${ext}`, { cwd: folder }).map((name) => readFileSync(join(folder, name), 'utf8'))

interface Node {
  readonly type: string
  readonly operator?: string
  readonly raw?: string
  readonly regex?: { readonly pattern: string; readonly flags: string }
}
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

/** Kinds of nodes that came after ES2020: fields and private names of classes. */
const KINDS = new Set(['PropertyDefinition', 'AccessorProperty', 'StaticBlock', 'PrivateIdentifier', 'Decorator'])

function newerIn({ type, operator = '', raw = '', regex }: Node): string[] {
  if (KINDS.has(type)) return [type]
  if (/^(?:\|\||&&|\?\?)=$/.test(operator)) return [operator]
  // Lookbehind came to Safari 16, the flags d and v later.
  if (regex !== undefined) return /\(\?<[=!]/.test(regex.pattern) || /[dv]/.test(regex.flags) ? [raw] : []
  return type === 'Literal' && /^\d[\d.]*_/.test(raw) ? [raw] : []
}

/** Syntax after ES2020, wherever it stands. */
function newerSyntax(source: string): string[] {
  const { program, errors } = parseSync('console.js', source, { lang: 'js' })
  expect(errors).toEqual([])
  const found: string[] = []
  function look(value: unknown, isInFunction: boolean): void {
    if (Array.isArray(value)) return value.forEach((one) => look(one, isInFunction))
    if (!isNode(value)) return
    found.push(...newerIn(value))
    if (value.type === 'AwaitExpression' && !isInFunction) found.push('await outside a function')
    const inside = isInFunction || /Function/.test(value.type)
    for (const one of Object.values(value)) look(one, inside)
  }
  look(program, false)
  return found
}

/** Functions that one of the three lacks. */
const FUNCTIONS = new RegExp(
  String.raw`\.(?:at|findLast|findLastIndex|toSorted|toReversed|toSpliced|requestSubmit|randomUUID|checkVisibility` +
    '|showModal|showPopover|hidePopover|togglePopover|setHTMLUnsafe|moveBefore|isWellFormed|toWellFormed)' +
    String.raw`\??\.?\(` +
    String.raw`|\b(?:Object\.(?:hasOwn|groupBy)|Promise\.(?:any|try|withResolvers)|Array\.fromAsync|Response\.json` +
    String.raw`|AbortSignal\.(?:timeout|any|abort)|URL\.(?:canParse|parse)|Intl\.(?:Segmenter|ListFormat)` +
    String.raw`|(?:structuredClone|reportError|requestIdleCallback)\(|new (?:WeakRef|FinalizationRegistry|BroadcastChannel)\b)`,
  'g',
)

/** What one of the three does not know, where it would drop a rule or leave a view in disorder. */
const STYLES = new RegExp(
  String.raw`\binset(?:-[a-z]+)?:|\baspect-ratio:|:(?:is|where|has)\(|:not\([^()]*,|@(?:layer|container|property|supports)\b` +
    String.raw`|\b(?:color-mix|oklch|oklab|lch|lab|light-dark)\(|\d[dsl]v[hw]\b|@media[^{]*[<>]|&` +
    // A gap of a grid is older than one of a flexible box.
    String.raw`|\{[^{}]*display:(?:inline-)?flex[^{}]*[{;]gap:|\{[^{}]*[{;]gap:[^{}]*display:(?:inline-)?flex` +
    // Browsers that do not know it drop every selector beside it.
    String.raw`|[^{},]*:focus-visible[^{},]*,|,[^{},]*:focus-visible`,
  'g',
)

beforeAll(() => buildConsoleIfStale())

it('knows what is newer than these browsers', () => {
  expect(newerSyntax('class A { #a = 1; static { } } let b = 1_000; b ??= /(?<=a)b/v; await b')).toEqual([
    'PropertyDefinition',
    'PrivateIdentifier',
    'StaticBlock',
    '1_000',
    '??=',
    '/(?<=a)b/v',
    'await outside a function',
  ])
  expect(newerSyntax('export const a = async (b) => (await b?.c) ?? 1n')).toEqual([])
  expect('list.at(-1); Object.hasOwn(a, b); new WeakRef(c)'.match(FUNCTIONS)).toHaveLength(3)
  expect('a{inset:0}b:is(c){}d{display:flex;gap:1px}e,f:focus-visible{}'.match(STYLES)).toHaveLength(4)
  expect('a{display:grid;gap:1px}b:focus:not(:focus-visible){margin:0}'.match(STYLES)).toBeNull()
})

it('the scripts have no syntax and call no function that one of them lacks', () => {
  const scripts = filesOf('js')
  expect(scripts.length).toBeGreaterThan(1)
  for (const script of scripts) {
    expect(newerSyntax(script)).toEqual([])
    expect(script.match(FUNCTIONS)).toBeNull()
    // Firefox 78 has no names of countries and languages: they are asked for only where they are.
    const names = script.match(/Intl\.DisplayNames/g)?.length ?? 0
    const guards = script.match(/typeof Intl\.DisplayNames/g)?.length ?? 0
    expect(names === 0 || guards > 0).toBe(true)
  }
})

it('the style sheets hold no rule that one of them would drop or draw otherwise', () => {
  const sheets = filesOf('css')
  expect(sheets.length).toBeGreaterThan(0)
  for (const sheet of sheets) expect(sheet.match(STYLES)).toBeNull()
})
