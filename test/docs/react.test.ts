// The example for React passes the compiler of a new Vite shop, which refuses an import that nothing uses. React itself is not installed here: what
// matters of its types is in this file.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { bin, root, run } from '../helpers/run-quietly.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-react-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const react = `export = React
declare namespace React {
  interface RefObject<T> { current: T }
  function useRef<T>(initial: T | null): RefObject<T | null>
  function useState<T>(initial: T): [T, (next: T) => void]
  function useEffect(effect: () => void | (() => void), dependencies: unknown[]): void
  interface Attributes { key?: string }
  interface ClassAttributes<T> extends Attributes { ref?: RefObject<T | null> }
  interface HTMLAttributes<T> { children?: unknown; onClick?: (event: { currentTarget: T }) => void }
  type DetailedHTMLProps<E extends HTMLAttributes<T>, T> = ClassAttributes<T> & E
  namespace JSX {
    interface IntrinsicElements { p: DetailedHTMLProps<HTMLAttributes<HTMLParagraphElement>, HTMLParagraphElement> }
  }
}`

const runtime = `import './'
import type * as React from './'
export { JSX } from './'
export declare const jsx: unknown, jsxs: unknown, Fragment: (props: { children?: unknown }) => unknown
export type Any = typeof React`

it('the compiler of a new React shop takes the example', async () => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'react'), { recursive: true })
  writeFileSync(join(modules, 'react/index.d.ts'), react)
  writeFileSync(join(modules, 'react/jsx-runtime.d.ts'), runtime)
  symlinkSync(join(root, 'node_modules/hc-checkout'), join(modules, 'hc-checkout'))
  writeFileSync(join(folder, 'checkout.tsx'), readFileSync(join(root, 'demo/examples/react/checkout.tsx')))
  writeFileSync(
    join(folder, 'page.tsx'),
    `import { Checkout } from './checkout'
export const page = <Checkout session="ses_1" />
// @ts-expect-error the companion is required
export const without = <hc-checkout session="ses_1" />
`,
  )
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module: 'esnext',
    moduleResolution: 'bundler',
    customConditions: ['hc-source'],
    allowImportingTsExtensions: true,
    types: [],
    jsx: 'react-jsx',
    strict: true,
    noEmit: true,
    verbatimModuleSyntax: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['page.tsx'] }))
  expect((await run(bin('tsc'), ['-p', folder])).output).toBe('')
})
