// The payment form, complete without a script: country first, then amount, bank and payer. Values
// locked by a session are shown, not asked for.
import { textsOf as cardTexts } from 'hc-checkout/locales'
import type { Bank, CountryCode, Language, Market } from '../contract/index.ts'
import type { Session } from '../deposits/machine/deposit.ts'
import { countryName, money, sum } from './language.ts'
import type { Html } from './page.ts'
import { href, html } from './page.ts'
import { textsOf } from './texts/index.ts'
import type { PageTexts } from './texts/en.ts'

/** The names of the form's fields. */
export const fieldNames = ['country', 'amount', 'bank', 'name', 'phone', 'email'] as const
export type FieldName = (typeof fieldNames)[number]
export type Typed = Readonly<Partial<Record<FieldName, string>>>
/** One sentence per invalid field; `form` for what concerns no single field. */
export type Faults = Readonly<Partial<Record<FieldName | 'form', string>>>

/** The session, if any, and what may be chosen under it. */
export interface Terms {
  readonly markets: readonly Market[]
  readonly session?: Session
  /** Path of the form, `/pay` or `/pay/<link>`. */
  readonly path: string
}

export interface FormView {
  readonly language: Language
  readonly terms: Terms
  /** What was typed before; never the payer details of a session. */
  readonly typed: Typed
  readonly faults: Faults
  readonly key: string
  readonly banks: readonly Bank[] | undefined
  /** Address of the payment that an earlier submission of this form started. */
  readonly earlier?: string
}

/** First step, where there are several countries and none is known. A plain GET form. */
export function countryStep(
  view: Pick<FormView, 'language' | 'terms'> & {
    readonly chosen: CountryCode | undefined
    readonly amount?: string
  },
): Html {
  const { language, terms, chosen, amount } = view
  const t = textsOf(language)
  const sorted = terms.markets
    .map(({ country }) => ({ code: country, name: countryName(language, country) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
  return html`${toPay(language, terms.session)}
    <form method="get" action="${terms.path}">
      <input type="hidden" name="lang" value="${language}" />
      ${amount === undefined ? '' : html`<input type="hidden" name="amount" value="${amount}" />`}
      <div class="field">
        <label for="country">${t.countryQuestion}</label>
        <select id="country" name="country" required autocomplete="country">
          ${chosen === undefined ? html`<option value="">–</option>` : ''} ${options(sorted, chosen)}
        </select>
      </div>
      <button type="submit">${t.next}</button>
    </form>`
}

/** Attributes of the fields. */
const inputs = {
  amount: html` type="text" inputmode="numeric" class="amount" list="quick" autocomplete="transaction-amount"`,
  name: html` type="text" autocomplete="name" maxlength="200"`,
  email: html` type="email" autocomplete="email"`,
}

export function payForm(view: FormView & { readonly market: Market }): Html {
  const { language, terms, typed, faults, key, market, banks } = view
  const { session } = terms
  const t = textsOf(language)
  const card = cardTexts(language)
  const { min, max, currency } = market
  const asks = {
    name: session?.payer?.name === undefined,
    phone: session?.payer?.phone === undefined,
    email: session?.payer?.email === undefined,
  }
  const amount = session === undefined ? typed.amount : undefined
  const change = href(terms.path, { lang: language, change: market.country, amount })
  const quick = market.quickAmounts.map(
    (value) => html`<option value="${value}">${money(language, value, currency)}</option>`,
  )
  const phone = html` type="tel" autocomplete="tel" placeholder="${market.callingCode}"`
  const shown = { t, typed, faults }
  return html`${toPay(language, session)}${faultList(view, t)}
    <form method="post" action="${href(terms.path, { lang: language })}" accept-charset="utf-8" novalidate>
      <input type="hidden" name="key" value="${key}" />
      <input type="hidden" name="country" value="${market.country}" />
      <div class="field" id="country">
        <span class="label">${card.country}</span>
        <span class="fixed"
          >${countryName(language, market.country)}${
            terms.markets.length > 1 ? html` <a href="${change}">${t.change}</a>` : ''
          }</span
        >${wrong('country', faults)}
      </div>
      ${banks === undefined || banks.length === 0 ? '' : bankField(shown, card.bankOptional, banks)}
      ${
        session === undefined
          ? html`${field(shown, 'amount', `${card.amount} (${currency})`, inputs.amount, {
                required: true,
                hint: t.amountHint(money(language, min, currency), money(language, max, currency)),
              })} <datalist id="quick">${quick}</datalist>`
          : ''
      }
      ${asks.name ? field(shown, 'name', card.name, inputs.name, { required: true }) : ''}
      ${asks.phone ? field(shown, 'phone', card.phone, phone, { hint: t.phoneHint }) : ''}
      ${asks.email ? field(shown, 'email', card.email, inputs.email, { hint: card.emailHint }) : ''}
      ${asks.name && asks.phone && asks.email ? '' : html`<p class="small">${t.known}</p>`}
      <p class="do">
        <button type="submit">
          ${session === undefined ? card.pay : card.payAmount.replace('{amount}', () => money(language, session.amount, session.currency))}
        </button>
      </p>
      <p class="small">${card.next}</p>
    </form>`
}

/** The locked amount and description: displayed, not editable. */
function toPay(language: Language, session: Session | undefined): Html | '' {
  if (session === undefined) return ''
  const t = textsOf(language)
  return html`<p class="sum">
    <span>${t.toPay}</span> <b translate="no">${sum(language, session.amount, session.currency)}</b>
    <span>${session.description}</span>
  </p>`
}

function faultList(view: FormView, t: PageTexts): Html | '' {
  const { faults, earlier, terms } = view
  const named = fieldNames.filter((name) => faults[name] !== undefined)
  if (named.length === 0 && faults.form === undefined) return ''
  // A field that is not on this page (locked by the session) cannot be linked to.
  const entry = (name: FieldName) =>
    html`<li>
      ${terms.session !== undefined && name === 'amount' ? faults[name] : html`<a href="#${name}">${faults[name]}</a>`}
    </li>`
  // It takes the focus. A screen reader does not announce an alert that is there from the start,
  // and the title is that of the form before.
  return html`<div class="faults" role="alert" id="faults" tabindex="-1" autofocus>
    <p>${faults.form ?? t.faults.summary}</p>
    ${
      named.length === 0
        ? ''
        : html`<ul>
            ${named.map(entry)}
          </ul>`
    }${earlier === undefined ? '' : html`<p><a href="${earlier}">${t.faults.usedLink}</a></p>`}
  </div>`
}

function wrong(name: FieldName, faults: Faults): Html | '' {
  return faults[name] === undefined ? '' : html`<p class="wrong" id="${name}-wrong">${faults[name]}</p>`
}

function describedBy(name: FieldName, faults: Faults, hint: boolean): Html | '' {
  const ids = [...(faults[name] === undefined ? [] : [`${name}-wrong`]), ...(hint ? [`${name}-hint`] : [])]
  const described = ids.length === 0 ? '' : html` aria-describedby="${ids.join(' ')}"`
  return html`${described}${faults[name] === undefined ? '' : html` aria-invalid="true"`}`
}

interface Shown extends Pick<FormView, 'typed' | 'faults'> {
  readonly t: PageTexts
}

function field(
  { typed, faults }: Shown,
  name: FieldName,
  label: string,
  extra: Html,
  { required = false, hint }: { readonly required?: boolean; readonly hint?: string },
): Html {
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      ${extra}${required ? html` required` : ''}${describedBy(name, faults, hint !== undefined)}
      value="${typed[name] ?? ''}"
    />
    ${wrong(name, faults)}${hint === undefined ? '' : html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`
}

const options = (choices: readonly Bank[], chosen: string | undefined): Html[] =>
  choices.map(
    ({ code, name }) => html`<option value="${code}" ${code === chosen ? html` selected` : ''}>${name}</option>`,
  )

function bankField({ t, typed, faults }: Shown, label: string, banks: readonly Bank[]): Html {
  return html`<div class="field">
    <label for="bank">${label}</label>
    <select id="bank" name="bank" ${describedBy('bank', faults, true)}>
      <option value="">${t.bankNone}</option>
      ${options(banks, typed.bank)}
    </select>
    ${wrong('bank', faults)}
    <p class="hint" id="bank-hint">${t.bankHint}</p>
  </div>`
}
