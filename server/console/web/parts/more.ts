// A list that comes page by page, each page below the one before.
import { Task } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { View } from '../base/view.ts'
import { faultWords } from './faults.ts'
import { loaded } from './loaded.ts'

export interface Page<T> {
  readonly items: readonly T[]
  readonly next?: string | undefined
}

export class Pages<T> {
  readonly #host: View
  readonly #read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>
  readonly #first: Task<readonly unknown[], Page<T>>
  #later: Page<T>[] = []
  #fault: string | undefined

  /** @param args when one of them changes, the list begins anew */
  constructor(
    host: View,
    read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
    args: () => readonly unknown[],
  ) {
    this.#host = host
    this.#read = read
    this.#first = new Task<readonly unknown[], Page<T>>(host, {
      task: (_, { signal }) => {
        this.#later = []
        this.#fault = undefined
        return read(undefined, signal)
      },
      args,
    })
  }

  again(): void {
    void this.#first.run()
  }

  /** @param shown number of rows before */
  async #more(cursor: string, shown: number): Promise<void> {
    const first = this.#first.value
    try {
      const page = await this.#read(cursor, new AbortController().signal)
      // The list may have begun anew meanwhile.
      if (this.#first.value === first) this.#later.push(page)
      this.#fault = undefined
    } catch (error) {
      this.#fault = faultWords(this.#host.app, error)
    }
    this.#host.requestUpdate()
    await this.#host.updateComplete
    // The button may have gone with the last page.
    if (this.#fault === undefined) this.#toRow(shown)
  }

  #toRow(at: number): void {
    const row = this.#host.querySelectorAll<HTMLElement>('.rows > li')[at]
    row?.setAttribute('tabindex', '-1')
    row?.focus()
  }

  /** @param name of the button for more */
  render(name: string, rows: (items: readonly T[]) => TemplateResult): TemplateResult {
    const page = (first: Page<T>): TemplateResult => {
      const pages = [first, ...this.#later]
      const { next } = pages[pages.length - 1] ?? first
      const shown = pages.reduce<readonly T[]>((all, { items }) => [...all, ...items], [])
      return html`${rows(shown)}
      ${this.#fault === undefined ? nothing : html`<p class="wrong" role="alert">${this.#fault}</p>`}
      ${
        next === undefined
          ? nothing
          : html`<button type="button" class="second" @click=${() => this.#more(next, shown.length)}>${name}</button>`
      }`
    }
    return loaded(this.#host.app, this.#first, page, ({ items }) => items.length === 0)
  }
}
