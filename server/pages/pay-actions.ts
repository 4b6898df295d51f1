// The actions of the `/pay` forms: start a payment, check its state now, start again. Uses the same
// service and limits as the JSON API.
import type { Context } from 'hono'
import { textsOf as cardTexts } from 'hc-checkout/locales'
import type { CreatedDeposit, Language, ProblemIssue } from '../contract/index.ts'
import { problems } from '../contract/index.ts'
import type { Deposit, Session } from '../deposits/machine/deposit.ts'
import { isLive } from '../deposits/machine/phases.ts'
import { keyHashOf } from '../deposits/identity.ts'
import { sessionRequired } from '../deposits/merchant/sessions.ts'
import { createStartAgain } from '../deposits/create/start-again.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from '../http/http.ts'
import { saidOf } from './dead-end.ts'
import type { Faults, FieldName, Terms } from './form-view.ts'
import { countryStep } from './form-view.ts'
import { money } from './language.ts'
import { html, sendPage } from './page.ts'
import { FIELD_OF, issuesOf, keyOf, marketOf, typedIn, toCreateDeposit } from './pay-request.ts'
import type { PayParts, PaySite } from './pay-site.ts'
import type { FaultyForm, PayViews } from './pay-views.ts'
import { textsOf } from './texts/index.ts'

/** A form that was sent: what is needed to show it again. */
interface SentForm extends Omit<FaultyForm, 'faults'> {
  readonly language: Language
}

export function createPayActions(parts: PayParts, paySite: PaySite, views: PayViews) {
  const { settings, sessions, deposits, reconciler, capabilities, store, countStart, countCheck, report } = parts
  const { site, depositPath, sessionPath, languageOf, newKey, sessionToken, seeOther, rememberStarted } = paySite
  const { termsOf, showFaults, showDeposit } = views
  const startAgain = createStartAgain(deposits, capabilities)

  /**
   * Redirects to the hosted page if its origin is allowed, else to the payment's page. Reads the
   * deposit again: a resubmitted form gets its first answer, and the payment may have ended since.
   */
  async function goTo(c: Context<Env>, created: CreatedDeposit): Promise<Response> {
    const deposit = await store.deposit(created.id)
    if (deposit === undefined)
      throw new CompanionError('internal_error', { detail: 'A deposit that was just written cannot be read.' })
    rememberStarted(c, deposit)
    const { checkoutUrl } = deposits.view(deposit)
    const known =
      checkoutUrl !== undefined &&
      URL.canParse(checkoutUrl) &&
      settings.checkoutOrigins.includes(new URL(checkoutUrl).origin)
    return known ? c.redirect(checkoutUrl, 303) : seeOther(c, depositPath(deposit))
  }

  /** The payment that an earlier submission of the same form started. */
  async function earlierOf(key: string): Promise<Deposit | undefined> {
    const row = await store.idempotency(keyHashOf(key))
    return row === undefined ? undefined : store.deposit(row.depositId)
  }

  /** A form sent twice while the service is slow leads to the page of its payment. */
  async function toRunning(c: Context<Env>, error: unknown, key: string): Promise<Response | undefined> {
    if (!(error instanceof CompanionError) || error.code !== 'idempotency_key_in_progress') return undefined
    const running = await earlierOf(key)
    if (running === undefined) return undefined
    rememberStarted(c, running)
    return seeOther(c, depositPath(running))
  }

  async function start(c: Context<Env>, form: URLSearchParams, session?: Session): Promise<Response> {
    if (session === undefined && settings.mode === 'sessions') throw sessionRequired()
    const language = languageOf(c)
    const { faults: texts } = textsOf(language)
    const terms = termsOf(session)
    const typed = typedIn(form)
    const market = marketOf(terms.markets, typed.country)
    if (market === undefined) return askCountry(c, terms, language)
    const key = keyOf(form)
    if (key === undefined)
      return showFaults(c, { terms, market, typed, key: newKey(), faults: { form: texts.key } }, { status: 422 })
    const sent: SentForm = { terms, market, typed, key, language }
    const body = toCreateDeposit(typed, market, {
      locale: language,
      amount: session?.amount,
      session: session && sessionToken(session),
    })
    const issues = issuesOf(body, session?.payer?.name === undefined, market)
    if (issues.length > 0)
      return showFaults(c, { ...sent, faults: faultsOf(issues, sent, settings.maxName) }, { status: 422 })
    try {
      const created = await deposits.create(body, key, () => countStart(c.get('address'), session?.id))
      return await goTo(c, created)
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      return answerRefusal(c, sent, error)
    }
  }

  function askCountry(c: Context<Env>, terms: Terms, language: Language): Response {
    const texts = textsOf(language)
    const body = html`<div class="faults" role="alert" tabindex="-1" autofocus><p>${texts.faults.country}</p></div>
      ${countryStep({ language, terms, chosen: undefined })}`
    return sendPage(
      c,
      site,
      { language, path: terms.path, title: texts.payTitle, shop: sessions.shop(terms.session), body },
      422,
    )
  }

  /** Most often the same form with the same key, so that sending it again is safe. */
  async function answerRefusal(c: Context<Env>, sent: SentForm, error: CompanionError): Promise<Response> {
    const { terms, key, language } = sent
    const answer = { status: problems[error.code].status, retryAfter: error.retryAfter }
    switch (error.code) {
      case 'session_paid':
        return seeOther(c, terms.path)
      case 'idempotency_key_reused': {
        const earlier = await earlierOf(key)
        const used = {
          ...sent,
          key: newKey(),
          faults: { form: textsOf(language).faults.used },
          earlier: earlier && depositPath(earlier),
        }
        return showFaults(c, used, answer)
      }
      case 'upstream_unavailable':
      case 'market_off':
      case 'rate_limited':
      case 'too_many_attempts':
      case 'store_unavailable':
      case 'idempotency_key_in_progress': {
        const running = await toRunning(c, error, key)
        if (running !== undefined) return running
        report(error, c.get('requestId'), c.req.routePath)
        const { title, text } = saidOf(error.code, language, error.retryAfter)
        return showFaults(c, { ...sent, faults: { form: `${title}. ${text}` } }, answer)
      }
      default:
        if (error.issues === undefined) throw error
        return showFaults(c, { ...sent, faults: faultsOf(error.issues, sent, settings.maxName) }, answer)
    }
  }

  async function checkNow(c: Context<Env>, deposit: Deposit): Promise<Response> {
    try {
      await countCheck(c.get('address'), deposit)
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'rate_limited') throw error
      c.header('retry-after', String(error.retryAfter ?? 10))
      return showDeposit(c, deposit, depositPath(deposit), {
        note: textsOf(languageOf(c, deposit.locale)).checkLater,
        status: 429,
      })
    }
    await reconciler.ask(deposit, 'check')
    return seeOther(c, depositPath(deposit))
  }

  /**
   * A new attempt with the details of the old one. Beside a live one it takes the customer's
   * statement (money rule 5).
   */
  async function again(c: Context<Env>, form: URLSearchParams, old: Deposit): Promise<Response> {
    if (old.phase === 'succeeded') return seeOther(c, depositPath(old))
    if (isLive(old.phase) && form.get('unpaid') !== 'yes') {
      return showDeposit(c, old, depositPath(old), {
        note: textsOf(languageOf(c, old.locale)).faults.confirm,
        status: 422,
      })
    }
    const session = old.sessionId === undefined ? undefined : await store.session(old.sessionId)
    const body = startAgain.bodyOf(old, session)
    if (body === undefined) {
      return session === undefined
        ? seeOther(c, '/pay', { country: old.country, amount: String(old.amount) })
        : seeOther(c, sessionPath(session))
    }
    const key = startAgain.keyOf(old)
    try {
      const created = await startAgain.create(body, key, () => countStart(c.get('address'), session?.id))
      return await goTo(c, created)
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'session_paid' && session !== undefined)
        return seeOther(c, sessionPath(session))
      const running = await toRunning(c, error, key)
      if (running !== undefined) return running
      throw error
    }
  }

  return { start, checkNow, again }
}

/** What each issue says to the customer, at its field. `maxName`: most characters of a name. */
function faultsOf(issues: readonly ProblemIssue[], { typed, market, language }: SentForm, maxName: number): Faults {
  const { faults: texts } = textsOf(language)
  const card = cardTexts(language)
  const sum = (amount: number): string => money(language, amount, market.currency)
  const faults: Partial<Record<FieldName | 'form', string>> = {}
  for (const { path, code } of issues) {
    const name = FIELD_OF[path]
    if (name === undefined) faults.form = textsOf(language).ends.unreadable.text
    else if (name === 'amount') faults.amount = texts.amount(sum(market.min), sum(market.max))
    else if (name === 'name') faults.name = (typed.name ?? '').length > maxName ? card.errLong : card.errName
    else if (name === 'country') faults.country = code === 'currency_mismatch' ? texts.currency : texts.country
    else if (name === 'phone') faults.phone = texts.phone
    else if (name === 'email') faults.email = card.errEmail
    else faults.bank = card.errBankList
  }
  return faults
}
