// Fails on an import that test/import-rules.ts does not allow, on an import cycle (types included),
// on an import of what another package does not export, where code that gets clock, random, fetch
// and timers injected uses the machine's own, and on a rule that nothing needs.
import { globSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, matchesGlob, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type FileFacts, readFile } from './helpers/read-imports.ts'
import { type ImportRule, importRules, machineAdapters } from './import-rules.ts'

export interface Source {
  /** From the root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Every fault of the given files, one sentence each. */
export function importFaults(sources: readonly Source[], rules = importRules, adapters = machineAdapters): string[] {
  const facts = new Map(sources.map(({ path, text }) => [path, readFile(path, text)]))
  return [...facts]
    .flatMap(([path, fact]) => faultsOf(path, fact, rules, adapters))
    .concat(cycleFaults(facts), folderCycleFaults(facts))
}

function faultsOf(
  path: string,
  { imports, reaches }: FileFacts,
  rules: readonly ImportRule[],
  adapters: typeof machineAdapters,
): string[] {
  const rule = ruleFor(path, rules)
  if (rule === undefined) return [`${path} has no row in test/import-rules.ts.`]
  const faults: string[] = []
  for (const { specifier, isType } of imports) {
    const target = resolve(path, specifier)
    const home = ruleFor(target, rules)
    const isOwn = specifier.startsWith('.') && home?.of === rule.of
    const allowed = isType ? [...rule.values, ...(rule.types ?? [])] : rule.values
    if (isOwn || allowed.some((entry) => covers(entry, target))) continue
    const asType =
      !isType && (rule.types ?? []).some((entry) => covers(entry, target)) ? ' It may as a type (import type).' : ''
    faults.push(`${path} may not import ${target}: ${rule.of} has no such arrow.${asType}`)
  }
  if (rule.pure === true) {
    const taken = adapters.find(({ file }) => file === path)?.takes ?? []
    for (const { name, line } of reaches) {
      if (!taken.includes(name)) faults.push(`${path}:${line} reaches for ${name}: in ${rule.of} it is handed in.`)
    }
  }
  return faults
}

/**
 * What the tables allow and no file needs, one sentence each: a map with more arrows than there are
 * would let the next wrong import pass. `values` that are imported as types only belong to `types`.
 */
export function unusedRules(sources: readonly Source[], rules = importRules, adapters = machineAdapters): string[] {
  const facts = sources.map(({ path, text }) => ({ path, rule: ruleFor(path, rules), ...readFile(path, text) }))
  const arrows = rules.flatMap((rule) => {
    const imports = facts
      .filter((fact) => fact.rule === rule)
      .flatMap(({ path, imports: own }) =>
        own.map(({ specifier, isType }) => ({ to: resolve(path, specifier), isType })),
      )
    const isUsed = (entry: string, asType: boolean): boolean =>
      imports.some(({ to, isType }) => isType === asType && covers(entry, to))
    return [
      ...rule.values.filter((entry) => !isUsed(entry, false)).map((entry) => `${rule.of} does not import ${entry}.`),
      ...(rule.types ?? [])
        .filter((entry) => !isUsed(entry, true))
        .map((entry) => `${rule.of} imports no type of ${entry}.`),
    ]
  })
  const takes = adapters.flatMap(({ file, takes: allowed }) => {
    const reached = facts.find(({ path }) => path === file)?.reaches ?? []
    const unused = allowed.filter((taken) => !reached.some(({ name }) => name === taken))
    return unused.map((taken) => `${file} does not reach for ${taken}.`)
  })
  return [...arrows, ...takes].map((fault) => `test/import-rules.ts allows more than there is: ${fault}`)
}

function ruleFor(path: string, rules: readonly ImportRule[]): ImportRule | undefined {
  return rules.filter(({ of }) => covers(of, path)).toSorted((a, b) => b.of.length - a.of.length)[0]
}

function covers(entry: string, target: string): boolean {
  return entry === 'node:*' ? target.startsWith('node:') : target === entry || target.startsWith(`${entry}/`)
}

function resolve(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
}

/** Each cycle once, as the way round. */
function cycleFaults(facts: ReadonlyMap<string, FileFacts>): string[] {
  const faults: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const walk = (path: string): void => {
    const at = way.indexOf(path)
    if (at >= 0) faults.push(`Files import each other in a circle: ${[...way.slice(at), path].join(' → ')}.`)
    if (at >= 0 || done.has(path)) return
    way.push(path)
    for (const { specifier, isType } of facts.get(path)?.imports ?? []) {
      const target = resolve(path, specifier)
      // `typeof import('./itself.ts')` names a type; there is no second file to go round by.
      if (isType && target === path) continue
      if (facts.has(target)) walk(target)
    }
    way.pop()
    done.add(path)
  }
  for (const path of facts.keys()) walk(path)
  return faults
}

/**
 * The paths that a package lists in its `exports`, as `./name`; undefined for one that is not
 * installed.
 */
type ExportsOf = (name: string, importer: string) => readonly string[] | undefined

/**
 * Imports of a path inside a package that its `exports` does not list: such a file may go with any
 * release.
 */
export function insideFaults(sources: readonly Source[], exportsOf: ExportsOf = installedExports): string[] {
  return sources.flatMap(({ path, text }) =>
    readFile(path, text).imports.flatMap(({ specifier }) => {
      if (specifier.includes('node_modules/')) return [`${path} imports ${specifier}, by its place on this disk.`]
      const [, name, inside] = /^((?:@[^/]+\/)?[^./@][^/]*)\/(.+)$/.exec(specifier) ?? []
      if (name === undefined || inside === undefined || name.includes(':')) return []
      const listed = exportsOf(name, path) ?? []
      if (listed.some((entry) => matchesGlob(`./${inside}`, entry))) return []
      return [`${path} imports ${specifier}, which ${name} does not export.`]
    }),
  )
}

function installedExports(name: string, importer: string): readonly string[] | undefined {
  const file = findPackageJSON(name, pathToFileURL(join(dirname(import.meta.dirname), importer)))
  if (file === undefined) return undefined
  const { exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as { readonly exports?: string | object }
  return typeof exports === 'string' ? [] : Object.keys(exports)
}

const OF_CODE = ['server/**/*.ts', 'widget/**/*.ts', 'demo/{*,{app,sandbox,shop}/**/*}.ts']
const OF_ALL = ['*.{ts,js}', '{server,widget,demo,test}/**/*.ts']

/** Where folders may not import each other in a circle. */
const OF_FOLDERS = /^(server|widget|demo\/sandbox)\//

/**
 * A circle of folders of server, widget or sandbox: then neither can be read without the other. A
 * folder and one within it are two.
 */
function folderCycleFaults(facts: ReadonlyMap<string, FileFacts>): string[] {
  const arrows = new Map<string, Map<string, string>>()
  for (const [path, { imports }] of facts)
    for (const { specifier } of imports) {
      const target = resolve(path, specifier)
      const [from, to] = [posix.dirname(path), posix.dirname(target)]
      if (!facts.has(target) || from === to || !OF_FOLDERS.test(path) || !OF_FOLDERS.test(target)) continue
      const own = arrows.get(from) ?? new Map<string, string>()
      arrows.set(from, own.set(to, `${path} imports ${target}`))
    }
  const faults: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const walk = (folder: string): void => {
    const at = way.indexOf(folder)
    if (at >= 0) {
      const round = [...way.slice(at), folder]
      const why = round.slice(1).map((to, index) => arrows.get(round[index] ?? '')?.get(to))
      faults.push(`Folders import each other in a circle: ${round.join(' → ')} (${why.join('; ')}).`)
    }
    if (at >= 0 || done.has(folder)) return
    way.push(folder)
    for (const to of arrows.get(folder)?.keys() ?? []) walk(to)
    way.pop()
    done.add(folder)
  }
  for (const folder of arrows.keys()) walk(folder)
  return faults
}

/** Sources of the repository. */
function repositorySources(root: string, patterns: readonly string[]): Source[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', 'demo/examples/**'] })
    .toSorted()
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }))
}

if (import.meta.main) {
  const root = dirname(import.meta.dirname)
  const sources = repositorySources(root, OF_CODE)
  const faults = [...importFaults(sources), ...unusedRules(sources), ...insideFaults(repositorySources(root, OF_ALL))]
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exit(1)
  console.log(`${sources.length} files keep to their arrows.`)
}
