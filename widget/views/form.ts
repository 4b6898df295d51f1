// The form: country, bank, amount, payer. What a session locks is shown, not asked, and nothing
// known is asked again.
import { nothing, type TemplateResult } from 'lit'
import { always, html, sentence } from '../base/html.ts'
import type { SessionView } from '../../server/contract/index.ts'
import { fill, grouped, readAmount, signOf, sum } from '../base/format.ts'
import type { MarketRow } from '../base/markets.ts'
import { faultText, fieldText, limits, limitsText } from '../base/field-texts.ts'
import type { FieldName } from '../base/types.ts'
import type { FormProps } from './form-props.ts'

/**
 * With these no form is shown: a payment that this browser can't show must not be made twice, and
 * nothing can be paid for a session that is over.
 */
const withoutForm: readonly string[] = [
  'deposit_unknown',
  'session_required',
  'session_invalid',
  'session_expired',
  'session_closed',
  'session_paid',
  'attempts_used_up',
]

interface FieldOptions {
  readonly autocomplete: string
  readonly type?: string
  readonly hint?: string | undefined
  readonly example?: string | undefined
  /** Currency of the amount; `readonly` if the page has fixed the amount. */
  readonly unit?: string
  readonly readonly?: boolean
  /** The bank field: what happens in it besides. */
  readonly onUse?: (event: Event) => void
  readonly below?: TemplateResult | typeof nothing
}

const textOf = ({ target }: Event): string => (target as HTMLInputElement | HTMLSelectElement).value

function field(props: FormProps, id: FieldName, label: string, options: FieldOptions): TemplateResult {
  const error = faultText(props, id)
  const { unit, onUse } = options
  const isRequired = id === 'amount' || id === 'name' || (onUse && props.page.bankChoice === 'required')
  const onInput = (event: Event): void => {
    const typed = event.target as HTMLInputElement
    props._onInput(id, unit ? props._onAmount(typed, (event as InputEvent).inputType) : typed.value)
  }
  return html`<div part=${onUse ? 'bank' : nothing}>
    <label for=${id} .textContent=${label}></label>
    <div class=${unit ? (error ? 'money wrong' : 'money') : ''}>
      ${unit ? html`<span aria-hidden="true" translate="no" .textContent=${always(unit)}></span>` : nothing}
      <input
        id=${id}
        name=${id}
        type=${options.type || 'text'}
        role=${onUse && props._hasList ? 'combobox' : nothing}
        aria-expanded=${onUse && props._hasList ? 'false' : nothing}
        inputmode=${unit ? 'numeric' : nothing}
        autocomplete=${options.autocomplete}
        autocapitalize=${id === 'name' ? 'words' : 'off'}
        spellcheck="false"
        enterkeyhint="go"
        placeholder=${options.example || nothing}
        maxlength="100"
        .disabled=${props._isOff}
        .readOnly=${options.readonly}
        .value=${fieldText(props, id)}
        aria-invalid=${error !== ''}
        aria-describedby=${`${id}-note`}
        aria-required=${Boolean(isRequired)}
        @input=${onInput}
        @change=${(event: Event) => props.onChange(id, textOf(event))}
        @focus=${onUse}
        @click=${onUse}
        @keydown=${onUse}
        @blur=${onUse}
      />
    </div>
    <p
      id=${`${id}-note`}
      role=${onUse ? 'status' : nothing}
      class=${error ? 'err' : 'hint'}
      translate=${unit ? 'no' : nothing}
      .hidden=${options.readonly && !error}
      .textContent=${error || options.hint || ''}
    ></p>
    ${options.below}
  </div>`
}

function countryField(props: FormProps): TemplateResult {
  const { rows, row } = props.offer
  const option = ({ country, name = country, currency }: MarketRow): TemplateResult =>
    html`<option
      value=${country}
      .selected=${country === row.country}
      translate="no"
      .textContent=${`${props.countryName(country, name)} · ${currency}`}
    ></option>`
  return html`<div>
    <label for="country" .textContent=${props.texts.country}></label>
    <select
      id="country"
      autocomplete="country"
      .disabled=${props._isOff}
      @change=${(event: Event) => props._onInput('country', textOf(event))}
    >
      ${rows.map(option)}
    </select>
  </div>`
}

function amountField(props: FormProps): TemplateResult {
  const { page, entry, locale, texts: t } = props
  const { market, row } = props.offer
  // If the page's amount is no number, ask for it.
  const asks = !page.amount
  const [min, max] = limits(props)
  return field(props, 'amount', t.amount, {
    autocomplete: 'transaction-amount',
    unit: signOf(row.currency),
    readonly: !asks,
    hint: market && asks ? limitsText(props) : '',
    below: asks
      ? html`<div class="chips">
          ${market?.quickAmounts
            .filter((quick) => quick >= min && quick <= max)
            .map(
              (quick) =>
                html`<button
                  class="plain"
                  type="button"
                  translate="no"
                  aria-pressed=${readAmount(entry.amount) === quick}
                  .disabled=${props._isOff}
                  @click=${() => props._onFill('amount', grouped(quick, locale))}
                  .textContent=${grouped(quick, locale)}
                ></button>`,
            )}
        </div>`
      : nothing,
  })
}

/** Its list (bank-list.ts) is drawn below it, once the customer has used the field. */
function bankField(props: FormProps): TemplateResult {
  const { texts: t, page } = props
  return field(props, 'bank', page.bankChoice === 'required' ? t.bank : t.bankOptional, {
    autocomplete: 'off',
    hint: props.bankHint,
    example: t.bankHint,
    onUse: (event) => props._onBank(event),
    below: html`<div class="banks"></div>`,
  })
}

/** What few fill in, behind one row that says what it is and what it holds. */
function fold(
  label: string,
  values: readonly (string | undefined)[],
  inside: unknown,
  onClick?: (event: Event) => void,
): TemplateResult {
  return html`<details>
    <summary @click=${onClick}>
      <span .textContent=${label}></span><b .textContent=${values.filter(Boolean).join(' · ')}></b>
    </summary>
    ${inside}
  </details>`
}

/** The row opens the list: nobody has to press twice. */
function openBank(event: Event): void {
  const row = event.currentTarget as HTMLElement
  const details = row.parentElement as HTMLDetailsElement
  if (details.open) return
  event.preventDefault()
  details.open = true
  const bank = details.querySelector('input')
  bank?.focus()
  bank?.click()
}

export function formView(props: FormProps): TemplateResult {
  const { page, entry, texts: t, locale, fault, isExplained, rare } = props
  const { session, market, rows, row } = props.offer
  const problem = (code: string, retryAfter = 60): TemplateResult => {
    const key = code === 'network' ? 'errNetwork' : rare?.problems[code]
    const minutes = String(Math.ceil(retryAfter / 60))
    // The browser leads here when the form around the element cannot be sent.
    return html`<p
        class="note warn ${code}"
        role="alert"
        tabindex="-1"
        .textContent=${fill((key && t[key]) || t.errOther, { minutes })}
      ></p>
      ${key && rare?.parts?.supportBelow(key, props.offer.shop, t)}`
  }
  if (fault && withoutForm.includes(fault.code))
    return html`<div class="stack alone">${isExplained ? problem(fault.code, fault.retryAfter) : nothing}</div>`
  const said = isExplained ? fault : undefined
  // The button says the amount as it is understood. With a session only the session's amount
  // counts.
  const amount = page.session ? session?.amount : page.amount || readAmount(props.entry.amount)
  const given: Partial<SessionView['payer']> = session?.payer || {}
  const isLocked = Boolean(page.session || page.amount)
  const bank = page.bankChoice === 'hidden' ? nothing : bankField(props)
  const name = given.name ? nothing : field(props, 'name', t.name, { autocomplete: 'name' })
  const phone = { type: 'tel', autocomplete: 'tel', hint: props.phoneHint, example: market?.phoneExample }
  const email = { type: 'email', autocomplete: 'email', hint: t.emailHint }
  const reach = html`<div class="two">
    ${given.phone ? nothing : field(props, 'phone', t.phone, phone)}
    ${given.email ? nothing : field(props, 'email', t.email, email)}
  </div>`
  // A session usually fixes the country: it is not asked until the session is loaded, so that no
  // field moves under a finger.
  const asksCountry = !page.country && rows.length > 1 && (!page.session || (session && !session.country))
  const isBankOpen = !isLocked || page.bankChoice === 'required'
  const say = props._isPressed ? t.submitting : amount ? t.payAmount : t.pay
  const total = amount ? sum(amount, session ? session.currency : row.currency, locale) : ''
  return html`<form part="form" novalidate @submit=${props.onSubmit}>
    ${said ? problem(said.code, said.retryAfter) : nothing}
    ${
      page.session && (session || !said)
        ? html`<div class="locked" part="locked">
            <p
              class="sum"
              translate="no"
              .textContent=${always(session ? sum(session.amount, session.currency, locale) : '')}
            ></p>
            <p .textContent=${session?.description || ''}></p>
          </div>`
        : nothing
    }
    ${asksCountry ? countryField(props) : nothing}
    ${isBankOpen ? bank : nothing}${page.session ? nothing : amountField(props)} ${name}
    ${
      isLocked
        ? html`<div class="folds">
            ${isBankOpen || bank === nothing ? nothing : fold(t.bankFold, [entry.query], bank, openBank)}
            ${given.phone && given.email ? nothing : fold(t.contactFold, [page.payerPhone, page.payerEmail], reach)}
          </div>`
        : reach
    }
    ${market?.off && rare ? problem('market_off') : nothing}
    <button class="main" part="pay-button" type="submit" .disabled=${props._isOff || Boolean(market?.off)}>
      ${sentence(say, { amount: total })}
    </button>
    <div class="hint" part="next">
      <p class="names" translate="no" .textContent=${(market?.operators || []).join(' · ')}></p>
      <p .textContent=${t.next}></p>
    </div>
  </form>`
}
