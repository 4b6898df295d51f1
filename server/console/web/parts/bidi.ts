// What people typed may run from right to left, and the browser orders the numbers and signs beside
// it by that: a phone would be read from its end. So each stands in an element of its own.
import { html, type TemplateResult } from 'lit'
import { phone } from '../base/format.ts'

/** A name, an order, a note: whichever way it runs. */
export const typed = (text: string): TemplateResult => html`<bdi>${text}</bdi>`

/** An amount or a reference. */
export const leftToRight = (text: string): TemplateResult => html`<bdi dir="ltr">${text}</bdi>`

/** As it is read to a caller, in one line. */
export const phoneOf = (digits: string): TemplateResult => html`<bdi class="phone" dir="ltr">${phone(digits)}</bdi>`

/** A sentence with its `{values}`, as `fill` gives it. */
export function filled(text: string, values: Readonly<Record<string, TemplateResult | string | number>>): unknown {
  return text.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : (values[part] ?? '')))
}

/** Texts that people typed, beside each other; undefined without any. */
export function besideEachOther(texts: readonly (string | undefined)[]): unknown {
  const given = texts.filter((text) => text !== undefined && text !== '')
  return given.length === 0 ? undefined : given.map((text, at) => html`${at === 0 ? '' : ' · '}<bdi>${text}</bdi>`)
}
