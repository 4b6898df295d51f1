// Build steps that make the script tag's bundles small on their way to a phone. None of them runs for the npm modules.
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { minify } from 'terser'
import { parseSync } from 'vite'
import { cutLit } from './lit-cuts.ts'

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** `a`, `this`, `a.b.c`: reading it twice is reading it once. */
function isPlain(node: Node): boolean {
  if (node.type === 'MemberExpression') return !node['optional'] && !node['computed'] && isPlain(node['object'] as Node)
  return node.type === 'Identifier' || node.type === 'ThisExpression'
}

/** The one optional link of a chain, when there is one only. */
function linkOf(chain: Node): Node | undefined {
  const links: Node[] = []
  let node = chain['expression'] as Node | undefined
  while (node && (node.type === 'MemberExpression' || node.type === 'CallExpression')) {
    if (node['optional']) links.push(node)
    node = (node['object'] ?? node['callee']) as Node | undefined
  }
  return links.length === 1 ? links[0] : undefined
}

/** How one `?.`, `??` or `??=` is said in the words of 2018; undefined leaves it to the compiler, which says it at greater length. */
function older(node: Node, text: (part: Node) => string, code: string): string | undefined {
  if (node.type === 'ChainExpression') {
    const link = linkOf(node)
    const base = link && ((link['object'] ?? link['callee']) as Node)
    if (!base || !isPlain(base)) return undefined
    const dot = link.type === 'MemberExpression' && !link['computed'] ? '.' : ''
    return `(${text(base)}&&${text(base)}${code.slice(base.end, node.end).replace('?.', dot)})`
  }
  const left = node['left'] as Node
  const right = node['right'] as Node
  if (node.type === 'AssignmentExpression' && node['operator'] === '??=' && isPlain(left))
    return `(${text(left)}||(${text(left)}=${text(right)}))`
  if (node.type === 'LogicalExpression' && node['operator'] === '??' && isPlain(left) && left.type !== 'Identifier')
    return `(${text(left)}==null?${text(right)}:${text(left)})`
  return undefined
}

/**
 * Lit is written for newer browsers. What its optional links stand on are objects, functions or nothing at all, never an empty
 * text or a zero, so `a?.b` may become `a&&a.b` there; for code in general it may not. What it says to a developer who hands it
 * something wrong is left to the npm modules.
 */
export const shortLit = {
  name: 'short-lit',
  transform(source: string, id: string): string | undefined {
    if (!/node_modules\/(@lit|lit|lit-html|lit-element)\//.test(id)) return undefined
    let code = cutLit(source, id).replace(/Error\("[^"]*"\)/g, 'Error()')
    for (;;) {
      const edits: [start: number, end: number, text: string][] = []
      const text = (part: Node): string => code.slice(part.start, part.end)
      const walk = (value: unknown): void => {
        if (Array.isArray(value)) {
          for (const item of value) walk(item)
          return
        }
        if (!value || typeof (value as Node).type !== 'string') return
        const node = value as Node
        const said = older(node, text, code)
        if (said === undefined) for (const key of Object.keys(node)) walk(node[key])
        else edits.push([node.start, node.end, said])
      }
      walk(parseSync(id, code).program.body)
      if (edits.length === 0) return code
      for (const [start, end, said] of edits.toSorted((a, b) => b[0] - a[0]))
        code = code.slice(0, start) + said + code.slice(end)
    }
  },
}

const short: Record<string, string> = {}

const shortOfLit: Record<string, string> = {}

/** One short name for each private member of our own classes (`_likeThis`) and of the bundle's own Lit (`_$AH`); none of them is a door. */
function shortNames(code: string): string {
  return code
    .replace(
      /(?<=[.{,;}\s(])_(?!blank\b)[a-z][A-Za-z]+\b/g,
      (name) => (short[name] ??= `_${Object.keys(short).length.toString(36)}`),
    )
    .replace(
      /\b_\$[A-Za-z]+\$?/g,
      (name) => (shortOfLit[name] ??= `_${(Object.keys(shortOfLit).length + 10).toString(36).toUpperCase()}`),
    )
}

export const tightTemplates = {
  name: 'tight-templates',
  /**
   * Style sheets are kept readable and sent without their blanks. They are whole when they are built, so Lit's `css`, which puts
   * sheets together and carries long words for the developer who does it wrongly, gives way to its plain sibling.
   */
  transform(code: string, id: string): string | undefined {
    if (!/\/widget\/.*\.ts$/.test(id) || !code.includes('css`')) return undefined
    return code.replace(/\bcss\b(?=[^}]*} from ['"]lit['"])/, 'unsafeCSS').replace(
      /css`([^`]*)`/g,
      (_, sheet: string) =>
        `unsafeCSS(\`${sheet
          .replace(/\/\*[^]*?\*\//g, '')
          .replace(/\s*([{};,>])\s*/g, '$1')
          .replace(/:\s+/g, ':')
          .replace(/\s+!/g, '!')
          .replace(/\b0\./g, '.')
          .replace(/;}/g, '}')
          .trim()}\`)`,
    )
  },
  /**
   * Line breaks of a minified chunk stand inside templates and styles only: there one space says the same. A text that is nothing
   * but a line break stays one; the widget's code has none beside other words.
   */
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string }>): void {
    for (const file of Object.values(bundle)) {
      if (file.code !== undefined)
        file.code = shortNames(
          file.code
            .replace(/\/\* @__PURE__ \*\/ ?/g, '')
            .replace(/`\n`/g, String.raw`'\n'`)
            .replace(/>\s*\n\s*</g, '><')
            .replace(/\s*\n\s*/g, ' ')
            // Beside a tag and beside what is put between tags a blank shows nothing; a value of one word needs no quotes.
            .replace(/(?<=>) (?=\$\{)|(?<=\}) (?=<|>)/g, '')
            .replace(/(?<= [a-z-]+=)"([\w-]+)"(?=[ >])/g, '$1'),
        )
    }
  },
}

/**
 * A browser remembers that a module did not come and, but for the newest, never asks for that address again: one moment without network, and the
 * rest of the form would not come until the page is loaded anew. After a failure another address is asked, of the same file.
 */
export const askAgain = {
  name: 'ask-again',
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string; isEntry?: boolean }>): void {
    for (const file of Object.values(bundle)) {
      if (file.code === undefined) continue
      file.code = file.code.replace(/\bimport\((?=`\.\/hc-)/g, 'hcI(')
      // First of all: the element may be on the page already, and asks at once.
      if (file.isEntry) file.code = `self.hcI=e=>import(e).catch(()=>import(e+"#"+Math.random()));${file.code}`
    }
  },
}

const weight = (code: string): number => brotliCompressSync(code).length

/** What the bundler's own minifier leaves, a second one finds: 200 bytes on the way to a phone. Chunks of sentences are better left as they are. */
export const secondLook = {
  name: 'second-look',
  async generateBundle(_options: unknown, bundle: Record<string, { code?: string }>): Promise<void> {
    for (const file of Object.values(bundle)) {
      if (file.code === undefined) continue
      const { code = '' } = await minify(file.code, {
        ecma: 2017,
        module: /\bexport\s*\{|\bimport\b/.test(file.code),
        // Conditions as the bundler left them repeat each other more, which compresses better.
        compress: { passes: 3, conditionals: false, unsafe_arrows: true, pure_getters: true },
        format: { comments: false },
      })
      if (weight(code) < weight(file.code)) file.code = code
    }
  },
}

/** A file that stands alone has its parts from the start, but for what few people ask for. */
export const wholeFile = {
  name: 'whole-file',
  enforce: 'pre' as const,
  resolveId(id: string, from: string | undefined): string | undefined {
    if (from === undefined) return undefined
    if (id.endsWith('/further.ts')) return join(dirname(from), id.replace('further', 'no-further'))
    if (id === './load-flow.ts') return join(dirname(from), 'load-flow-whole.ts')
    return id === './load-extras.ts' ? join(dirname(from), 'load-extras-legacy.ts') : undefined
  },
}
