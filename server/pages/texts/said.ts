// A heading and what it means for the customer.
export interface Said {
  readonly title: string
  readonly text: string
}

export const said = (title: string, ...sentences: readonly string[]): Said => ({ title, text: sentences.join(' ') })
