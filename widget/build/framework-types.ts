// The types of <hc-checkout> for each framework, written from the manifest: one file of what the
// element takes, and one for each framework that tells it so.

interface Typed {
  readonly name: string
  readonly type?: { readonly text: string }
  readonly description?: string
}
interface Attribute extends Typed {
  readonly fieldName?: string
}
interface Member extends Typed {
  readonly kind: string
  readonly privacy?: string
  readonly attribute?: string
  readonly readonly?: boolean
}
export interface DescribedElement {
  readonly tagName: string
  readonly attributes: readonly Attribute[]
  readonly members: readonly Member[]
  readonly events: readonly Typed[]
}

/** Texts by the names of the files, below `dist/types`. */
export function frameworkTypes(element: DescribedElement): Readonly<Record<string, string>> {
  const files: Record<string, string> = { 'props.d.ts': props(element) }
  for (const [framework, text] of Object.entries(frameworks(element))) {
    files[`${framework}.d.ts`] = text
    files[`${framework}.js`] = 'export {}\n'
  }
  return files
}

function props({ attributes, members, events }: DescribedElement): string {
  const fields = attributes.flatMap((attribute) => {
    const { name, fieldName } = attribute
    return fieldName === undefined || fieldName === name
      ? [property(attribute)]
      : [property(attribute), property({ ...attribute, name: fieldName, fieldName })]
  })
  const withoutAttribute = members.filter(
    ({ kind, privacy, name, readonly }) =>
      kind === 'field' && privacy === 'public' && !readonly && !attributes.some(({ fieldName }) => fieldName === name),
  )
  const listed = events.map(
    ({ name, type, description }) => `${comment(description)}  '${name}': ${type?.text ?? 'Event'}`,
  )
  const types = [...new Set(events.map(({ type }) => type?.text ?? 'Event'))].toSorted()
  return `import type { ${[...types, 'HcCheckout'].join(', ')} } from '../index.js'

/** What the element takes, by its names in HTML and by those of its properties. */
export interface Props {
${[...fields, ...withoutAttribute.map((member) => property({ ...member, fieldName: member.name }))].join('\n')}
}

export interface Events {
${listed.join('\n')}
}

/** Listeners under the names of the attributes: \`onhc-success\`. */
export type Listeners = { [Name in keyof Events as \`on\${Name}\`]?: ((event: Events[Name]) => void) | undefined }
`
}

function property({ name, fieldName, type, description }: Attribute): string {
  // Without a companion there is nobody to ask.
  const optional = name === 'companion' ? '' : '?'
  // What has no property, for example theme, has the type that its comment gives.
  const of = fieldName === undefined ? (type?.text ?? 'string') : `HcCheckout['${fieldName}']`
  const key = /^\w+$/.test(name) ? name : `'${name}'`
  return `${comment(description)}  ${key}${optional}: ${of}${optional && ' | undefined'}`
}

const comment = (text: string | undefined): string =>
  text === undefined ? '' : `  /** ${text.replaceAll('\n', ' ').replaceAll('*/', '* /')} */\n`

/** As Vue names a listener: `hc-success` is `onHcSuccess`. */
const listenerOf = (name: string): string =>
  `on${name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())}`

function frameworks({ tagName, events }: DescribedElement): Readonly<Record<string, string>> {
  const vueListeners = events.map(
    ({ name }) => `  ${listenerOf(name)}?: ((event: Events['${name}']) => void) | undefined`,
  )
  return {
    react: `import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { HcCheckout } from '../index.js'
import type { Listeners, Props } from './props.js'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      '${tagName}': DetailedHTMLProps<HTMLAttributes<HcCheckout>, HcCheckout> & Props & Listeners
    }
  }
}
`,
    preact: `import type { HTMLAttributes } from 'preact'
import type { HcCheckout } from '../index.js'
import type { Listeners, Props } from './props.js'

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      '${tagName}': HTMLAttributes<HcCheckout> & Props & Listeners
    }
  }
}
`,
    solid: `import type { JSX } from 'solid-js'
import type { HcCheckout } from '../index.js'
import type { Events, Props } from './props.js'

type On = { [Name in keyof Events as \`on:\${Name}\`]?: ((event: Events[Name]) => void) | undefined }
type Prop = { [Name in keyof Props as \`prop:\${Name}\`]?: Props[Name] }

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      '${tagName}': HTMLAttributes<HcCheckout> & Props & On & Prop
    }
  }
}
`,
    svelte: `import type { HTMLAttributes } from 'svelte/elements'
import type { HcCheckout } from '../index.js'
import type { Listeners, Props } from './props.js'

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    '${tagName}': HTMLAttributes<HcCheckout> & Props & Listeners
  }
}
`,
    vue: `import type { HTMLAttributes, ReservedProps } from 'vue'
import type { Events, Props } from './props.js'

interface On {
${vueListeners.join('\n')}
}

declare module 'vue' {
  interface GlobalComponents {
    '${tagName}': new () => { $props: HTMLAttributes & ReservedProps & Props & On }
  }
}
`,
  }
}
