// What was typed into the forms of a page when its session ended: it is there again once the same
// person has signed in. In the memory of the page alone, so that it ends with the tab.

/** Texts of a form by the names of its fields. */
type Draft = readonly (readonly [name: string, text: string])[]
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const fieldsIn = (form: Element): readonly Field[] => [
  ...form.querySelectorAll<Field>('input[name], textarea[name], select[name]'),
]

/** A choice of a list alone is soon made again. */
const isTouched = (field: Field): boolean =>
  'defaultChecked' in field && field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : 'defaultValue' in field && field.value !== field.defaultValue

const isSent = (field: Field): boolean => !('checked' in field) || field.type !== 'radio' || field.checked

export class Drafts {
  /** Whose they are. */
  #name: string | undefined
  /** By what a form says in `data-draft`. */
  readonly #kept = new Map<string, Draft>()

  keep(name: string, page: ParentNode): void {
    this.#name = name
    for (const form of page.querySelectorAll<HTMLFormElement>('form[data-draft]')) {
      const fields = fieldsIn(form)
      const draft = fields.filter(isSent).map((field) => [field.name, field.value] as const)
      if (fields.some(isTouched)) this.#kept.set(form.dataset['draft'] ?? '', draft)
    }
  }

  /** What somebody else has typed goes. */
  signedIn(name: string): void {
    if (this.#name !== name) this.#kept.clear()
  }

  has(of: string): boolean {
    return this.#kept.has(of)
  }

  /** Writes into the form what was typed into it. */
  giveBack(page: ParentNode): void {
    const form = page.querySelector<HTMLFormElement>('form[data-draft]')
    const of = form?.dataset['draft'] ?? ''
    const texts = new Map(this.#kept.get(of) ?? [])
    this.#kept.delete(of)
    for (const field of form === null ? [] : fieldsIn(form)) {
      const text = texts.get(field.name)
      if (text === undefined) continue
      if ('checked' in field && field.type === 'radio') field.checked = field.value === text
      else field.value = text
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
}
