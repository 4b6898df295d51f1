// The views of `/pay`: the form, a payment, or a session's present state. Reads rows and cached
// data; changes nothing.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { CountryCode, Language, Market } from '../contract/index.ts'
import type { Deposit, Session } from '../deposits/machine/deposit.ts'
import { marketsOnOffer } from '../deposits/markets.ts'
import { shownDeposit } from '../deposits/merchant/sessions.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from '../http/http.ts'
import { paymentBody, refreshSeconds } from './deposit-view.ts'
import type { FormView, Terms } from './form-view.ts'
import { countryStep, payForm } from './form-view.ts'
import { guessCountry, money } from './language.ts'
import type { Html } from './page.ts'
import { href, html, sendPage } from './page.ts'
import { marketOf } from './pay-request.ts'
import type { PayParts, PaySite } from './pay-site.ts'
import { textsOf } from './texts/index.ts'

/** Of the widget's attribute: the companion that served the page. */
const OWN_ORIGIN = ''

/** A form that is shown again. */
export type FaultyForm = Pick<FormView, 'terms' | 'typed' | 'faults' | 'key' | 'earlier'> & { readonly market: Market }

export type PayViews = ReturnType<typeof createPayViews>

export function createPayViews(parts: PayParts, paySite: PaySite) {
  const { settings, deposits, banks, capabilities, sessions, store, now } = parts
  const { site, depositPath, sessionPath, languageOf, newKey, sessionToken, startedLast } = paySite

  function termsOf(session?: Session): Terms {
    const markets = marketsOnOffer(settings.wallets, settings.limits, deposits.isMarketOff).filter(
      ({ country, currency }) =>
        session === undefined ||
        (currency === session.currency && (session.country === undefined || country === session.country)),
    )
    if (markets.length === 0)
      throw new CompanionError('country_not_offered', { detail: 'No wallet is set up for this payment (HC_WALLETS).' })
    return { markets, path: session === undefined ? '/pay' : sessionPath(session), session }
  }

  /**
   * The payment that this browser has started with this form. Of an order: one that has come to
   * nothing.
   */
  async function earlierNotice(c: Context<Env>, language: Language, session: Session | undefined): Promise<Html | ''> {
    const started = await startedLast(c, session)
    if (started === undefined) return ''
    const t = textsOf(language)
    return html`<div class="earlier">
      <p>${t.earlier}</p>
      <a href="${href(depositPath(started), { lang: language })}">${t.earlierLink}</a>
    </div>`
  }

  /** Attributes of the widget on both kinds of page. */
  const widgetOf = (language: Language, session: Session | undefined) => ({
    companion: OWN_ORIGIN,
    locale: language,
    session: session && sessionToken(session),
    'return-url': session?.returnUrl,
  })

  /** The form, or first the choice of country. */
  async function showForm(c: Context<Env>, session?: Session): Promise<Response> {
    const language = languageOf(c)
    const terms = termsOf(session)
    const { country, amount } = c.req.query()
    const { market, proposed } = chooseMarket(c, terms.markets)
    const prefilled = amount !== undefined && /^\d{1,12}$/.test(amount) && session === undefined ? amount : undefined
    const step =
      market === undefined
        ? countryStep({ language, terms, chosen: proposed, amount: prefilled })
        : payForm({
            language,
            terms,
            market,
            typed: { amount: prefilled },
            faults: {},
            key: newKey(),
            banks: banks.cached(market.country),
          })
    const body = html`${await earlierNotice(c, language, session)}${step}`
    return sendPage(c, site, {
      language,
      path: terms.path,
      query: { country: market && country, amount: prefilled },
      title: textsOf(language).payTitle,
      shop: sessions.shop(session),
      about: session && aboutOf(language, session),
      widget: {
        ...widgetOf(language, session),
        // The preselected country; a `country` attribute would fix it.
        'data-country': session === undefined ? marketOf(terms.markets, country)?.country : undefined,
      },
      body,
    })
  }

  /** `plain`: the answer to a form, which is sent without widget and does not reload by itself. */
  async function showDeposit(
    c: Context<Env>,
    deposit: Deposit,
    shownAt: string,
    plain?: { note: string; status: ContentfulStatusCode },
  ): Promise<Response> {
    const language = languageOf(c, deposit.locale)
    const view = deposits.view(deposit)
    const session = deposit.sessionId === undefined ? undefined : await store.session(deposit.sessionId)
    const isOpenShop = deposit.sessionId === undefined && settings.mode === 'open'
    const refreshing = plain === undefined && c.req.query('refresh') !== 'off'
    return sendPage(
      c,
      site,
      {
        language,
        path: shownAt,
        title: textsOf(language).paymentTitle,
        tab: view.phase === 'succeeded' ? `✓ ${textsOf(language).received}` : undefined,
        shop: sessions.shop(session),
        about: aboutOf(language, deposit),
        refresh: refreshing ? refreshSeconds(view, now()) : undefined,
        widget:
          plain === undefined
            ? {
                ...widgetOf(language, session),
                // Kept out of URLs and scripts: page.js passes it to `resume`.
                'data-deposit': deposit.id,
                'data-token': capabilities.depositToken(deposit.id, deposit.generation),
              }
            : undefined,
        body: paymentBody({
          language,
          deposit: view,
          path: depositPath(deposit),
          shownAt,
          refreshing,
          now: now(),
          canRetry: session === undefined ? isOpenShop : await sessions.isOpen(session),
          canStartNew: isOpenShop,
          returnUrl: session?.returnUrl,
          shopName: sessions.shop(session)?.name,
          note: plain?.note,
        }),
      },
      plain?.status ?? 200,
    )
  }

  async function showSession(c: Context<Env>, session: Session): Promise<Response> {
    const deposit = await shownDeposit(store, session.id)
    if (deposit !== undefined) return showDeposit(c, deposit, sessionPath(session))
    await sessions.mustBeOpen(session)
    return showForm(c, session)
  }

  /**
   * The form again, with what was typed and what is wrong. After Back and a reload it also mentions
   * a payment that was started since.
   */
  async function showFaults(
    c: Context<Env>,
    form: FaultyForm,
    answer: { status: ContentfulStatusCode; retryAfter?: number },
  ): Promise<Response> {
    const { terms, market } = form
    const language = languageOf(c)
    const notice = form.earlier === undefined ? await earlierNotice(c, language, terms.session) : ''
    if (answer.retryAfter !== undefined) c.header('retry-after', String(answer.retryAfter))
    return sendPage(
      c,
      site,
      {
        language,
        path: terms.path,
        query: { country: market.country },
        title: textsOf(language).payTitle,
        shop: sessions.shop(terms.session),
        about: terms.session && aboutOf(language, terms.session),
        body: html`${notice}${payForm({ ...form, language, banks: banks.cached(market.country) })}`,
      },
      answer.status,
    )
  }

  return { termsOf, showForm, showFaults, showDeposit, showSession }
}

/** What is paid, in one line. */
function aboutOf(
  language: Language,
  { description, amount, currency }: Pick<Session, 'description' | 'amount' | 'currency'>,
) {
  return `${description} · ${money(language, amount, currency)}`
}

/** The market of the form. Without one the customer chooses, and a country may be proposed. */
function chooseMarket(
  c: Context<Env>,
  markets: readonly Market[],
): { readonly market: Market | undefined; readonly proposed: CountryCode | undefined } {
  const { country, change } = c.req.query()
  const guess = guessCountry(
    c,
    markets.map((market) => market.country),
  )
  const named = marketOf(markets, country)
  if (change !== undefined) return { market: named, proposed: marketOf(markets, change)?.country ?? guess }
  const only = markets.length === 1 ? markets[0] : undefined
  return { market: named ?? only ?? marketOf(markets, guess), proposed: guess }
}
