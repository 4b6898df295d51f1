// The bundles are minified by kept tools, and what a customer reads and what a page uses survives
// them.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { configOf } from '../../widget/build/bundles.ts'
import { minified, shortTemplates } from '../../widget/build/build-plugins.ts'
import { root } from '../helpers/run-quietly.ts'

const widget = join(root, 'widget')

/** The files as the plugin leaves them. */
async function minify(...codes: string[]): Promise<string[]> {
  const files = codes.map((code) => ({ type: 'chunk', code }))
  const run = minified.generateBundle as unknown as (options: object, bundle: object) => Promise<void>
  await run({ format: 'es' }, Object.fromEntries(files.entries()))
  return files.map(({ code }) => code)
}

test('the build keeps private members apart, and free of the name that Preact uses', async () => {
  const members = Array.from({ length: 90 }, (_, at) => `_${'x'.repeat(1 + at)}y`)
  const [code = ''] = await minify(`export const a = (o) => [${members.map((name) => `o.${name}`).join()}]`)
  const names = [...code.matchAll(/\.([\w$]+)/g)].map(([, name]) => name)
  expect(new Set(names).size).toBe(members.length)
  expect(names.filter((name) => name?.startsWith('_x'))).toEqual([])
  expect(names).not.toContain('l')
})

test('the build names a private member alike in all files, and no public one anew', async () => {
  const [first = '', second = ''] = await minify(
    'export const a = (o) => (o._later = o.amount)',
    'export const a = (o) => (o.country = o._later)',
  )
  const [, short] = /\w+\.(\w+)=\w+\.amount/.exec(first) ?? []
  expect(short).toMatch(/^\w{1,3}$/)
  expect(second).toMatch(new RegExp(String.raw`\w+\.country=\w+\.${short}\b`))
})

test('the two legacy files are built with one memory of names: the second reads members of the first', () => {
  for (const mode of ['legacy', 'extras'] as const) expect(configOf(mode).plugins).toContain(minified)
  // Vite would load a file of its own anew for each build, and the plugins with it.
  expect(readFileSync(join(widget, 'build.ts'), 'utf8')).toContain('configFile: false')
})

test('the build keeps the spaces that a customer sees between words', async () => {
  const source = 'import { html } from \'lit\'\nexport const t = (a) => html`\n  <b>Pay</b>\n  <i class="x">${a}</i>\n`'
  const transform = shortTemplates.transform as unknown as (code: string, id: string) => Promise<{ code: string }>
  const { code } = await transform(source, join(widget, 'views/form.ts'))
  expect(code).toContain('<b>Pay</b> <i class=x>${a}</i>')
})

/** What the build steps make of a file of the widget when they are started in `cwd`. */
function startedIn(cwd: string): string {
  const at = (name: string) => JSON.stringify(pathToFileURL(join(widget, name)))
  const program = `
    import { shortTemplates } from ${at('build/build-plugins.ts')}
    import { license } from ${at('build/license-plugin.ts')}
    const file = ${JSON.stringify(join(widget, 'views/form.ts'))}
    const { code } = await shortTemplates.transform('import { html } from "lit"; html\`<b>\\n\\n  Pay</b>\`', file)
    console.log(code)
    const output = (libraries) => console.log(libraries.map(({ name }) => name))
    const licenses = license(${JSON.stringify(widget)}, { thirdParty: { output } })
    licenses.renderChunk('', { modules: { [file]: { code: '1', renderedLength: 1 } } })
    licenses.generateBundle()
  `
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd, encoding: 'utf8' })
}

test('the build makes the same wherever it is started: npm packs in the folder of the package', () => {
  const inRoot = startedIn(root)
  // Without white space, and without the widget among its own libraries.
  expect(inRoot).toBe('import { html } from "lit"; html`<b> Pay</b>`\n[]\n')
  expect(startedIn(widget)).toBe(inRoot)
  expect(startedIn(join(root, 'server'))).toBe(inRoot)
})

test('no build step knows the code of a library', () => {
  for (const name of globSync(['build.ts', 'build/*.ts'], { cwd: widget }))
    expect(readFileSync(join(widget, name), 'utf8'), name).not.toMatch(/_\$|node_modules/)
})
