// What is chosen in the playground. It stands in the address, so that a link shows the same card.
import { attributes, tokens } from 'virtual:element'
import { en } from 'hc-checkout/locales'
import type { Chosen } from './code.ts'

export interface Choice {
  /** Short: it is written into the address. */
  readonly kind: 'a' | 't' | 'x'
  readonly name: string
  /** In English, as the element says it. */
  readonly about: string
  readonly fallback: string
  /** Where only some values are right. */
  readonly values?: readonly string[]
}

/** These need a payment or a companion of one's own. */
const elsewhere = ['companion', 'session', 'deposit', 'name', 'return-url']

const attributeChoices: readonly Choice[] = attributes
  .filter(({ name }) => !elsewhere.includes(name))
  .map(({ name, description, type }) => {
    const words = [...type.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? '')
    const values = type.includes('boolean') ? ['true'] : words
    const about = { kind: 'a', name, about: description, fallback: '' } as const
    return values.length > 0 ? { ...about, values } : about
  })

const tokenChoices: readonly Choice[] = tokens.map(({ name, description, fallback }) => ({
  kind: 't',
  name,
  about: description,
  fallback,
}))

const textChoices: readonly Choice[] = Object.entries(en)
  .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  .map(([name, fallback]) => ({ kind: 'x', name, about: '', fallback }))

/** Their titles are words of the playground. */
export const groups = [
  { title: 'attributes', choices: attributeChoices },
  { title: 'tokens', choices: tokenChoices },
  { title: 'texts', choices: textChoices },
] as const

/**
 * What an address may set: anybody can write one, and any other attribute might be a script, or a
 * companion of a stranger.
 */
const offered: ReadonlySet<string> = new Set(
  groups.flatMap(({ choices }) => choices.map(({ kind, name }) => `${kind}.${name}`)),
)

/** By kind and name, for example `a.country`; the page's own language is `lang`. */
const chosen = new Map<string, string>()

export function read(): void {
  chosen.clear()
  for (const [key, value] of new URLSearchParams(location.hash.replace(/^#\/?\??/, ''))) {
    // On one line: what is chosen becomes lines of settings too.
    const text = value.replaceAll(/\s+/g, ' ').trim()
    if ((key === 'lang' || offered.has(key)) && text !== '') chosen.set(key, text)
  }
}

export function valueOf({ kind, name }: Pick<Choice, 'kind' | 'name'>): string {
  return chosen.get(`${kind}.${name}`) ?? ''
}

export function choose({ kind, name }: Choice, value: string): void {
  put(`${kind}.${name}`, value)
}

/** The language that the address names. */
export function chosenLanguage(): string | undefined {
  return chosen.get('lang')
}

export function chooseLanguage(language: string): void {
  put('lang', language)
}

function put(key: string, value: string): void {
  if (value === '') chosen.delete(key)
  else chosen.set(key, value)
  history.replaceState(null, '', `#/?${new URLSearchParams([...chosen]).toString()}`)
}

export function allChosen(): Chosen {
  return { attributes: allOf('a'), tokens: allOf('t'), texts: allOf('x') }
}

/** What is chosen of one kind, as pairs of name and value. */
function allOf(kind: Choice['kind']): [string, string][] {
  return [...chosen].filter(([key]) => key.startsWith(`${kind}.`)).map(([key, value]) => [key.slice(2), value])
}
