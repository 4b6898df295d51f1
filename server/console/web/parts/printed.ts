// What a printed list was asked for. On paper the fields that chose it are gone.
import { html, type TemplateResult } from 'lit'
import type { App } from '../base/app.ts'
import { typed } from './bidi.ts'

/** @param choices each with its name; an empty one was not made */
export function printedChoices(
  { words }: App,
  choices: readonly (readonly [name: string, value: string])[],
): TemplateResult {
  const made = choices.filter(([, value]) => value !== '')
  return html`<p class="printed">
    ${
      made.length === 0
        ? words.unfiltered
        : made.map(([name, value], at) => html`${at === 0 ? '' : ' · '}${name}: ${typed(value)}`)
    }
  </p>`
}
