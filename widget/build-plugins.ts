// Build plugins that make the script tag's bundles smaller. None of them runs for the npm modules.
import { basename, dirname, join } from 'node:path'
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

/** `a`, `this`, `a.b.c`: can be evaluated twice without a difference. */
function isPlain(node: Node): boolean {
  if (node.type === 'MemberExpression') return !node['optional'] && !node['computed'] && isPlain(node['object'] as Node)
  return node.type === 'Identifier' || node.type === 'ThisExpression'
}

/** The optional link of a chain, if there is exactly one. */
function linkOf(chain: Node): Node | undefined {
  const links: Node[] = []
  let node = chain['expression'] as Node | undefined
  while (node && (node.type === 'MemberExpression' || node.type === 'CallExpression')) {
    if (node['optional']) links.push(node)
    node = (node['object'] ?? node['callee']) as Node | undefined
  }
  return links.length === 1 ? links[0] : undefined
}

/** Rewrites one `?.`, `??` or `??=` in the syntax of 2018; undefined leaves it to the compiler, whose output is longer. */
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
 * Shortens Lit, which is written for newer browsers. In Lit, optional chains are only used on objects, functions or nullish values, never on
 * an empty string or zero, so `a?.b` may become `a&&a.b`; in other code it may not. Lit's warnings to developers are only in
 * the npm modules.
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

/** One letter, then `_a` and so on: no HTML element has a property of one letter. Without `l`: Preact keeps there the listeners of the elements that it makes. */
const letters = 'abcdefghijkmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const shortest = (n: number): string => letters[n] ?? `_${(n - letters.length + 10).toString(36)}`

/**
 * Names by which the element, its controllers and the flow call each other, and what Lit calls on them and nobody else; none that a page may use. Each
 * has a capital inside: a plain word would be shortened in the customers' texts as well.
 */
const inner =
  /\b(statusAnnouncement|questionView|bankPicker|searchBanks|statusView|watchDeposit|loadRare|onDeposit|onSilence|onGone|onTold|onLeave|loadFlow|loadSession|loadBanks|forgetBanks|createRenderRoot|enableUpdating|firstUpdated|scheduleUpdate|willUpdate|isExplained|mayBePaid|reopenPage)\b/g

const looks: Record<string, string> = {}

/** Shortens these names, those of private members of our own classes (`_likeThis`), of the style sheets (`--_like`) and of the bundled Lit (`_$AH`); none of them is public. */
function shortNames(code: string): string {
  const shorter = (name: string): string => (short[name] ??= shortest(Object.keys(short).length))
  return code
    .replace(/(?<=[.{,;}\s(])_(?!blank\b)[a-z][A-Za-z]+\b/g, shorter)
    .replace(inner, shorter)
    .replace(/--_[a-z]+\b/g, (name) => (looks[name] ??= `--_${shortest(Object.keys(looks).length)}`))
    .replace(
      /\b_\$[A-Za-z]+\$?/g,
      (name) => (shortOfLit[name] ??= `_${(Object.keys(shortOfLit).length + 10).toString(36).toUpperCase()}`),
    )
}

/** Removes the names of attributes that are a property's with dashes: the bundles' Lit (lit-cuts.ts) makes `payer-name` of `payerName`. */
export function withoutDashed(code: string): string {
  return code.replace(
    /(?<=\b(\w+): \{[^{}]*)attribute: ["']([a-z-]+)["']/g,
    (all, property: string, attribute: string) =>
      attribute === property.replace(/[A-Z]/g, '-$&').toLowerCase() ? '' : all,
  )
}

export const tightTemplates = {
  name: 'tight-templates',
  /**
   * Removes whitespace from style sheets. They are complete at build time, so Lit's `css` tag, which composes sheets and has long error
   * messages for developers, is replaced by `unsafeCSS`. In the element, what the bundles' Lit finds out by itself is left out.
   */
  transform(code: string, id: string): string | undefined {
    if (id.endsWith('/widget/hc-checkout.ts')) return withoutDashed(code)
    if (!/\/widget\/.*\.ts$/.test(id) || !code.includes('css`')) return undefined
    return code.replace(/\bcss\b(?=[^}]*} from ['"]lit['"])/, 'unsafeCSS').replace(
      /css`([^`]*)`/g,
      (_, sheet: string) =>
        `unsafeCSS(\`${sheet
          .replace(/\/\*[^]*?\*\//g, '')
          .replace(/\s*([{};,>~])\s*/g, '$1')
          // Only between selectors: in `calc()` its spaces are needed.
          .replace(/ \+ (?=[^;}]*\{)/g, '+')
          .replace(/='([a-z]+)'\]/g, '=$1]')
          .replace(/:\s+/g, ':')
          .replace(/\s+!/g, '!')
          .replace(/\b0\./g, '.')
          .replace(/;}/g, '}')
          .trim()}\`)`,
    )
  },
  /**
   * Line breaks in a minified chunk occur only in templates and styles, where one space is equivalent. A string that is just a line break
   * is kept; the widget's code has no line breaks within other strings.
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
            // A space between a tag and an expression is not visible; a one-word attribute value needs no quotes.
            .replace(/(?<=>) (?=\$\{)|(?<=\}) (?=<|>)/g, '')
            .replace(/(?<= [a-z-]+=)"([\w-]+)"(?=[ >])/g, '$1'),
        )
    }
  },
}

/**
 * Retries failed dynamic imports. All but the newest browsers cache a failed module import and never request that URL again: after one moment
 * without network the rest of the form would not load until the page is reloaded. The retry uses another URL of the same file. A second script of
 * another build on the page keeps the first one's: the element is the first one's too, and its parts lie beside it.
 */
export const askAgain = {
  name: 'ask-again',
  generateBundle(_options: unknown, bundle: Record<string, { type: string; code?: string; isEntry?: boolean }>): void {
    for (const file of Object.values(bundle)) {
      if (file.code === undefined) continue
      file.code = file.code.replace(/\bimport\(`\.\/hc-([a-z-]+)\.js`\)/g, 'hcI("$1")')
      // Put first: the element may be on the page already, and imports at once.
      if (file.isEntry)
        file.code = `self.hcI||(self.hcI=e=>import(e="./hc-"+e+".js").catch(()=>import(e+"#"+Math.random())));${file.code}`
    }
  },
}

/**
 * Puts the table of codes into each file of rare texts instead of one file that they share: that would be asked for only once the texts have
 * come, and a browser that keeps failed imports would not ask for it again.
 */
export const ownCodes = {
  name: 'own-codes',
  enforce: 'pre' as const,
  resolveId(id: string, from: string | undefined): string | undefined {
    return from !== undefined && id === './by-code.ts' ? `${join(dirname(from), id)}?${basename(from)}` : undefined
  },
}

const weight = (code: string): number => brotliCompressSync(code).length

/**
 * Minifies again with terser, in two ways of which each chunk keeps the lighter one; that saves another 220 bytes compressed. A chunk that would
 * get larger, such as one of texts, is left as it is.
 */
export const secondLook = {
  name: 'second-look',
  async generateBundle(_options: unknown, bundle: Record<string, { code?: string }>): Promise<void> {
    for (const file of Object.values(bundle)) {
      const { code: first } = file
      if (first === undefined) continue
      for (const hoist_funs of [false, true]) {
        const { code = '' } = await minify(first, {
          ecma: 2017,
          module: /\bexport\s*\{|\bimport\b/.test(first),
          // The bundler's conditions are more repetitive, so they compress better.
          compress: {
            passes: 3,
            conditionals: false,
            lhs_constants: false,
            unsafe_arrows: true,
            pure_getters: true,
            hoist_funs,
          },
          format: { comments: false },
        })
        if (weight(code) < weight(file.code!)) file.code = code
      }
    }
  },
}

/** For the legacy single file: bundles everything except what few people need. */
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
