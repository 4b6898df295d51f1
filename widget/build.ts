// Builds everything that is published: the script tag's bundles with their SRI hashes, the npm
// modules and their types.
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Dependency } from 'rollup-plugin-license'
import { getWebTypesData } from 'custom-element-jet-brains-integration'
import { getVsCodeHtmlCustomData } from 'custom-element-vs-code-integration'
import { build, type InlineConfig, mergeConfig } from 'vite'
import { nameBuild } from './build/build-name.ts'
import { configOf } from './build/bundles.ts'
import { analyzed, type ElementManifest, manifestOf } from './build/element-manifest.ts'
import { type DescribedElement, frameworkTypes } from './build/framework-types.ts'
import { license } from './build/license-plugin.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const dist = `${here}dist`
const quick = process.argv.includes('--bundles')

// The same output wherever it is built: under a test runner Lit would be bundled in development
// mode.
process.env['NODE_ENV'] = 'production'

if (!quick) rmSync(dist, { recursive: true, force: true })
/** The libraries in the bundles, by name. Their licences ask to be passed on with them. */
const libraries = new Map<string, Dependency>()
const config: InlineConfig = {
  root: here,
  configFile: false,
  logLevel: 'warn',
  plugins: [
    license(here, {
      thirdParty: {
        output: (dependencies) => {
          for (const library of dependencies) libraries.set(library.name ?? '', library)
        },
      },
    }),
  ],
}
// Built in a folder of its own, then moved: two builds may run at once and must not mix their
// files.
const making = `${dist}/bundle-${process.pid}`
for (const mode of ['bundle', 'legacy', 'extras'] as const)
  await build(mergeConfig(configOf(mode), { ...config, build: { outDir: making } }))
if (!quick) await build(mergeConfig(configOf('npm'), config))

const built: Record<string, string> = {}
for (const name of readdirSync(making)) {
  built[name] = readFileSync(`${making}/${name}`, 'utf8')
  rmSync(`${making}/${name}`)
}
const integrity: Record<string, string> = {}
for (const [name, text] of Object.entries(nameBuild(built))) {
  writeFileSync(`${making}/${name}`, text)
  integrity[name] = `sha384-${createHash('sha384').update(text).digest('base64')}`
}
writeFileSync(`${making}/integrity.json`, `${JSON.stringify(integrity, undefined, 2)}\n`)
writeFileSync(
  `${making}/THIRD-PARTY-LICENSES.txt`,
  [...libraries.values()].map((library) => library.text()).join(`\n\n${'-'.repeat(80)}\n\n`),
)
rmSync(`${dist}/bundle`, { recursive: true, force: true })
renameSync(making, `${dist}/bundle`)

if (!quick) {
  execFileSync('tsc', ['-p', `${here}tsconfig.build.json`], { stdio: 'inherit', cwd: here })
  // Only the types of the element's own files: those of the contract are private.
  cpSync(`${dist}/types/widget`, dist, { recursive: true })
  rmSync(`${dist}/types`, { recursive: true, force: true })
  for (const name of globSync('**/*.d.ts', { cwd: dist })) {
    const text = readFileSync(`${dist}/${name}`, 'utf8')
    // Declarations that use the companion's contract are private; a shop's types must not need
    // another package.
    if (text.includes('server/contract')) rmSync(`${dist}/${name}`)
    else writeFileSync(`${dist}/${name}`, text.replace(/(from '\.[^']*|import(?:\(| )'\.[^']*)\.ts'/g, "$1.js'"))
  }
  execFileSync('cem', ['analyze', ...analyzed, '--outdir', 'dist', '--quiet'], { stdio: 'inherit', cwd: here })
  const manifest = `${dist}/custom-elements.json`
  if (!existsSync(manifest)) throw new Error('The custom elements manifest was not written.')
  const described = manifestOf(JSON.parse(readFileSync(manifest, 'utf8')) as ElementManifest)
  writeFileSync(manifest, `${JSON.stringify(described, undefined, 2)}\n`)
  describeForTools(described)
}

/** Types for frameworks, and what editors read. */
function describeForTools(described: ElementManifest): void {
  const declarations: readonly object[] = described.modules.flatMap((module) => module.declarations)
  const element = declarations.find((declared): declared is DescribedElement => 'tagName' in declared)
  if (element === undefined) throw new Error('The manifest describes no element.')
  mkdirSync(`${dist}/types`, { recursive: true })
  for (const [name, text] of Object.entries(frameworkTypes(element))) writeFileSync(`${dist}/types/${name}`, text)
  const { name, version } = JSON.parse(readFileSync(`${here}package.json`, 'utf8')) as { name: string; version: string }
  // They write into what they are given.
  const copy = () => structuredClone(described) as unknown as Parameters<typeof getWebTypesData>[0]
  // Else it would take both from the folder that the build is started in.
  const webTypes = { ...(JSON.parse(getWebTypesData(copy(), { hideLogs: true })) as object), name, version }
  writeFileSync(`${dist}/web-types.json`, `${JSON.stringify(webTypes, undefined, 2)}\n`)
  writeFileSync(`${dist}/vscode.html-custom-data.json`, getVsCodeHtmlCustomData(copy(), { hideLogs: true }))
}
