// Checks the examples as a shop's own tools would: each compiles against the built package, and a
// misspelt attribute is an error in each. Run by `npm run check`.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './helpers/run-quietly.ts'

interface Manifest {
  readonly modules: readonly {
    readonly declarations: readonly { readonly tagName?: string; readonly attributes?: readonly { name: string }[] }[]
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
  const known = attributes()
  for (const file of LOOKED_UP) {
    const used = attributesIn(readFileSync(join(examples, file), 'utf8'))
    if (used.length === 0) faults.push(`${file} has no tag.`)
    for (const name of used) if (!known.has(name)) faults.push(`${file}: there is no attribute ${name}.`)
  }
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

function copyMisspelt(file: string): void {
  for (const name of ['svelte.config.js', 'package.json']) cpSync(join(examples, name), join(misspelt, name))
  writeFileSync(join(misspelt, 'tsconfig.json'), '{ "extends": "../tsconfig.json", "include": ["*/*"] }')
  cpSync(join(examples, file), join(misspelt, file), { recursive: true })
  const text = readFileSync(join(misspelt, file), 'utf8')
  const wrong = text.replace(/<(hc-checkout|HcCheckout) /, '<$1 sesion="x" ')
  if (wrong === text) throw new Error(`${file} has no tag.`)
  writeFileSync(join(misspelt, file), wrong)
}

function mentions(output: string, file: string): boolean {
  return output.includes(file) && output.includes('sesion')
}

function attributes(): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'widget/dist/custom-elements.json'), 'utf8')) as Manifest
  const element = manifest.modules.flatMap(({ declarations }) => declarations).find(({ tagName }) => tagName)
  return new Set(element?.attributes?.map(({ name }) => name))
}

/** Of each tag; an event or a directive of a framework is none. */
function attributesIn(text: string): string[] {
  return [...text.matchAll(/<hc-checkout\s([^>]*)>/g)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/(?:^|\s)(?:\[attr\.([\w-]+)\]|([\w-]+))=/g)].map(([, bound, plain]) => bound ?? plain ?? ''),
  )
}
