// Builds the published package: the sources as modules and types, with the contract's types
// written out.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractTypes } from './contract-types.ts'

const here = import.meta.dirname
/** Only needed to build. */
const TOOLS = ['build.ts', 'contract-types.ts']

// Below this folder, so that the compiler finds the packages.
const copy = mkdtempSync(join(here, '.build-'))
try {
  const sources = globSync('*.ts', { cwd: here }).filter((name) => !TOOLS.includes(name))
  for (const name of sources) cpSync(join(here, name), join(copy, name))
  writeFileSync(join(copy, 'contract.ts'), await contractTypes())
  rmSync(join(here, 'dist'), { recursive: true, force: true })
  const config = {
    extends: '../../../tsconfig.json',
    compilerOptions: {
      noEmit: false,
      customConditions: [],
      rootDir: '.',
      outDir: '../dist',
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      rewriteRelativeImportExtensions: true,
      // What Node, Bun, Deno and Workers have in common.
      types: [],
      lib: ['ES2024', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    },
    include: ['*.ts'],
  }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(config))
  execFileSync('tsc', ['-p', copy], { stdio: 'inherit', cwd: here })
} finally {
  rmSync(copy, { recursive: true, force: true })
}
