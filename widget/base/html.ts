// The `html` of all templates. Page translators and reading aids replace the text nodes of a page,
// those of the card too.
import { html as lit, type TemplateResult } from 'lit'

const tight = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

/**
 * Lit's `html`, without the space between tags and templates: Lit remembers the node that follows a
 * template's place, and could no longer draw there once that node, a space, has been replaced. For
 * the same reason texts are bound as `.textContent`: Lit would go on to write into the text node
 * that is no longer shown.
 */
export function html(strings: TemplateStringsArray, ...values: unknown[]): TemplateResult {
  let texts = tight.get(strings)
  if (!texts) {
    let before = ''
    const bare = strings.map((text) => {
      const isInTag = before.lastIndexOf('<') > before.lastIndexOf('>')
      before += text
      return isInTag ? text : text.replace(/^\s+(?=<|$)/, '')
    })
    texts = Object.assign(bare, { raw: bare })
    tight.set(strings, texts)
  }
  return lit(texts, ...values)
}

/**
 * For `.textContent` of money: it is written at each drawing, whatever another program has made of
 * it. Lit writes only what has changed, and a new object always has.
 */
export const always = (text: string): string => Object(text) as string

/**
 * For an address that opens a payment: Lit keeps each value that it has rendered in a property of
 * the element, so it gets this in the place of the text.
 */
export const unread = (address: string): { toString(): string } => ({ toString: () => address })

/** A sentence whose `{values}` are money or a reference: these are not for a page translator. */
export function sentence(text: string, values: Readonly<Record<string, string>>): readonly TemplateResult[] {
  return text
    .split(/\{(\w+)\}/)
    .map((part, at) =>
      at % 2
        ? html`<span translate="no" .textContent=${always(values[part] || '')}></span>`
        : html`<span .textContent=${part}></span>`,
    )
}
