// Compares a statement of the payment service's portal with our payments: a file is dropped or
// chosen, and each difference comes with what a person does about it.
import { html, nothing, type TemplateResult } from 'lit'
import type { Difference, Problem, ReconcileLine } from '../../../contract/index.ts'
import { ApiError } from '../base/api.ts'
import { fill } from '../base/format.ts'
import { filled, leftToRight, typed } from '../parts/bidi.ts'
import { faultWords } from '../parts/faults.ts'
import { hrefOf } from '../base/router.ts'
import { View } from '../base/view.ts'

type Result = Extract<ReconcileLine, { result: unknown }>['result']

/** As the companion takes it. */
const LARGEST = 8 * 1024 * 1024
const KINDS = ['missing', 'different', 'extra'] as const

export class Reconcile extends View {
  static override properties = {
    ...View.properties,
    file: { state: true },
    progress: { state: true },
    result: { state: true },
    fault: { state: true },
    isOver: { state: true },
  }
  /** Name of the file that is being compared, or was. */
  declare file: string | undefined
  /** From 0 to 1; undefined while nothing is compared. */
  declare progress: number | undefined
  declare result: Result | undefined
  declare fault: string | undefined
  /** A file is held over the place. */
  declare isOver: boolean

  async #compare(file: File | undefined): Promise<void> {
    if (file === undefined || this.progress !== undefined) return
    const value = (id: string): string | undefined => this.querySelector<HTMLInputElement>(`#${id}`)?.value || undefined
    this.file = file.name
    this.result = undefined
    this.fault = undefined
    if (file.size > LARGEST) return void (this.fault = this.t.books.tooBig)
    this.progress = 0
    try {
      await this.app.api.reconcile(file, { fromDay: value('statement-from'), toDay: value('statement-to') }, (line) =>
        this.#heard(line),
      )
      // An answer that breaks off must not look like one without a difference.
      if (this.result === undefined && this.fault === undefined) this.fault = this.t.faults.offline
    } catch (error) {
      const isOfFile = error instanceof ApiError && error.problem.code === 'statement_unreadable'
      if (isOfFile) this.#refused(error.problem)
      this.fault ??= faultWords(this.app, error)
    }
    this.progress = undefined
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#outcome')?.focus())
  }

  #heard(line: ReconcileLine): void {
    if ('progress' in line) this.progress = line.progress.of === 0 ? 1 : line.progress.done / line.progress.of
    else if ('result' in line) this.result = line.result
    else this.#refused(line.problem)
  }

  /** Why the file is not compared. A reason of a newer companion is said in English. */
  #refused({ issues, detail }: Pick<Partial<Problem>, 'issues' | 'detail'>): void {
    const sentences: Readonly<Record<string, string | undefined>> = this.t.books.refusals
    const { code = '', values = {} } = issues?.[0] ?? {}
    const sentence = sentences[code]
    this.fault = sentence === undefined ? detail : fill(sentence, values)
    // The browser knows whether the fields are open: a person may close them at any time.
    if (code === 'no_dates' || code === 'no_date') this.querySelector('details')!.open = true
  }

  #drop(event: DragEvent): void {
    event.preventDefault()
    this.isOver = false
    void this.#compare(event.dataTransfer?.files[0])
  }

  #over(event: DragEvent): void {
    event.preventDefault()
    this.isOver = true
  }

  override render(): TemplateResult {
    const t = this.t.books
    return html`<section class="card" aria-labelledby="statement">
      <h2 id="statement">${t.statementTitle}</h2>
      <p>${t.statementWhat}</p>
      <div
        class="drop ${this.isOver ? 'over' : ''}"
        @dragover=${this.#over}
        @dragleave=${() => (this.isOver = false)}
        @drop=${this.#drop}
      >
        <label for="statement-file">${t.drop}</label>
        <input
          id="statement-file"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement
            void this.#compare(input.files?.[0]).then(() => (input.value = ''))
          }}
        />
      </div>
      <details>
        <summary>${t.range}</summary>
        <div class="filters">
          <div class="pick"><label for="statement-from">${t.from}</label><input id="statement-from" type="date" /></div>
          <div class="pick"><label for="statement-to">${t.to}</label><input id="statement-to" type="date" /></div>
        </div>
      </details>
      ${
        this.progress === undefined
          ? nothing
          : html`<p id="comparing" role="status">${filled(t.reading, { name: typed(this.file ?? '') })}</p>
              <progress max="1" .value=${this.progress} aria-labelledby="comparing"></progress>`
      }
      ${
        this.fault === undefined
          ? nothing
          : html`<p class="fault" role="alert" tabindex="-1" id="outcome">${typed(this.file ?? '')}: ${this.fault}</p>`
      }
      ${this.result === undefined ? nothing : this.#outcome(this.result)}
    </section>`
  }

  #outcome({ rows, from, to, differences }: Result): TemplateResult {
    const t = this.t.books
    const { format } = this.app
    const says = differences.length === 0 ? t.same : t.differ
    return html`<div tabindex="-1" id="outcome" class="outcome">
      <h3>${this.file}</h3>
      <p class=${differences.length === 0 ? 'mark good' : 'mark look'} role="status">
        ${fill(says, { rows: format.number(rows), n: format.number(differences.length) })}
      </p>
      <p class="quiet">${format.day(from)} – ${format.day(to)}</p>
      ${KINDS.map((kind) =>
        this.#group(
          kind,
          differences.filter((one) => one.kind === kind),
        ),
      )}
    </div>`
  }

  /** A fact of a newer companion is said in English. */
  #said(facts: Difference['facts'], says: string): unknown {
    const sentences: Readonly<Record<string, string | undefined>> = this.t.books.facts
    const { phases } = this.story
    const said = facts.map(({ code, values }) => {
      const { phase, ...others } = values
      const title = phase !== undefined && phase in phases ? phases[phase as keyof typeof phases].label : phase
      const apart = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, leftToRight(value)]))
      return sentences[code] === undefined ? undefined : filled(sentences[code], { ...apart, phase: title ?? '' })
    })
    return said.includes(undefined) ? says : said.map((one, at) => (at === 0 ? one : [' · ', one]))
  }

  #group(kind: Difference['kind'], differences: readonly Difference[]): TemplateResult | typeof nothing {
    const t = this.t.books
    if (differences.length === 0) return nothing
    return html`<h3>${t[kind]} (${this.app.format.number(differences.length)})</h3>
      <p class="hint">${t[`${kind}Do`]}</p>
      <ul class="rows">
        ${differences.map(
          ({ reference, facts, says, paymentId }) =>
            html`<li class="item">
              <b>${reference === '' ? t.noReference : leftToRight(reference)}</b><span>${this.#said(facts, says)}</span>
              ${
                paymentId === undefined
                  ? nothing
                  : html`<a href=${hrefOf({ view: 'payment', id: paymentId })}>${t.open}</a>`
              }
            </li>`,
        )}
      </ul>`
  }
}
