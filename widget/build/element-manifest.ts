// custom-elements.json in the terms of the package: the analyzer names our sources, which are not
// published, and what only our own code may use.

interface Inherited {
  readonly inheritedFrom?: object
}
interface Declared {
  readonly name: string
  readonly superclass?: { readonly name: string; readonly package?: string }
  readonly attributes?: readonly Inherited[]
  readonly members?: readonly (Inherited & {
    readonly privacy?: string
    readonly kind: string
    readonly default?: string
  })[]
  readonly events?: readonly { readonly name?: string }[]
}
interface Module {
  readonly declarations: readonly Declared[]
  readonly exports: readonly { readonly name: string; readonly declaration: object }[]
}
export interface ElementManifest {
  readonly schemaVersion: string
  readonly readme: string
  readonly modules: readonly Module[]
}

/** The class that declares the element's properties: no name of the package. */
const BASE = 'CheckoutProperties'

/** Options of the analyzer: the sources whose names `index.ts` exports, and the one of `BASE`. */
export const analyzed = [
  '--litelement',
  '--globs',
  'hc-checkout.ts',
  'base/events.ts',
  'base/deposit-events.ts',
  'base/checkout-properties.ts',
  'base/checkout-error.ts',
] as const

const INDEX = 'dist/index.js'

/** @param read what the analyzer makes of them */
export function manifestOf(read: ElementManifest): ElementManifest {
  // The package exports classes alone; a file's constants and functions are for our own code.
  const isPublished = ({ name }: { readonly name: string }): boolean => /^[A-Z]/.test(name) && name !== BASE
  const declarations = read.modules.flatMap((module) => module.declarations.filter(isPublished).map(described))
  const exports = read.modules.flatMap((module) => module.exports.filter(isPublished).map(exported))
  const element = { name: 'HcCheckout', module: INDEX }
  const definition = { kind: 'custom-element-definition', name: 'hc-checkout', declaration: element }
  const modules = [
    { kind: 'javascript-module', path: INDEX, declarations, exports },
    { kind: 'javascript-module', path: 'dist/define.js', declarations: [], exports: [definition] },
  ]
  return { ...read, modules }
}

function exported<Export extends Module['exports'][number]>(one: Export): Export {
  return { ...one, declaration: { ...one.declaration, module: INDEX } }
}

function described(declared: Declared): Declared {
  const { superclass, attributes, members, events, ...rest } = declared
  const isElement = superclass?.name === BASE
  const kept = members?.filter(({ privacy }) => privacy !== 'private')
  return {
    ...rest,
    // The analyzer takes `Event` and `Error` for classes of the file.
    superclass: isElement ? { name: 'LitElement', package: 'lit' } : superclass && { name: superclass.name },
    attributes: attributes && asOwn(attributes),
    // It takes the constructor's argument `deposit` for the default of the field `deposit`.
    members: isElement ? kept && asOwn(kept) : kept?.map(({ default: _, ...member }) => member),
    // It takes the arguments of `new ChangeEvent(field, …)` for names of events; the real ones are
    // in the class's docstring.
    events: events?.filter(({ name }) => name?.startsWith('hc-')),
  }
}

/** What the element has from its base is the element's own to who uses it, and comes first. */
function asOwn<Part extends Inherited>(parts: readonly Part[]): Omit<Part, 'inheritedFrom'>[] {
  const isOfBase = ({ inheritedFrom }: Part): boolean => inheritedFrom !== undefined
  const sorted = [...parts.filter(isOfBase), ...parts.filter((part) => !isOfBase(part))]
  return sorted.map(({ inheritedFrom: _, ...part }) => part)
}
