// `npm run check`: all checks that do not run the product. One line per step, and the whole output
// of a failed step. With arguments, as in `npm run check -- lint types`, only those steps.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin, root, run, type Ran } from './helpers/run-quietly.ts'

/** All Markdown that people read. */
const prose = ['*.md', 'demo/docs/**/*.md', '{widget,server,server/client,demo/examples,demo/sandbox}/README.md']

type Step = readonly [name: string, work: () => Promise<Ran>]

const steps: readonly Step[] = [
  ['format', () => run(bin('oxfmt'), ['--check', '.'])],
  ['lint', () => run(bin('oxlint'), [])],
  ['prose', () => run(bin('textlint'), prose)],
  ['words', () => run(process.execPath, ['test/check-words.ts'])],
  ['types', () => run(bin('tsc'), ['--noEmit', '-p', 'tsconfig.json'])],
  ['imports', () => run(process.execPath, ['--conditions=hc-source', 'test/check-imports.ts'])],
  ['dead code', () => run(bin('knip'), [])],
  ['build', build],
  ['package widget', () => packageTruth('widget')],
  ['package server', () => packageTruth('server')],
  ['package sandbox', () => packageTruth('demo/sandbox')],
  ['package client', () => packageTruth('server/client')],
  ['examples', () => run(process.execPath, ['--conditions=hc-source', 'test/check-examples.ts'])],
  ['program', program],
  ['shop', () => run(process.execPath, ['--conditions=hc-source', 'test/shop-build.ts'])],
  ['pages', () => run('npm', ['run', '--silent', 'build:demo'])],
  ['size', () => run(bin('size-limit'), [])],
]

const named = process.argv.slice(2)
const names = new Set(steps.map(([name]) => name.split(' ')[0] ?? name))
const unknown = named.filter((name) => !names.has(name))
// What was not checked must not look green.
if (unknown.length > 0) {
  console.error(`There is no step ${unknown.join(', ')}. There are: ${[...names].join(', ')}.`)
  process.exit(1)
}
let failed = 0
for (const [name, work] of steps) {
  if (named.length > 0 && !named.includes(name.split(' ')[0] ?? name)) continue
  const { code, output, seconds } = await work()
  if (code !== 0) {
    failed++
    console.error(output.trim())
  }
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
}
process.exitCode = failed > 0 ? 1 : 0

/** From nothing, so that no file of an earlier build is taken for one of this. */
async function build(): Promise<Ran> {
  for (const folder of ['widget/dist', 'server/dist', 'server/client/dist', 'demo/sandbox/dist'])
    rmSync(join(root, folder), { recursive: true, force: true })
  return run('npm', ['run', '--silent', 'build'])
}

/**
 * Each command of the program as it is built loads and explains itself; `start` without settings
 * says which are missing.
 */
async function program(): Promise<Ran> {
  const cli = join(root, 'server/dist/cli/cli.js')
  const help = await run(process.execPath, [cli, '--help'])
  const commands = [...help.output.matchAll(/^  (\w+) /gm)].map(([, name]) => name ?? '')
  const each = await Promise.all(commands.map((name) => run(process.execPath, [cli, name, '--help'])))
  const start = await run(process.execPath, [cli, 'start'], { env: { PATH: process.env['PATH'] ?? '' } })
  const isRight = commands.length > 5 && start.code === 2 && start.output.includes('HC_MERCHANT_KEY is missing')
  const all = [help, ...each]
  return {
    code: isRight && all.every(({ code }) => code === 0) ? 0 : 1,
    output: [...all, start].map(({ output }) => output).join('\n'),
    seconds: [...all, start].reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

/**
 * What npm would publish: its exports resolve, its types fit, for every kind of importer; and npm
 * packs and publishes it without a word against it.
 */
async function packageTruth(folder: string): Promise<Ran> {
  const cwd = join(root, folder)
  // As it was built by the step above: packing alone would build it once more. Nothing is asked of
  // a registry: what is right does not depend on what others have published.
  const env = { npm_config_ignore_scripts: 'true', npm_config_registry: 'http://127.0.0.1:9' }
  const offline = { ...env, npm_config_fetch_retries: '0' }
  const all = [
    await run(bin('publint'), ['--strict'], { cwd }),
    await run(bin('attw'), ['--pack', '.', '--profile', 'esm-only', '--format', 'ascii'], { cwd, env }),
    withoutWarnings(await run('npm', ['pack', '--dry-run'], { cwd, env: offline })),
    withoutWarnings(await run('npm', ['publish', '--dry-run'], { cwd, env: offline })),
  ]
  return {
    code: all.find(({ code }) => code !== 0)?.code ?? 0,
    output: all.map(({ output }) => output).join('\n'),
    seconds: all.reduce((sum, { seconds }) => sum + seconds, 0),
  }
}

/** npm corrects what it can in a package.json, warns, and ends with 0. */
function withoutWarnings({ code, output, ...rest }: Ran): Ran {
  const warned = output.split('\n').some((line) => /^npm (warn|error)/i.test(line) && !line.includes('to be logged in'))
  return { ...rest, output, code: code || (warned ? 1 : 0) }
}
