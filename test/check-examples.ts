// Checks the examples, and the code that the playground writes, as a shop's own tools would: each
// compiles against the built package, and a misspelt attribute is an error in each. Run by `npm run
// check`.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Chosen, samples } from '../demo/app/playground/code.ts'
import { root, run } from './helpers/run-quietly.ts'

interface Attribute {
  readonly name: string
  readonly type?: { readonly text: string }
}
interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly { readonly tagName?: string; readonly attributes?: readonly Attribute[] }[]
  }[]
}

const examples = join(root, 'demo/examples')
/** Each file that compiles, with the tool that reads its tags. */
const COMPILED = {
  tsc: ['react/checkout.tsx', 'react/tag.tsx', 'preact/checkout.tsx', 'solid/checkout.tsx'],
  'vue-tsc': ['vue/Checkout.vue'],
  'svelte-check': ['svelte/Checkout.svelte'],
} as const
/** Their templates are read by nobody: the attributes are looked up. */
const LOOKED_UP = ['plain/index.html', 'angular/checkout.component.ts']
/**
 * Of each way of the playground: the kind of its file, and the tool that reads its tags, if one
 * does.
 */
const OF_PLAYGROUND: Readonly<Record<string, readonly [ending: string, tool?: Tool]>> = {
  'Script tag': ['html'],
  React: ['tsx', 'tsc'],
  Vue: ['vue', 'vue-tsc'],
  Svelte: ['svelte', 'svelte-check'],
  Angular: ['ts'],
  PHP: ['php'],
}
/** What ends a text, a tag or an expression somewhere. */
const ODD = 'O"Neill & <b>{x} {{y}} `z` ${0} ?>'

const faults: string[] = []
const misspelt = mkdtempSync(join(examples, '.misspelt-'))
try {
  for (const tool of tools()) {
    const { code, output } = await compile(tool, examples)
    if (code !== 0) faults.push(`${tool} ended with ${code}:\n${output}`)
  }
  for (const [tool, files] of Object.entries(COMPILED) as [Tool, readonly string[]][]) {
    for (const file of files) copyMisspelt(file)
    const { code, output } = await compile(tool, misspelt)
    for (const file of files)
      if (code === 0 || !mentions(output, file))
        faults.push(`${tool} takes a misspelt attribute in ${file}:\n${output}`)
  }
  rmSync(join(misspelt, 'react/checkout.tsx'))
  writeFileSync(
    join(misspelt, 'react/tag.tsx'),
    readFileSync(join(examples, 'react/tag.tsx'), 'utf8').replace(/ companion="[^"]*"/, ''),
  )
  const { output } = await compile('tsc', misspelt)
  if (!/react\/tag\.tsx.*\n?.*companion/.test(output)) faults.push(`tsc takes a tag without a companion:\n${output}`)
  for (const file of LOOKED_UP) lookUp(file, readFileSync(join(examples, file), 'utf8'))
  await checkPlayground({ few: { attributes: [], tokens: [], texts: [] }, all: everything() })
} finally {
  rmSync(misspelt, { recursive: true, force: true })
}
if (faults.length > 0) console.error(faults.join('\n'))
process.exitCode = faults.length > 0 ? 1 : 0

type Tool = keyof typeof COMPILED

function tools(): Tool[] {
  return Object.keys(COMPILED) as Tool[]
}

function compile(tool: Tool, folder: string) {
  const args = tool === 'svelte-check' ? ['--tsconfig', './tsconfig.json', '--output', 'machine'] : ['-p', '.']
  // Those for Vue and Svelte need the older compiler, beside which npm has put them.
  const beside = join(root, 'demo/node_modules/.bin', tool)
  const isBeside = tool !== 'tsc' && existsSync(beside)
  return run(isBeside ? beside : join(root, 'node_modules/.bin', tool), args, { cwd: folder })
}

/** Each compiles as it is, and no longer with a misspelt attribute. */
async function checkPlayground(choices: Readonly<Record<string, Chosen>>): Promise<void> {
  rmSync(misspelt, { recursive: true })
  const made = Object.entries(choices).flatMap(([choice, chosen]) =>
    Object.entries(OF_PLAYGROUND).map(([name, [ending, tool]]) => {
      return { file: `${ending}/${choice}.${ending}`, text: samples[name]?.(chosen) ?? '', tool }
    }),
  )
  for (const { file, text, tool } of made) {
    if (tool === undefined) lookUp(`the playground’s ${file}`, text)
    write(file, text)
  }
  for (const tool of tools()) {
    const { code, output } = await compile(tool, misspelt)
    if (code !== 0) faults.push(`${tool} ends with ${code} for the playground’s code:\n${output}`)
  }
  for (const { file, text } of made) write(file, withFault(file, text))
  for (const tool of tools()) {
    const { code, output } = await compile(tool, misspelt)
    for (const { file } of made.filter((one) => one.tool === tool))
      if (code === 0 || !mentions(output, file))
        faults.push(`${tool} takes a misspelt attribute in the playground’s ${file}:\n${output}`)
  }
}

/** All that can be set there. */
function everything(): Chosen {
  const valueOf = ({ type }: Attribute): string => {
    if (type?.text.includes('boolean')) return 'true'
    return /'([^']+)'/.exec(type?.text ?? '')?.[1] ?? (type?.text.includes('number') ? '2300' : ODD)
  }
  const attributes = known().flatMap((one): [string, string][] =>
    one.name === 'companion' ? [] : [[one.name, valueOf(one)]],
  )
  return { attributes, tokens: [['--hc-accent', '#8a2f6b']], texts: [['name', ODD]] }
}

function copyMisspelt(file: string): void {
  write(file, withFault(file, readFileSync(join(examples, file), 'utf8')))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(misspelt, file)), { recursive: true })
  for (const name of ['svelte.config.js', 'package.json']) cpSync(join(examples, name), join(misspelt, name))
  writeFileSync(join(misspelt, 'tsconfig.json'), '{ "extends": "../tsconfig.json", "include": ["*/*"] }')
  writeFileSync(join(misspelt, file), text)
}

function withFault(file: string, text: string): string {
  const wrong = text.replace(/<(hc-checkout|HcCheckout) /, '<$1 sesion="x" ')
  if (wrong === text) throw new Error(`${file} has no tag.`)
  return wrong
}

function mentions(output: string, file: string): boolean {
  return output.includes(file) && output.includes('sesion')
}

function lookUp(file: string, text: string): void {
  const used = attributesIn(text.replaceAll(/<\?.*?\?>/g, ''))
  if (used.length === 0) faults.push(`${file} has no tag.`)
  for (const name of used)
    if (!known().some((one) => one.name === name)) faults.push(`${file}: there is no attribute ${name}.`)
}

function known(): readonly Attribute[] {
  const manifest = JSON.parse(readFileSync(join(root, 'widget/dist/custom-elements.json'), 'utf8')) as Manifest
  const element = manifest.modules.flatMap(({ declarations }) => declarations).find(({ tagName }) => tagName)
  return element?.attributes ?? []
}

/** Of each tag; an event or a directive of a framework is none. */
function attributesIn(text: string): string[] {
  return [...text.matchAll(/<hc-checkout\s([^>]*)>/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(?:^|\s)(?:\[attr\.([\w-]+)\]|([\w-]+))=/g)].map(([, bound, plain]) => bound ?? plain ?? ''),
  )
}
