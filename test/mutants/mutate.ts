// Generates the mutants of one TypeScript file: each is the whole source with one small fault.
// Works on the syntax tree, so that types, imports and comments stay as they are.
import { parseSync } from 'vite'

export interface Mutant {
  /** Stable while the line is unchanged: kind, the line's text, and the mutation. */
  readonly id: string
  readonly line: number
  readonly kind: string
  readonly from: string
  readonly to: string
  readonly source: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [name: string]: unknown
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
}
const METHODS = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    min: 'max',
    max: 'min',
  }),
)

/** All mutants of `source`, in source order. */
export function mutantsOf(path: string, source: string): Mutant[] {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message ?? ''}`)
  const found: Omit<Mutant, 'id'>[] = []

  const replace = (node: Pick<Node, 'start' | 'end'>, to: string, kind: string) => {
    const from = source.slice(node.start, node.end)
    if (from === to) return
    const line = source.slice(0, node.start).split('\n').length
    found.push({ line, kind, from, to, source: source.slice(0, node.start) + to + source.slice(node.end) })
  }
  const text = (node: Node) => source.slice(node.start, node.end)
  const operator = (node: Node, left: Node, right: Node) => {
    const gap = source.slice(left.end, right.start)
    const at = left.end + gap.indexOf(String(node['operator']))
    const place = { start: at, end: at + String(node['operator']).length }
    for (const to of OPERATORS[String(node['operator'])] ?? []) replace(place, to, 'operator')
  }
  const condition = (test: Node) => {
    replace(test, 'true', 'condition')
    replace(test, 'false', 'condition')
  }

  function mutate(node: Node): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const [left, right] = [node['left'] as Node, node['right'] as Node]
        operator(node, left, right)
        if (node['operator'] === '??') replace(node, text(left), 'fallback removed')
        return
      }
      case 'AssignmentExpression':
        return operator(node, node['left'] as Node, node['right'] as Node)
      case 'UnaryExpression':
        if (node['operator'] === '!' || node['operator'] === '-')
          replace(node, text(node['argument'] as Node), 'sign removed')
        return
      case 'IfStatement':
      case 'ConditionalExpression':
        return condition(node['test'] as Node)
      case 'WhileStatement':
        return replace(node['test'] as Node, 'false', 'condition')
      case 'Literal':
        return literal(node)
      case 'ExpressionStatement':
      case 'ThrowStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return replace(node, ';', 'statement removed')
      case 'ReturnStatement':
        return replace(node, ';', 'return removed')
      case 'ArrayExpression':
        for (const element of node['elements'] as Node[]) replace(element, '', 'element removed')
        return
      case 'ObjectExpression':
        for (const property of node['properties'] as Node[]) {
          // Removes the whole property: a shorthand `name` has no separate value.
          const after = /^\s*,/.exec(source.slice(property.end))?.[0].length ?? 0
          replace({ start: property.start, end: property.end + after }, '', 'property removed')
        }
        return
      case 'ArrowFunctionExpression':
        if ((node['body'] as Node).type !== 'BlockStatement')
          replace(node['body'] as Node, '(undefined)', 'body removed')
        return
      case 'MemberExpression': {
        const name = node['property'] as Node
        const other = node['computed'] === true ? undefined : METHODS.get(text(name))
        if (other !== undefined) replace(name, other, 'method')
      }
    }
  }

  function literal(node: Node): void {
    const { value } = node
    if (typeof value === 'boolean') replace(node, String(!value), 'boolean')
    else if (typeof value === 'number') replace(node, value === 0 ? '1' : `${value + 1}`, 'number')
    else if (typeof value === 'string') replace(node, value === '' ? "'mutant'" : "''", 'string')
    else if (node['regex'] !== undefined) pattern(node)
  }

  function pattern(node: Node): void {
    const { pattern: body, flags } = node['regex'] as { pattern: string; flags: string }
    const changed = [
      body.replace(/^\^/, ''),
      body.replace(/\$$/, ''),
      ...Array.from(
        body.matchAll(/(?<!\()[*+?]|\{[\d,]+\}/g),
        (one) => body.slice(0, one.index) + body.slice(one.index + one[0].length),
      ),
      ...Array.from(body.matchAll(/\|/g), (one) => `${body.slice(0, one.index)}${body.slice(one.index + 1)}`),
      ...Array.from(body.matchAll(/\[(?!\^)/g), (one) => `${body.slice(0, one.index)}[^${body.slice(one.index + 1)}`),
    ]
    for (const to of new Set(changed)) replace(node, `/${to}/${flags}`, 'pattern')
  }

  function walk(node: unknown): void {
    if (Array.isArray(node)) return node.forEach(walk)
    if (typeof node !== 'object' || node === null) return
    const one = node as Node
    if (typeof one.type !== 'string') return
    if (one.type.startsWith('TS') && !one.type.endsWith('Expression')) return
    if (one.type === 'ImportDeclaration' || one.type === 'ExportAllDeclaration') return
    mutate(one)
    for (const [name, child] of Object.entries(one)) {
      if (name === 'typeAnnotation' || name === 'typeArguments' || name === 'typeParameters' || name === 'returnType')
        continue
      // A property name is no value.
      if (name === 'key' && one['computed'] !== true) continue
      walk(child)
    }
  }

  walk(program)
  const lines = source.split('\n')
  const seen = new Map<string, number>()
  return found.map((mutant) => {
    const name = `${path} · ${(lines[mutant.line - 1] ?? '').trim()} · ${mutant.kind}: ${oneLine(mutant.from)} → ${oneLine(mutant.to)}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return { ...mutant, id: times === 1 ? name : `${name} (${times})` }
  })
}

function oneLine(text: string): string {
  const short = text.replace(/\s+/g, ' ')
  return short.length > 80 ? `${short.slice(0, 77)}…` : short
}
