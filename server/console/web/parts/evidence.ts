// The records behind one payment's story, as they are: what was asked for, what the payment service
// sent, each event with the answer that made it, and what the shop was told.
import { html, nothing, type TemplateResult } from 'lit'
import type { PaymentDetail } from '../../../contract/index.ts'
import type { App } from '../base/app.ts'
import { fill } from '../base/format.ts'

type Callback = PaymentDetail['evidence']['callbacks'][number]

/** A table of words that programs use: they are not translated. */
function table(name: string, heads: readonly string[], rows: readonly (readonly unknown[])[]): TemplateResult {
  return html`<div class="wide" tabindex="0" role="region" aria-label=${name}>
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell ?? ''}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function callbackOf({ words, format }: App, { at, verdict, text, bytes }: Callback): TemplateResult {
  const t = words.evidence
  return html`<li>
    <p class="quiet"><time datetime=${at}>${format.exact(at)}</time> · ${t.verdicts[verdict]}</p>
    ${
      text === undefined
        ? html`<p class="hint">${bytes === 0 ? t.erased : fill(t.noText, { n: format.number(bytes) })}</p>`
        : html`<pre class="raw" translate="no">${text}</pre>`
    }
  </li>`
}

export function evidenceOf(app: App, { timeline, notices, evidence }: PaymentDetail): TemplateResult {
  const t = app.words.evidence
  const { request, callbacks } = evidence
  return html`<details class="card">
    <summary>${t.title}</summary>
    <p class="hint">${t.what}</p>
    <h3>${t.request}</h3>
    <pre class="raw" translate="no">${JSON.stringify(request, undefined, 2)}</pre>
    <h3>${t.callbacks}</h3>
    <p class="hint">${callbacks.length === 0 ? t.noCallback : t.callbacksWhat}</p>
    <ol>
      ${callbacks.map((callback) => callbackOf(app, callback))}
    </ol>
    <h3>${t.events}</h3>
    ${table(
      t.events,
      ['at', 'kind', 'phase', 'version', 'detail'],
      timeline.map(({ at, kind, phase, version, detail }) => [at, kind, phase, version, detail]),
    )}
    ${
      notices.length === 0
        ? nothing
        : html`<h3>${t.notices}</h3>
            ${table(
              t.notices,
              ['id', 'type', 'state', 'attempts', 'createdAt', 'deliveredAt', 'lastError'],
              notices.map((one) => [
                one.id,
                one.type,
                one.state,
                one.attempts,
                one.createdAt,
                one.deliveredAt,
                one.lastError,
              ]),
            )}
            ${notices.map(({ body }) => html`<pre class="raw" translate="no">${body}</pre>`)}`
    }
  </details>`
}
