// The import check itself: a planted fault of each kind is found, and the allowed forms are not.
import { expect, test } from 'vitest'
import { importFaults, insideFaults, unusedRules } from '../check-imports.ts'

const at = (path: string, text: string) => importFaults([{ path, text }])

test('a route that imports a store adapter is refused', () => {
  expect(
    at('server/http/planted.ts', "import { openStore } from '../store/sqlite/sqlite.ts'\nexport const a = openStore"),
  ).toEqual(['server/http/planted.ts may not import server/store/sqlite/sqlite.ts: server/http has no such arrow.'])
})

test('the sandbox may not share code with upstream, not even as a type', () => {
  expect(
    at(
      'demo/sandbox/planted.ts',
      "import type { Signer } from '../../server/upstream/sign.ts'\nexport type A = Signer",
    ),
  ).toHaveLength(1)
})

test('the widget may import the contract as types only, and is told so', () => {
  expect(
    at(
      'widget/client/planted.ts',
      "import type { DepositView } from '../../server/contract/index.ts'\nexport type A = DepositView",
    ),
  ).toEqual([])
  expect(
    at(
      'widget/client/planted.ts',
      "import { DepositView } from '../../server/contract/index.ts'\nexport const a = DepositView",
    )[0],
  ).toMatch(/It may as a type/)
})

test.each([
  ["export * from '../upstream/client.ts'"],
  ["export { a } from '../upstream/client.ts'"],
  ["export const a = () => import('../upstream/client.ts')"],
  ["export type A = import('../../server/upstream/sign.ts').A"],
])('every form of import is seen: %s', (text) => {
  expect(at('server/deposits/planted.ts', text)).toHaveLength(1)
})

test('two files that import each other are refused, even by types alone', () => {
  const faults = importFaults([
    { path: 'server/deposits/a.ts', text: "import type { B } from './b.ts'\nexport type A = B" },
    { path: 'server/deposits/b.ts', text: "import type { A } from './a.ts'\nexport type B = A" },
  ])
  expect(faults).toEqual([
    'Files import each other in a circle: server/deposits/a.ts → server/deposits/b.ts → server/deposits/a.ts.',
  ])
})

test.each([
  ['export const a = () => Date.now()', 'Date.now'],
  ['export const a = () => new Date()', 'new Date()'],
  ['export const a = () => Math.random()', 'Math.random'],
  ['export const a = () => setTimeout(() => {}, 1)', 'setTimeout'],
  ["export const a = () => fetch('https://a.example')", 'fetch'],
  ['export const a = ({ get = fetch }) => get', 'fetch'],
  ["export const a = process.env['HC_SECRET']", 'process'],
])('the domain may not reach for the machine: %s', (text, name) => {
  expect(at('server/deposits/planted.ts', text)).toEqual([
    `server/deposits/planted.ts:1 reaches for ${name}: in server/deposits it is handed in.`,
  ])
})

test.each([
  ["export const a = ({ fetch }: { fetch: typeof globalThis.fetch }) => fetch('https://a.example')"],
  ['export const a = (options: { now: () => number }) => new Date(options.now())'],
  ['export interface A { setTimeout(run: () => void): void; fetch: (url: string) => void }'],
  ['export const a = (timers: { setTimeout: (run: () => void) => void }) => timers.setTimeout(() => {})'],
])('what is handed in may carry any name: %s', (text) => {
  expect(at('server/deposits/planted.ts', text)).toEqual([])
})

test('a folder without a row is refused', () => {
  expect(at('attic/planted.ts', 'export const a = 1')).toEqual(['attic/planted.ts has no row in test/import-rules.ts.'])
})

test('an arrow that no file needs is refused, and one that only a type needs as a value', () => {
  const rules = [
    { of: 'server/a', values: ['node:fs', 'server/b', 'server/c'], types: ['server/d', 'server/e'] },
    { of: 'server/b', values: [] },
  ]
  const text = "import { b } from '../b/b.ts'\nimport type { C } from '../c/c.ts'\nimport type { D } from '../d/d.ts'"
  expect(unusedRules([{ path: 'server/a/a.ts', text }], rules, [])).toEqual(
    [
      'server/a does not import node:fs.',
      'server/a does not import server/c.',
      'server/a imports no type of server/e.',
    ].map((fault) => `test/import-rules.ts allows more than there is: ${fault}`),
  )
})

test('a file that may reach for the machine and does not is refused', () => {
  const adapters = [{ file: 'server/a.ts', takes: ['Date.now', 'setTimeout'], why: 'is planted' }]
  expect(unusedRules([{ path: 'server/a.ts', text: 'export const now = Date.now' }], [], adapters)).toEqual([
    'test/import-rules.ts allows more than there is: server/a.ts does not reach for setTimeout.',
  ])
})

test.each([
  [
    "import connect from 'undici/lib/core/connect.js'\nexport const a = connect",
    'undici/lib/core/connect.js',
    'undici',
  ],
  ["export type A = import('pino/lib/levels.js').A", 'pino/lib/levels.js', 'pino'],
  ["export * from '@hono/node-server/dist/listener.mjs'", '@hono/node-server/dist/listener.mjs', '@hono/node-server'],
  ["export const a = () => import('hono/dist/hono.js')", 'hono/dist/hono.js', 'hono'],
])('a path inside a package that the package does not export is refused: %s', (text, specifier, name) => {
  expect(insideFaults([{ path: 'test/planted.ts', text }])).toEqual([
    `test/planted.ts imports ${specifier}, which ${name} does not export.`,
  ])
})

test('so is a way to it by its place on the disk', () => {
  const text = "export * from '../node_modules/undici/lib/core/connect.js'"
  expect(insideFaults([{ path: 'test/planted.ts', text }])).toHaveLength(1)
})

test.each([
  ["import { request } from 'undici'\nexport const a = request"],
  ["import { etag } from 'hono/etag'\nexport const a = etag"],
  ["import type { StatusCode } from 'hono/utils/http-status'\nexport type A = StatusCode"],
  ["import { readFile } from 'node:fs/promises'\nexport const a = readFile"],
  ["export * from './lib/a.ts'"],
  ["export * from '@hono/node-server'"],
])('what a package exports may be imported: %s', (text) => {
  expect(insideFaults([{ path: 'server/planted.ts', text }])).toEqual([])
})

test.each([
  ['server/deposits', 'machine'],
  ['widget', 'views'],
  ['demo/sandbox', 'panel'],
])('two folders that import each other are refused, with the imports that make the circle: %s', (outer, name) => {
  const inner = `${outer}/${name}`
  const faults = importFaults([
    { path: `${outer}/a.ts`, text: `import type { B } from './${name}/b.ts'\nexport type A = B` },
    { path: `${inner}/b.ts`, text: "import type { C } from '../c.ts'\nexport type B = C" },
    { path: `${outer}/c.ts`, text: 'export type C = string' },
  ])
  expect(faults.filter((fault) => fault.startsWith('Folders'))).toEqual([
    `Folders import each other in a circle: ${outer} → ${inner} → ${outer} (${outer}/a.ts imports ${inner}/b.ts; ${inner}/b.ts imports ${outer}/c.ts).`,
  ])
})
