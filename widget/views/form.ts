// The form: country, bank, amount, payer. What a session locks is shown, not asked, and nothing known is asked again.
import { nothing } from 'lit'
import type { TemplateResult } from 'lit'
import { always, html, sentence } from '../html.ts'
import type { SessionView } from '../../server/contract/index.ts'
import type { Card } from '../card.ts'
import type { CheckoutError } from '../checkout-error.ts'
import type { Flow } from '../flow.ts'
import { fill, grouped, sum } from '../format.ts'
import { faultText, fieldText, limits, limitsText } from '../read-form.ts'
import type { FieldName } from '../types.ts'

interface FieldOptions {
  readonly autocomplete: string
  readonly type?: string
  readonly hint?: string | undefined
  /** Currency of the amount; `readonly` if the page has fixed the amount. */
  readonly unit?: string
  readonly readonly?: boolean
  readonly below?: TemplateResult | typeof nothing
}

function field(
  card: Card,
  id: FieldName,
  label: string,
  value: string | undefined,
  options: FieldOptions,
): TemplateResult {
  const error = faultText(card, id)
  const { unit } = options
  return html`<div>
    <label for=${id} .textContent=${label}></label>
    <div class=${unit ? (error ? 'money wrong' : 'money') : ''}>
      ${unit ? html`<span aria-hidden="true" translate="no" .textContent=${always(unit)}></span>` : nothing}
      <input
        id=${id}
        name=${id}
        type=${options.type || 'text'}
        inputmode=${unit ? 'numeric' : nothing}
        autocomplete=${options.autocomplete}
        maxlength="100"
        ?disabled=${card._off}
        ?readonly=${options.readonly}
        .value=${value || ''}
        aria-invalid=${error !== ''}
        aria-describedby=${`${id}-note`}
        aria-required=${id === 'amount' || id === 'name'}
        @input=${(event: Event) => card._typed(id, (event.target as HTMLInputElement).value)}
        @change=${(event: Event) => {
          // Programs that fill in a form often send this event alone.
          card._heard(id, (event.target as HTMLInputElement).value)
          if (id === 'bank') card._leftBank()
          setTimeout(() => card.requestUpdate(), CLICK_MS)
        }}
      />
    </div>
    <p
      id=${`${id}-note`}
      class=${error ? 'err' : 'hint'}
      translate=${unit ? 'no' : nothing}
      ?hidden=${options.readonly && !error}
      .textContent=${error || options.hint || ''}
    ></p>
    ${options.below}
  </div>`
}

/** Delay of a message about a field that just lost focus: a button must not move away under the finger that caused it. */
const CLICK_MS = 300

function countryField(card: Card, flow: Flow | undefined): TemplateResult {
  const { rows, row } = card._offer
  return html`<div>
    <label for="country" .textContent=${card._words.country}></label>
    <select
      id="country"
      autocomplete="country"
      ?disabled=${card._off}
      @change=${(event: Event) => card._typed('country', (event.target as HTMLSelectElement).value)}
    >
      ${rows.map(({ country, name = country, currency }) => html`<option value=${country} ?selected=${country === row.country} translate="no" .textContent=${`${flow ? flow.parts.countryName(card, country, name) : name} · ${currency}`}></option>`)}
    </select>
  </div>`
}

function amountField(card: Card): TemplateResult {
  const { amount, _locale: locale, _words: t } = card
  const { market, row } = card._offer
  // If the page's amount is no number, ask for it.
  const asks = !amount
  const [min, max] = limits(card)
  return field(card, 'amount', t.amount, fieldText(card, 'amount'), {
    autocomplete: 'transaction-amount',
    unit: row.currency,
    readonly: !asks,
    hint: market && asks ? limitsText(card) : '',
    below: asks
      ? html`<div class="chips">
          ${(market ? market.quickAmounts.filter((quick) => quick >= min && quick <= max) : []).map(
            (quick) =>
              html`<button
                class="plain"
                type="button"
                translate="no"
                aria-pressed=${card._amount === String(quick)}
                ?disabled=${card._off}
                @click=${() => card._fill('amount', String(quick))}
                .textContent=${grouped(quick, locale)}
              ></button>`,
          )}
        </div>`
      : nothing,
  })
}

export function bankLabel({ _words: t, bankChoice }: Card): string {
  return bankChoice === 'required' ? t.bank : t.bankOptional
}

/** A plain field until the picker (views/bank-picker.ts) is loaded, which the element renders in its place. */
function bankField(card: Card, flow: Flow | undefined): TemplateResult {
  return flow
    ? html`<div class="combo" part="bank"></div>`
    : field(card, 'bank', bankLabel(card), card._query, { autocomplete: 'off' })
}

/** A session usually fixes the country: it is not asked until the session is loaded, so that no field moves under a finger. */
export function formView(card: Card, flow: Flow | undefined): TemplateResult {
  const { _words: t, _locale: locale } = card
  const { session, market, rows, row } = card._offer
  const { fault, isExplained } = card._checkout.state
  const problem = ({ code, retryAfter = 60 }: Pick<CheckoutError, 'code'> & Partial<CheckoutError>): TemplateResult => {
    const key = code === 'network' ? 'errNetwork' : flow && flow.rare && flow.rare.problems[code]
    const minutes = String(Math.ceil(retryAfter / 60))
    return html`<p class="note warn" role="alert" .textContent=${fill((key && t[key]) || t.errOther, { minutes })}></p>`
  }
  // No form: a payment that this browser can't show must not be made twice, and nothing can be paid for a session that is over.
  if (fault && /^(deposit_unknown|session_(required|invalid|expired|closed|paid)|attempts_used_up)$/.test(fault.code))
    return isExplained ? problem(fault) : html``
  const said = isExplained ? fault : undefined
  const amount = session ? session.amount : card.amount
  const given = session ? session.payer : ({} as Partial<SessionView['payer']>)
  return html`<form part="form" novalidate @submit=${card._submit}>
    ${said ? problem(said) : nothing}
    ${
      card.session && (session || !said)
        ? html`<div class="locked" part="locked">
            <p
              class="sum"
              translate="no"
              .textContent=${always(session ? sum(session.amount, session.currency, locale) : '')}
            ></p>
            <p .textContent=${session ? session.description : ''}></p>
          </div>`
        : nothing
    }
    ${(card.session && !(session && !session.country)) || card.country || rows.length <= 1 ? nothing : countryField(card, flow)}
    ${card.bankChoice === 'hidden' ? nothing : bankField(card, flow)}${card.session ? nothing : amountField(card)}
    ${given.name ? nothing : field(card, 'name', t.name, card.payerName, { autocomplete: 'name' })}
    <div class="two">
      ${given.phone ? nothing : field(card, 'phone', t.phone, card.payerPhone, { type: 'tel', autocomplete: 'tel', hint: flow && flow.parts.phoneHint(card) })}
      ${given.email ? nothing : field(card, 'email', t.email, card.payerEmail, { type: 'email', autocomplete: 'email', hint: t.emailHint })}
    </div>
    ${market && market.off && flow && flow.rare ? problem({ code: 'market_off' }) : nothing}
    <button class="main" part="pay-button" type="submit" ?disabled=${card._off || Boolean(market && market.off)}>
      ${sentence(card._pressed ? t.submitting : amount ? t.payAmount : t.pay, { amount: amount ? sum(amount, session ? session.currency : row.currency, locale) : '' })}
    </button>
  </form>`
}
