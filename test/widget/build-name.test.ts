// Two builds of the widget are never mixed in one page: files that are loaded later have the build
// in their names.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildWidgetIfStale } from '../../demo/widget-bundle.ts'
import { nameBuild } from '../../widget/build/build-name.ts'
import { root } from '../helpers/run-quietly.ts'

const files = {
  'hc-checkout.js': 'import(`./hc-flow.js`);export{a as t}',
  'hc-checkout-legacy.js': 'src("hc-extras-legacy.js")',
  'hc-flow.js': 'import{t as a}from"./hc-checkout.js";import(`./hc-en-rare.js`)',
  'hc-en-rare.js': 'words',
  'hc-extras-legacy.js': 'sheets',
}
const laterOf = (build: Record<string, string>) => Object.keys(build).filter((name) => !name.startsWith('hc-checkout'))
/**
 * The files a build asks for, page's own names among them: written out, or by the one function that
 * puts `hc-` before a name and the build after it.
 */
function asked(texts: readonly string[]): Set<string> {
  const all = texts.join('\n')
  const [, build] = /"\.\/hc-"\+\w+\+"(-\w+\.js)"/.exec(all)!
  const written = [...all.matchAll(/\bhc-[\w-]+\.js\b/g)].map(([name]) => name)
  return new Set([...written, ...[...all.matchAll(/\bhcI\("([\w-]+)"\)/g)].map(([, name]) => `hc-${name}${build}`)])
}

test('a change anywhere gives other names to all that is loaded later, and none to what pages name', () => {
  const first = nameBuild(files)
  expect(laterOf(first)).toHaveLength(3)
  for (const changed of Object.keys(files)) {
    const next = nameBuild({ ...files, [changed]: `${files[changed as keyof typeof files]} ` })
    expect(laterOf(next).filter((name) => name in first)).toEqual([])
    expect(next).toHaveProperty(['hc-checkout.js'])
    expect(next).toHaveProperty(['hc-checkout-legacy.js'])
  }
  expect(nameBuild(Object.fromEntries(Object.entries(files).toReversed()))).toEqual(first)
})

test('the files of the built widget ask for each other by these names', async () => {
  await buildWidgetIfStale()
  const folder = join(root, 'widget/dist/bundle')
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const later = names.filter((name) => !/^hc-checkout(-legacy)?\.js$/.test(name))
  const builds = new Set(later.map((name) => name.replace(/^.*-|\.js$/g, '')))
  expect([...builds]).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)])
  expect(later.length).toBeGreaterThan(8)
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  expect([...asked(texts)].filter((name) => name !== 'hc-checkout.js').toSorted()).toEqual(later.toSorted())
})
