// Help with paying an agent by mobile money (service.md, "What the service does"): what to do, what
// the phone may show, and what to do if it shows nothing. Only statements backed by a source are
// specific to an operator; the rest is the same for all.
import { nothing, type TemplateResult } from 'lit'
import { html, sentence } from '../base/html.ts'
import { money } from '../base/format.ts'
import type { Sheet } from './sheet-parts.ts'
import { supportLine } from './support.ts'

/**
 * The mobile-money service that the customer has named for a payment, in this page's memory alone.
 */
const named = new Map<string, string>()
export const operatorOf = (depositId: string): string | undefined => named.get(depositId)

export function helpView(sheet: Sheet): TemplateResult {
  const { texts, deposit, locale, operators } = sheet
  const name = sheet.operator || (operators.length === 1 ? operators[0] : '')
  const values = {
    operator: name || texts.operatorNone,
    amount: money(deposit.amount, deposit.currency, locale),
    reference: deposit.reference,
  }
  const say = (text: string): readonly TemplateResult[] => sentence(text, values)
  const steps = [texts.helpChoose, texts.helpSend, texts.helpPin, texts.helpTell, texts.helpWait]
  const choose = (operator: string): void => {
    sheet.operator = operator
    named.set(deposit.id, operator)
    sheet.draw()
  }
  return html`${
      operators.length > 1
        ? html`<fieldset>
            <legend .textContent=${texts.operatorAsk}></legend>
            <div class="row">
              ${operators.map(
                (operator) =>
                  html`<label class="chip"
                    ><input
                      type="radio"
                      name="operator"
                      .checked=${operator === name}
                      @change=${() => choose(operator)} /><span translate="no" .textContent=${operator}></span
                  ></label>`,
              )}
            </div>
          </fieldset>`
        : nothing
    }
    <ol>
      ${steps.map((step) => html`<li>${say(step)}</li>`)}
    </ol>
    <h3 .textContent=${texts.agentTitle}></h3>
    <p .textContent=${texts.agentText}></p>
    <h3 .textContent=${texts.promptTitle}></h3>
    <p .textContent=${texts.promptText + (/^M(TN|omo)/.test(name || '') ? ` ${texts.promptMtn}` : '')}></p>
    <h3 .textContent=${texts.noPromptTitle}></h3>
    <ul>
      <li .textContent=${texts.noPromptPhone}></li>
      <li .textContent=${texts.noPromptSim}></li>
      <li .textContent=${name === 'M-Pesa' ? texts.noPromptMpesa : texts.noPromptMenu}></li>
      <li .textContent=${texts.noPromptSelf}></li>
    </ul>
    <h3 .textContent=${texts.sentTitle}></h3>
    <p>${say(texts.sentText)}</p>
    ${supportLine(sheet.shop, texts)}`
}
