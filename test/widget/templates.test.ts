// The bundles contain only those parts of Lit that the widget's templates need (widget/lit-cuts.ts); what they lack would show in a bundle alone.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { tightTemplates } from '../../widget/build-plugins.ts'
import { cutLit } from '../../widget/lit-cuts.ts'
import { bin, root, run } from '../helpers/run-quietly.ts'

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const widget = join(import.meta.dirname, '../../widget')

function nodesOf(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(nodesOf)
  if (!value || typeof value !== 'object') return []
  const inner = Object.values(value).flatMap(nodesOf)
  return 'type' in value ? [value as Node, ...inner] : inner
}

const files = globSync('{*,views/*}.ts', { cwd: widget }).map((name) => ({
  name,
  nodes: nodesOf(parseSync(name, readFileSync(join(widget, name), 'utf8')).program.body),
}))

/** The texts between the expressions of each `html` template. */
const templates = files.flatMap(({ name, nodes }) =>
  nodes
    .filter(({ type, tag }) => type === 'TaggedTemplateExpression' && (tag as Node)['name'] === 'html')
    .map(({ quasi }) => ({
      name,
      texts: ((quasi as Node)['quasis'] as Node[]).map(({ value }) => (value as { raw: string }).raw),
    })),
)

/** What an import from Lit names; types are not in the bundles. */
function takenBy({ type, importKind, source, specifiers }: Node): unknown[] {
  if (type !== 'ImportDeclaration' || importKind === 'type') return []
  const isLit = /^(@?lit)\b/.test((source as { value: string }).value)
  return isLit ? (specifiers as Node[]).map(({ imported }) => (imported as Node)['name']) : []
}

test('the widget takes from Lit only what its bundles contain', () => {
  const taken = new Set(files.flatMap(({ nodes }) => nodes.flatMap(takenBy)))
  const contained = ['LitElement', 'adoptStyles', 'css', 'html', 'nothing', 'render', 'supportsAdoptingStyleSheets']
  expect(taken).toEqual(new Set<unknown>(contained))
})

test('an expression stands only between tags or as the value of an attribute, and no template has a comment', () => {
  expect(templates.length).toBeGreaterThan(20)
  for (const { name, texts } of templates) {
    const whole = texts.join('${}')
    expect(whole, name).not.toContain('<!')
    expect(whole, name).not.toMatch(/<(textarea|title|style|script)\b[^>]*>(?!<\/)/)
    // Of a tag that an expression interrupts, the last thing before it is the name of an attribute, or the beginning of its value.
    for (let i = 1; i < texts.length; i++) {
      const [tag] = /<[^<>]*$/.exec(texts.slice(0, i).join('x')) ?? ['']
      if (tag) expect(tag, name).toMatch(/[\w-]=("[^"]*)?$/)
    }
    // After it the template goes on, and its tag with a space or its end; so do all attributes, in double quotes.
    if (texts.length > 1) expect(texts.at(-1), name).not.toBe('')
    for (const text of texts.slice(1)) expect(text, name).not.toMatch(/^\/>/)
    for (const [tag] of texts.join('x').matchAll(/<[^<>]*>/g)) expect(tag, name).not.toMatch(/\s=|=\s|=>|'/)
  }
})

/** What the bundles' Lit can take: `nothing` would be true as a boolean attribute, a symbol as a property, and would be thrown within an attribute's text. */
const takes = `import type { nothing, TemplateResult } from 'lit'
type Text = string | number
type One = Text | TemplateResult | typeof nothing | null | undefined
export declare function flag(value: Text | boolean | object | null | undefined): typeof value
export declare function property(value: Text | boolean): typeof value
export declare function listener(value: (this: any, event: any) => unknown): typeof value
export declare function attribute(value: Text | boolean | typeof nothing | undefined): typeof value
export declare function part(value: Text): typeof value
export declare function child(value: One | readonly One[]): typeof value
`

/** Which of these an expression is, by the template's text before and after it. */
function placeOf(before: string, after: string): string {
  const [, sign, name, quoted] = /<[^<>]* ([?.@]?)([\w-]+)=("[^"]*)?$/.exec(before) ?? []
  if (name === undefined) return 'child'
  if (sign) return { '?': 'flag', '.': 'property', '@': 'listener' }[sign]!
  return quoted === undefined || (quoted === '"' && after.startsWith('"')) ? 'attribute' : 'part'
}

test('each expression gives only what the Lit of the bundles can take in its place, by its type', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hc-templates-'))
  try {
    const seen: Record<string, number> = {}
    for (const name of globSync(['*.ts', '{locales,views}/*.ts'], { cwd: widget })) {
      let text = readFileSync(join(widget, name), 'utf8')
      const marks = nodesOf(parseSync(name, text).program.body)
        .filter(({ type, tag }) => type === 'TaggedTemplateExpression' && (tag as Node)['name'] === 'html')
        .flatMap(({ quasi }) => {
          const texts = ((quasi as Node)['quasis'] as Node[]).map(({ value }) => (value as { raw: string }).raw)
          return ((quasi as Node)['expressions'] as Node[]).flatMap((expression, i) => {
            const place = placeOf(texts.slice(0, i + 1).join('x'), texts[i + 1]!)
            seen[place] = (seen[place] ?? 0) + 1
            return [
              { at: expression['start'] as number, put: `takes.${place}(` },
              { at: expression['end'] as number, put: ')' },
            ]
          })
        })
      for (const { at, put } of marks.toSorted((a, b) => b.at - a.at)) text = text.slice(0, at) + put + text.slice(at)
      const file = join(folder, 'widget', name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(
        file,
        marks.length ? `import * as takes from '${'../'.repeat(name.split('/').length)}takes.ts'\n${text}` : text,
      )
    }
    for (const place of ['flag', 'property', 'listener', 'attribute', 'part', 'child'])
      expect(seen[place], place).toBeGreaterThan(2)
    writeFileSync(join(folder, 'takes.ts'), takes)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    symlinkSync(join(root, 'server'), join(folder, 'server'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const config = { extends: join(root, 'widget/tsconfig.json'), include: ['widget'], exclude: ['widget/build*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    expect((await run(bin('tsc'), ['-p', folder])).output).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('no method or hook of Lit that the bundles lack is used: the npm modules, and the types, have it', () => {
  const modules = join(widget, '../node_modules')
  const published = ['lit-html/lit-html', 'lit-element/lit-element', '@lit/reactive-element/reactive-element'].map(
    (name) => {
      const code = readFileSync(join(modules, `${name}.js`), 'utf8')
      return { code, cut: cutLit(code, `${name}.js`) }
    },
  )
  const left = new Set(published.flatMap(({ cut }) => cut.match(/\w+/g)))
  // A method's definition, or the call of a hook that may be there.
  const members = published.flatMap(({ code }) => [
    ...code.matchAll(/(?<=[};{](?:static |async |get )*)[a-zA-Z]\w+(?=\([\w,=]*\)\{)|(?<=\.)[a-zA-Z]\w+(?=\?\.\()/g),
  ])
  const lacking = new Set(members.map(([name]) => name).filter((name) => !left.has(name)))
  expect([...lacking]).toEqual(expect.arrayContaining(['removeController', 'hostUpdated', 'getUpdateComplete']))
  const used = files
    .filter(({ name }) => !/^(build|lit-cuts)/.test(name))
    .flatMap(({ name, nodes }) =>
      nodes.flatMap(({ type, key, property }) => {
        const of = type === 'MemberExpression' ? property : /^(Property|MethodDefinition)$/.test(type) ? key : undefined
        const member = (of as Node | undefined)?.['name'] as string
        return lacking.has(member) ? [`${name}: ${member}`] : []
      }),
    )
  expect(used).toEqual([])
})

test('private members have names of their own in the bundles, and none where Preact keeps the listeners of an element that it makes', () => {
  const members = Array.from({ length: 90 }, (_, at) => `_${'x'.repeat(1 + at)}y`)
  const file = { type: 'chunk', code: members.map((name) => `this.${name}`).join() }
  tightTemplates.generateBundle({}, { file })
  const names = file.code.split(',').map((member) => member.replace('this.', ''))
  expect(new Set(names).size).toBe(members.length)
  expect(names.filter((name) => !/^([a-zA-Z]|_[0-9a-z]{1,2})$/.test(name))).toEqual([])
  expect(names).toContain('Z')
  expect(names).not.toContain('l')
})
