// What the package of the widget has: what it runs on, and the licences of what is in its bundles.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const widget = join(import.meta.dirname, '../../widget')

it('has no sources', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: widget, encoding: 'utf8' }),
  ) as [{ files: { path: string }[] }]
  const files = packed.files.map(({ path }) => path).filter((path) => !/^dist\/.*\.(d\.ts|js|js\.map|json)$/.test(path))
  expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist/bundle/THIRD-PARTY-LICENSES.txt', 'package.json'])
})

it('passes on the licence of each library in its bundles', () => {
  const licenses = readFileSync(join(widget, 'dist/bundle/THIRD-PARTY-LICENSES.txt'), 'utf8')
  const names = [...licenses.matchAll(/^Name: (.*)$/gm)].map(([, name]) => String(name))
  const lit = ['@lit/reactive-element', 'lit', 'lit-element', 'lit-html']
  expect(names.toSorted()).toEqual([...lit, 'lean-qr'].toSorted())
  expect(licenses.match(/Redistributions in binary form must reproduce the above copyright/g)).toHaveLength(lit.length)
  expect(licenses).toMatch(/Name: lean-qr\n[^]*?Permission is hereby granted[^]*?(\n---|$)/)
})
