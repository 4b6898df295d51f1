// Takes over what a page has set on the element, in the ways that pages and frameworks do it.
import type { PropertyDeclarations, PropertyValues, ReactiveElement } from 'lit'

/**
 * Defines the element. Lit puts back what a page has set before the definition only at the first
 * render. What the page sets in between would be lost, so it is set again at once.
 */
export function defineEarly(tag: string, registry: CustomElementRegistry, type: CustomElementConstructor): void {
  const there = 'document' in globalThis ? [...document.querySelectorAll<HTMLElement>(tag)] : []
  const early = there.map((element) => ({ element, set: takeOut(element) }))
  registry.define(tag, type)
  for (const { element, set } of early) Object.assign(element, set)
}

/** Removes the properties that a page set on an element before it was defined, and returns them. */
function takeOut(element: HTMLElement): object {
  const set = Object.assign({}, element as object)
  for (const name of Object.keys(set)) Reflect.deleteProperty(element, name)
  return set
}

/** Gives each property that has changed the type that it is declared with. */
export function takeOver(element: ReactiveElement, properties: PropertyDeclarations, changed: PropertyValues): void {
  const own = element as unknown as Record<PropertyKey, unknown>
  // React on a server writes `clientReference` as an attribute, as HTML reads it `clientreference`,
  // and does not set it again in the browser.
  if (!element.hasUpdated)
    for (const name in properties) if (/[A-Z]/.test(name)) own[name] = element.getAttribute(name) || own[name]
  // A framework sets a property as its page has it: an amount as text (`amount="2500"` in React and
  // Vue), a phone or a reference as a number.
  for (const name of changed.keys()) {
    const type = (properties[name as string]?.type || String) as (value: unknown) => unknown
    if (own[name] != null) own[name] = type(own[name])
  }
}
