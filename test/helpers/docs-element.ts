// The reference of the element, printed from the manifest that its source gives
// (custom-elements.json).
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { analyzed, type ElementManifest, manifestOf } from '../../widget/build/element-manifest.ts'
import { table } from './docs-table.ts'
import { bin, root, run } from './run-quietly.ts'

interface Named {
  readonly name: string
  readonly description?: string
}
interface Member extends Named {
  readonly kind: string
  readonly privacy?: string
  readonly attribute?: string
  readonly static?: boolean
  readonly type?: { readonly text: string }
  readonly parameters?: readonly { readonly name: string; readonly optional?: boolean }[]
}
export interface DescribedElement {
  readonly name: string
  readonly members: readonly Member[]
  readonly attributes: readonly (Named & { readonly fieldName?: string; readonly type?: { readonly text: string } })[]
  readonly events: readonly (Named & { readonly type: { readonly text: string } })[]
  readonly slots: readonly Named[]
  readonly cssParts: readonly Named[]
  readonly cssStates: readonly Named[]
  readonly cssProperties: readonly (Named & { readonly default: string })[]
}

/** The manifest of the sources as they are, and in it the element. */
export async function describedElement(): Promise<{ manifest: ElementManifest; element: DescribedElement }> {
  // Of copies: the analyzer writes the place of the manifest into the package.json beside the
  // sources.
  const cwd = mkdtempSync(join(tmpdir(), 'hc-manifest-'))
  try {
    for (const name of analyzed.filter((option) => option.endsWith('.ts')))
      cpSync(join(root, 'widget', name), join(cwd, name))
    writeFileSync(join(cwd, 'package.json'), '{}')
    const { code, output } = await run(bin('cem'), ['analyze', ...analyzed, '--outdir', '.'], { cwd })
    if (code !== 0) throw new Error(`The element could not be analyzed:\n${output}`)
    const manifest = manifestOf(JSON.parse(readFileSync(join(cwd, 'custom-elements.json'), 'utf8')) as ElementManifest)
    const declarations = manifest.modules.flatMap((module) => module.declarations)
    const element = declarations.find(({ name }) => name === 'HcCheckout') as unknown as DescribedElement
    return { manifest, element }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const code = (text: string | undefined) => (text === undefined || text === '' ? '' : `\`${text}\``)

/** Attributes, methods, events, slots, parts, states and tokens. */
export async function elementReference(): Promise<string> {
  const { element } = await describedElement()
  const attributeOf = new Map(element.attributes.map(({ name, fieldName }) => [fieldName ?? name, name]))
  const isPublic = ({ privacy = 'public', static: isStatic }: Member) => privacy === 'public' && isStatic !== true
  const fields = element.members.filter((member) => member.kind === 'field' && isPublic(member) && member.description)
  const methods = element.members.filter((member) => member.kind === 'method' && isPublic(member) && member.description)
  const withoutField = element.attributes.filter(({ fieldName }) => fieldName === undefined)
  const attributes = [
    ...fields.map(({ name, type, description = '' }) => [
      code(attributeOf.get(name)),
      code(name),
      code(type?.text.replace(' | undefined', '')),
      description,
    ]),
    ...withoutField.map(({ name, type, description = '' }) => [code(name), '', code(type?.text), description]),
  ]
  const called = methods.map(({ name, parameters = [], description = '' }) => [
    code(`${name}(${parameters.map((one) => one.name + (one.optional ? '?' : '')).join(', ')})`),
    description,
  ])
  const told = (things: readonly Named[]) =>
    things.map(({ name, description = '' }) => [name === '' ? '(no name)' : code(name), description])
  return [
    ['Attributes and properties', table(['attribute', 'property', 'type', 'what it is'], attributes)],
    ['Methods', table(['method', 'what it does'], called)],
    [
      'Events',
      table(
        ['event', 'class', 'when'],
        element.events.map(({ name, type, description = '' }) => [code(name), code(type.text), description]),
      ),
    ],
    ['Slots', table(['slot', 'what it is for'], told(element.slots))],
    ['Parts', table(['part', 'what it is'], told(element.cssParts))],
    ['States', table(['state', 'when'], told(element.cssStates))],
    [
      'Tokens',
      table(
        ['token', 'default', 'what it is'],
        element.cssProperties.map(({ name, default: given, description = '' }) => [
          code(name),
          code(given),
          description,
        ]),
      ),
    ],
  ]
    .map(([title, text]) => `## ${title}\n\n${text}`)
    .join('\n\n')
}
