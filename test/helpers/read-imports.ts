// Parses a TypeScript file to find its imports and the globals of the machine that it uses.
import { parseSync } from 'vite'

export interface FoundImport {
  readonly specifier: string
  /** True if the import is erased at run time. */
  readonly isType: boolean
}

export interface FileFacts {
  readonly imports: readonly FoundImport[]
  /** Globals used, such as `Date.now`, each with its line. */
  readonly reaches: readonly { readonly name: string; readonly line: number }[]
}

/** Globals that tie code to the machine; the domain gets them injected. */
const GLOBALS = new Set(['process', 'setTimeout', 'setInterval', 'setImmediate', 'fetch'])
const MEMBERS = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'globalThis.fetch',
])

/** Properties inside destructuring patterns; a pattern is visited before its parts. */
const patterns = new WeakSet<Node>()

type Node = { type: string; start: number } & Record<string, unknown>

/** @throws an Error that names the file if it does not parse. */
export function readFile(path: string, source: string): FileFacts {
  const { program, errors } = parseSync(path, source, { lang: path.endsWith('.js') ? 'js' : 'ts' })
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`)
  const imports: FoundImport[] = []
  const reaches: { name: string; line: number }[] = []
  const declared = new Set<string>()
  const used: { name: string; start: number }[] = []

  visit(program as unknown as Node, undefined, (node, parent) => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration': {
        const specifier = literal(node['source'])
        if (specifier === undefined) break
        const names = (node['specifiers'] as { importKind?: string; exportKind?: string }[] | undefined) ?? []
        const isType =
          node['importKind'] === 'type' ||
          node['exportKind'] === 'type' ||
          (names.length > 0 && names.every((name) => name.importKind === 'type' || name.exportKind === 'type'))
        imports.push({ specifier, isType })
        break
      }
      case 'ImportExpression':
      case 'TSImportType': {
        const specifier = literal(node['source'] ?? node['argument'])
        if (specifier !== undefined) imports.push({ specifier, isType: node.type === 'TSImportType' })
        break
      }
      case 'ObjectPattern':
        for (const property of node['properties'] as Node[]) patterns.add(property)
        break
      case 'NewExpression':
        if (isIdentifier(node['callee'], 'Date') && (node['arguments'] as unknown[]).length === 0)
          used.push({ name: 'new Date()', start: node.start })
        break
      case 'MemberExpression': {
        const object = node['object'] as Node
        const name = `${nameOf(object)}.${nameOf(node['property'] as Node)}`
        if (node['computed'] !== true && MEMBERS.has(name)) used.push({ name, start: node.start })
        break
      }
      case 'Identifier': {
        const name = nameOf(node)
        if (!GLOBALS.has(name)) break
        if (isDeclaration(node, parent)) declared.add(name)
        else if (isValue(node, parent)) used.push({ name, start: node.start })
        break
      }
    }
  })
  for (const { name, start } of used) {
    // A parameter or option of that name is the injected one, not the machine's.
    if (!declared.has(name)) reaches.push({ name, line: source.slice(0, start).split('\n').length })
  }
  return { imports, reaches }
}

function visit(node: Node, parent: Node | undefined, see: (node: Node, parent: Node | undefined) => void): void {
  see(node, parent)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === 'object' && child !== null && typeof (child as Node).type === 'string')
        visit(child as Node, node, see)
    }
  }
}

function literal(node: unknown): string | undefined {
  const value =
    (node as { value?: unknown; literal?: { value?: unknown } } | null | undefined)?.value ??
    (node as { literal?: { value?: unknown } } | null)?.literal?.value
  return typeof value === 'string' ? value : undefined
}

function nameOf(node: Node): string {
  return typeof node['name'] === 'string' ? node['name'] : ''
}

function isIdentifier(node: unknown, name: string): boolean {
  return (node as Node).type === 'Identifier' && nameOf(node as Node) === name
}

/**
 * Whether the name is declared here: parameter, variable, import, or part of a destructuring
 * pattern.
 */
function isDeclaration(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent['id'] === node
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return parent['local'] === node
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return (parent['params'] as unknown[]).includes(node)
    case 'AssignmentPattern':
      return parent['left'] === node
    case 'Property':
      // `{ fetch }` of a pattern and of an object literal look alike; in a pattern the value is the
      // name itself.
      return patterns.has(parent) && parent['value'] === node
    default:
      return false
  }
}

function isValue(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent['object'] === node || parent['computed'] === true
    case 'Property':
      return parent['value'] === node
    case 'PropertyDefinition':
    case 'MethodDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
    case 'TSFunctionType':
    case 'TSTypeQuery':
    case 'TSQualifiedName':
    case 'ImportSpecifier':
    case 'ExportSpecifier':
    case 'LabeledStatement':
      return false
    default:
      return true
  }
}
