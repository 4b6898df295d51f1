// Runs test files with one source file replaced, in this process and without a test runner: a
// mutant is tested in the time that a runner takes to start. Supports only what the tests of the
// mutated files use of vitest.
//
//   HC_MUTANT_OF=/…/decide.ts HC_MUTANT=/tmp/mutant.ts \
//   node --conditions=hc-source test/mutants/quick.ts test/money/decide.test.ts
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const file = process.env['HC_MUTANT_OF']
const mutant = process.env['HC_MUTANT']
const target = file === undefined ? undefined : pathToFileURL(file).href

const quickVitest = new URL('quick-vitest.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vitest' &&
    context.parentURL !== quickVitest &&
    context.parentURL?.includes('/node_modules/') !== true
      ? { url: quickVitest, shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === target && mutant !== undefined
      ? { format: 'module-typescript', source: readFileSync(mutant, 'utf8'), shortCircuit: true }
      : next(url, context),
})

const { runAll, startFile } = await import('./quick-vitest.ts')
try {
  for (const test of process.argv.slice(2)) {
    startFile()
    await import(pathToFileURL(resolve(test)).href)
  }
  const ran = await runAll()
  if (ran === 0) throw new Error('No test ran.')
  process.stdout.write(`${ran} passed\n`)
} catch (error) {
  process.stdout.write(`${String(error)}: ${error instanceof Error ? String(error.cause) : ''}\n`)
  process.exit(1)
}
process.exit(0)
