// A merchant's own build of the modules that npm would publish, by Vite, as most shops have it:
// what a bundler makes of them is not what it makes of our sources. Fails when it cannot be built,
// when what is loaded later is not among its files, or when an event has no type in a page that
// imports `hc-checkout/define` alone.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { bin, root, run } from './helpers/run-quietly.ts'

const shop = mkdtempSync(join(tmpdir(), 'hc-shop-'))
try {
  mkdirSync(join(shop, 'node_modules'))
  for (const name of ['hc-checkout', 'lean-qr', 'lit'])
    symlinkSync(join(root, 'node_modules', name), join(shop, 'node_modules', name))
  writeFileSync(join(shop, 'index.html'), '<hc-checkout></hc-checkout><script type="module" src="/main.ts"></script>')
  writeFileSync(
    join(shop, 'main.ts'),
    `import 'hc-checkout/define'
document.querySelector('hc-checkout')?.addEventListener('hc-success', ({ deposit }) => console.log(deposit.id))
`,
  )
  const compiler = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '', 'main.ts']
  const types = await run(bin('tsc'), compiler, { cwd: shop })
  if (types.code !== 0) throw new Error(types.output)
  await build({ root: shop, configFile: false, logLevel: 'error' })
  const folder = join(shop, 'dist/assets')
  const files = readdirSync(folder)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const asked = new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/import\(\s*[`"']\.\/([\w.-]+)[`"']\s*\)/g)].map(([, file]) => file ?? ''),
    ),
  )
  const absent = [...asked].filter((file) => !files.includes(file))
  // The steps of a payment, and the words of each language, come when they are needed.
  if (asked.size < 4 || absent.length > 0)
    throw new Error(`Loaded later: ${[...asked].join(', ')}. Not there: ${absent.join(', ')}.`)
} finally {
  rmSync(shop, { recursive: true, force: true })
}
