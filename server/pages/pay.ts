// `/pay` and `/pay/:link`: hand-off, resume, and the whole payment without JavaScript; with it, the widget itself.
// DESIGN.md "The companion's doors": a GET has no side effect, no redirect, no upstream call and no payer details, since chats
// fetch links to preview them. Only the forms act.
import type { Context } from 'hono'
import { Hono } from 'hono'
import { html } from 'hono/html'
import type { CreateDeposit, CreatedDeposit, Market, ProblemIssue } from '../contract/index.ts'
import { problems } from '../contract/index.ts'
import type { BankLists } from '../deposits/banks.ts'
import type { Deposit, Session } from '../deposits/deposit.ts'
import { isLive } from '../deposits/deposit.ts'
import type { Capabilities } from '../deposits/identity.ts'
import { sha256 } from '../deposits/identity.ts'
import { marketsOnOffer } from '../deposits/markets.ts'
import type { Count } from '../deposits/ports.ts'
import type { Reconciler } from '../deposits/reconcile.ts'
import type { DepositService } from '../deposits/service.ts'
import type { Sessions } from '../deposits/sessions.ts'
import { CompanionError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { bucketOf, createRateLimit } from '../routes/address.ts'
import type { Env } from '../routes/http.ts'
import { errorHandler, toProblem } from '../routes/http.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/store.ts'
import { deadEnd, saidOf } from './dead-end.ts'
import { paymentBody, refreshSeconds } from './deposit-view.ts'
import type { Faults, FieldName, Terms, Typed } from './form-view.ts'
import { amountFault, countryStep, payForm } from './form-view.ts'
import type { Language } from './language.ts'
import { chooseLanguage, guessCountry, offeredLanguages } from './language.ts'
import type { Site } from './page.ts'
import { href, scriptVersion, sendPage } from './page.ts'
import { pageScript } from './page-script.ts'
import { fieldOf, issuesOf, keyOf, marketOf, readForm, requireOwnForm, typedIn, wish } from './pay-request.ts'
import { textsOf } from './texts.ts'

const MINUTE = 60_000

export interface PayPagesParts {
  readonly settings: Settings
  readonly deposits: DepositService
  readonly sessions: Pick<Sessions, 'byToken'>
  readonly banks: Pick<BankLists, 'cached'>
  readonly reconciler: Pick<Reconciler, 'ask'>
  readonly capabilities: Capabilities
  readonly store: Pick<Store, 'deposit' | 'session' | 'liveDeposit' | 'creditedDeposit' | 'idempotency'>
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  readonly logger: Logger
  readonly count: Count
  /** Shared with the JSON door: payments without a session that may start in a minute. */
  readonly takeOpen: () => Promise<boolean>
  /** Version of the mounted bundles; without one the pages are plain forms. */
  readonly widgetVersion?: string | undefined
}

export function payPages(parts: PayPagesParts): Hono<Env> {
  const { settings, deposits, banks, reconciler, capabilities, store, now, random, takeOpen } = parts
  const publicUrl = new URL(settings.publicUrl)
  const site: Site = {
    base: publicUrl.pathname.replace(/\/+$/, ''),
    checkoutOrigins: settings.checkoutOrigins,
    offered: offeredLanguages(settings.locales),
    isTest: settings.paymentMode === 'test',
    widgetVersion: parts.widgetVersion,
    random,
  }
  const log = errorHandler(parts.logger, parts.count)
  // As on the JSON doors: wide by address, since thousands stand behind one operator's; tight by session and deposit.
  const reads = createRateLimit({ most: 1200, windowMs: MINUTE, now })
  const starts = createRateLimit({ most: 120, windowMs: MINUTE, now })
  const perSession = createRateLimit({ most: 20, windowMs: MINUTE, now })
  const perDeposit = createRateLimit({ most: 6, windowMs: MINUTE, now })

  const languageOf = (c: Context<Env>, payment?: string): Language =>
    chooseLanguage(site.offered, { query: c.req.query('lang'), header: c.req.header('accept-language'), payment })
  const newKey = () => Buffer.from(random(24)).toString('base64url')
  const depositPath = (deposit: Deposit) =>
    `/pay/${capabilities.link({ kind: 'deposit', id: deposit.id }, deposit.generation)}`
  const sessionPath = (session: Session) =>
    `/pay/${capabilities.link({ kind: 'session', id: session.id }, session.generation)}`
  const sessionToken = (session: Session) => capabilities.sessionToken(session.id, session.generation)

  /** The row behind a genuine link; any other link is told apart from nothing. */
  async function behind(link: string): Promise<{ deposit: Deposit } | { session: Session }> {
    const target = capabilities.readLink(link)
    const row =
      target === undefined
        ? undefined
        : target.kind === 'deposit'
          ? await store.deposit(target.id)
          : await store.session(target.id)
    if (target === undefined || row === undefined || !capabilities.isLink(link, target, row.generation)) {
      throw new CompanionError('not_found', { detail: 'There is no payment behind this link.' })
    }
    return target.kind === 'deposit' ? { deposit: row as Deposit } : { session: row as Session }
  }

  function termsOf(session?: Session): Terms {
    const markets = marketsOnOffer(settings.wallets, settings.limits, deposits.isMarketOff).filter(
      ({ country, currency }) =>
        session === undefined ||
        (currency === session.currency && (session.country === undefined || country === session.country)),
    )
    if (markets.length === 0)
      throw new CompanionError('country_not_offered', { detail: 'No wallet is set up for this payment (HC_WALLETS).' })
    return {
      markets,
      path: session === undefined ? '/pay' : sessionPath(session),
      ...(session === undefined ? {} : { session }),
    }
  }

  /** The form, or the choice of the country before it. */
  function showForm(c: Context<Env>, session?: Session): Response | Promise<Response> {
    const language = languageOf(c)
    const terms = termsOf(session)
    const t = textsOf(language)
    const { country, change, amount } = {
      country: c.req.query('country'),
      change: c.req.query('change'),
      amount: c.req.query('amount'),
    }
    const guess = guessCountry(
      c.req.header('accept-language'),
      terms.markets.map((market) => market.country),
    )
    const market =
      marketOf(terms.markets, country) ??
      (change === undefined
        ? marketOf(terms.markets, terms.markets.length === 1 ? terms.markets[0]?.country : guess)
        : undefined)
    const prefilled = amount !== undefined && /^\d{1,12}$/.test(amount) && session === undefined ? amount : undefined
    const body =
      market === undefined
        ? countryStep({
            site,
            language,
            terms,
            chosen: marketOf(terms.markets, change)?.country ?? guess,
            ...(prefilled === undefined ? {} : { amount: prefilled }),
          })
        : payForm({
            site,
            language,
            terms,
            market,
            typed: prefilled === undefined ? {} : { amount: prefilled },
            faults: {},
            key: newKey(),
            banks: banks.cached(market.country),
          })
    return sendPage(c, site, {
      language,
      path: terms.path,
      query: {
        ...(market !== undefined && country !== undefined ? { country } : {}),
        ...(prefilled === undefined ? {} : { amount: prefilled }),
      },
      title: t.payTitle,
      widget: {
        companion: site.base,
        locale: language,
        session: session === undefined ? undefined : sessionToken(session),
        country: session === undefined ? marketOf(terms.markets, country)?.country : undefined,
      },
      body,
    })
  }

  async function retryable(deposit: Deposit): Promise<boolean> {
    if (deposit.sessionId === undefined) return settings.mode === 'open'
    const session = await store.session(deposit.sessionId)
    return session !== undefined && session.expiresAt > now() && (await store.creditedDeposit(session.id)) === undefined
  }

  /** `plain`: the answer to a form, which is not shown twice and not loaded again by itself. */
  async function showDeposit(
    c: Context<Env>,
    deposit: Deposit,
    shownAt: string,
    plain?: { note: string; status: number },
  ): Promise<Response> {
    const language = languageOf(c, deposit.locale)
    const view = deposits.view(deposit)
    const session = deposit.sessionId === undefined ? undefined : await store.session(deposit.sessionId)
    const refreshing = plain === undefined && c.req.query('refresh') !== 'off'
    return sendPage(
      c,
      site,
      {
        language,
        path: shownAt,
        title: textsOf(language).paymentTitle,
        refresh: refreshing ? refreshSeconds(view, now()) : undefined,
        ...(plain === undefined
          ? {
              widget: {
                companion: site.base,
                locale: language,
                session: session === undefined ? undefined : sessionToken(session),
                // Not in an address, not in a script: page.js hands it to `resume`.
                'data-deposit': deposit.id,
                'data-token': capabilities.depositToken(deposit.id, deposit.generation),
              },
            }
          : {}),
        body: paymentBody({
          site,
          language,
          deposit: view,
          path: depositPath(deposit),
          shownAt,
          refreshing,
          canRetry: await retryable(deposit),
          canStartNew: deposit.sessionId === undefined && settings.mode === 'open',
          note: plain?.note,
        }),
      },
      plain?.status ?? 200,
    )
  }

  async function showSession(c: Context<Env>, session: Session): Promise<Response> {
    const deposit = (await store.creditedDeposit(session.id)) ?? (await store.liveDeposit(session.id))
    if (deposit !== undefined) return showDeposit(c, deposit, sessionPath(session))
    if (session.expiresAt <= now())
      throw new CompanionError('session_expired', { detail: 'Ask the shop for a new payment link.' })
    return showForm(c, session)
  }

  function see(c: Context<Env>, path: string): Response {
    return c.redirect(`${publicUrl.origin}${href(site, path, { lang: c.req.query('lang') })}`, 303)
  }

  /** To the hosted page, when there is one that we may send people to; else to where the payment stands. */
  async function goTo(c: Context<Env>, created: CreatedDeposit): Promise<Response> {
    const { checkoutUrl } = created
    if (
      checkoutUrl !== undefined &&
      URL.canParse(checkoutUrl) &&
      settings.checkoutOrigins.includes(new URL(checkoutUrl).origin)
    ) {
      return c.redirect(checkoutUrl, 303)
    }
    const deposit = await store.deposit(created.id)
    if (deposit === undefined)
      throw new CompanionError('internal_error', { detail: 'A deposit that was just written cannot be read.' })
    return see(c, depositPath(deposit))
  }

  async function mayStart(c: Context<Env>, session: string | undefined): Promise<void> {
    starts.use(bucketOf(c.get('address')))
    if (session !== undefined) perSession.use(session)
    else if (!(await takeOpen()))
      throw new CompanionError('rate_limited', { detail: 'Many payments are starting just now.', retryAfter: 30 })
  }

  function faultsOf(issues: readonly ProblemIssue[], typed: Typed, market: Market, language: Language): Faults {
    const { faults: texts } = textsOf(language)
    const faults: Partial<Record<FieldName | 'form', string>> = {}
    for (const { path, code } of issues) {
      const name = fieldOf(path)
      if (name === undefined) faults.form = textsOf(language).ends.unreadable.text
      else if (name === 'amount') faults.amount = amountFault(language, market, market.currency)
      else if (name === 'name')
        faults.name =
          (typed.name ?? '').length > Math.min(100, settings.maxName)
            ? texts.nameLong(Math.min(100, settings.maxName))
            : texts.name
      else if (name === 'country') faults.country = code === 'currency_mismatch' ? texts.currency : texts.country
      else faults[name] = texts[name]
    }
    return faults
  }

  /** The form again, with what was typed and what is wrong with it. */
  function showFaults(
    c: Context<Env>,
    terms: Terms,
    market: Market,
    shown: { typed: Typed; faults: Faults; key: string; earlier?: string },
    answer: { status: number; retryAfter?: number | undefined },
  ): Response | Promise<Response> {
    const language = languageOf(c)
    if (answer.retryAfter !== undefined) c.header('retry-after', String(answer.retryAfter))
    return sendPage(
      c,
      site,
      {
        language,
        path: terms.path,
        query: { country: market.country },
        title: textsOf(language).payTitle,
        body: payForm({ site, language, terms, market, ...shown, banks: banks.cached(market.country) }),
      },
      answer.status,
    )
  }

  /** Address of what an earlier sending of the same form started. */
  async function earlierOf(key: string): Promise<string | undefined> {
    const row = await store.idempotency(sha256(key))
    const deposit = row === undefined ? undefined : await store.deposit(row.depositId)
    return deposit === undefined ? undefined : href(site, depositPath(deposit), {})
  }

  async function start(c: Context<Env>, form: URLSearchParams, session?: Session): Promise<Response> {
    if (session === undefined && settings.mode === 'sessions')
      throw new CompanionError('session_required', { detail: 'Ask the shop for a payment link.' })
    const language = languageOf(c)
    const { faults: texts } = textsOf(language)
    const terms = termsOf(session)
    const typed = typedIn(form)
    const market = marketOf(terms.markets, typed.country)
    if (market === undefined) {
      const body = html`<div class="faults" role="alert"><p>${texts.country}</p></div>
        ${countryStep({ site, language, terms, chosen: undefined })}`
      return sendPage(c, site, { language, path: terms.path, title: textsOf(language).payTitle, body }, 422)
    }
    const key = keyOf(form)
    if (key === undefined)
      return showFaults(c, terms, market, { typed, faults: { form: texts.key }, key: newKey() }, { status: 422 })
    const token = session === undefined ? undefined : sessionToken(session)
    const body: CreateDeposit = wish(typed, market, {
      locale: language,
      ...(session === undefined || token === undefined ? {} : { amount: session.amount, session: token }),
    })
    const issues = issuesOf(body, session?.payer?.name === undefined)
    if (issues.length > 0)
      return showFaults(
        c,
        terms,
        market,
        { typed, faults: faultsOf(issues, typed, market, language), key },
        { status: 422 },
      )
    try {
      await mayStart(c, session?.id)
      return await goTo(c, await deposits.create(body, key))
    } catch (error) {
      if (!(error instanceof CompanionError)) throw error
      const { status } = problems[error.code]
      const answer = { status, retryAfter: error.retryAfter }
      switch (error.code) {
        case 'session_paid':
          return see(c, terms.path)
        case 'idempotency_key_reused': {
          const earlier = await earlierOf(key)
          return showFaults(
            c,
            terms,
            market,
            { typed, faults: { form: texts.used }, key: newKey(), ...(earlier === undefined ? {} : { earlier }) },
            answer,
          )
        }
        case 'upstream_unavailable':
        case 'market_off':
        case 'rate_limited':
        case 'store_unavailable':
        case 'idempotency_key_in_progress': {
          // The same form with the same key: sending it again is safe, and asked for.
          await log(error, c)
          const { title, text } = saidOf(error.code, language)
          return showFaults(c, terms, market, { typed, faults: { form: `${title}. ${text}` }, key }, answer)
        }
        default:
          if (error.issues === undefined) throw error
          return showFaults(
            c,
            terms,
            market,
            { typed, faults: faultsOf(error.issues, typed, market, language), key },
            answer,
          )
      }
    }
  }

  async function checkNow(c: Context<Env>, deposit: Deposit): Promise<Response> {
    try {
      perDeposit.use(deposit.id)
    } catch (error) {
      if (!(error instanceof CompanionError) || error.code !== 'rate_limited') throw error
      c.header('retry-after', String(error.retryAfter ?? 10))
      return showDeposit(c, deposit, depositPath(deposit), {
        note: textsOf(languageOf(c, deposit.locale)).checkedJustNow,
        status: 429,
      })
    }
    await reconciler.ask(deposit, 'check')
    return see(c, depositPath(deposit))
  }

  /** A new attempt with the details of the old one, which stay here. Money rule 5: beside a live one only on the customer's word. */
  async function again(c: Context<Env>, form: URLSearchParams, old: Deposit): Promise<Response> {
    if (old.phase === 'succeeded') return see(c, depositPath(old))
    if (isLive(old.phase) && form.get('unpaid') !== 'yes') {
      return showDeposit(c, old, depositPath(old), {
        note: textsOf(languageOf(c, old.locale)).faults.confirm,
        status: 422,
      })
    }
    const session = old.sessionId === undefined ? undefined : await store.session(old.sessionId)
    const name = session?.payer?.name ?? old.payer?.name
    if (name === undefined) {
      // The details have been purged since: the customer gives them anew.
      return c.redirect(
        `${publicUrl.origin}${session === undefined ? href(site, '/pay', { lang: c.req.query('lang'), country: old.country, amount: String(old.amount) }) : href(site, sessionPath(session), { lang: c.req.query('lang') })}`,
        303,
      )
    }
    await mayStart(c, session?.id)
    const { phone, email } = old.payer ?? {}
    const body: CreateDeposit = {
      country: old.country,
      currency: old.currency,
      amount: old.amount,
      ...(old.bankCode === undefined ? {} : { bankCode: old.bankCode }),
      // Digits of an international number: the plus keeps it from being read as a local one.
      payer: {
        name,
        ...(phone === undefined ? {} : { phone: `+${phone}` }),
        ...(email === undefined ? {} : { email }),
      },
      ...(session === undefined ? {} : { session: sessionToken(session) }),
      ...(old.clientReference === undefined ? {} : { clientReference: old.clientReference }),
      ...(old.locale === undefined ? {} : { locale: old.locale }),
      replaces: old.id,
    }
    try {
      // One key for one old attempt: two tabs and two clicks start the same new one.
      return await goTo(c, await deposits.create(body, `again-${capabilities.depositToken(old.id, old.generation)}`))
    } catch (error) {
      if (error instanceof CompanionError && error.code === 'session_paid' && session !== undefined)
        return see(c, sessionPath(session))
      throw error
    }
  }

  const app = new Hono<Env>()

  app.onError(async (error, c) => {
    await log(error, c)
    const { body, status, retryAfter } = toProblem(error, c.get('requestId') ?? '')
    if (retryAfter !== undefined) c.header('retry-after', String(retryAfter))
    const language = languageOf(c)
    const t = textsOf(language)
    // Only a link that is genuine leads back to a page.
    const link =
      body.code === 'not_found' || body.code === 'session_expired' || body.code === 'session_invalid'
        ? undefined
        : c.req.param('link')
    const path = link === undefined || capabilities.readLink(link) === undefined ? '/pay' : `/pay/${link}`
    const back =
      path === '/pay' &&
      ['not_found', 'session_required', 'session_expired', 'country_not_offered', 'rate_limited'].includes(body.code)
        ? undefined
        : href(site, path, { lang: c.req.query('lang') })
    return sendPage(
      c,
      site,
      {
        language,
        path,
        title: path === '/pay' ? t.payTitle : t.paymentTitle,
        body: deadEnd(body.code, language, { requestId: body.requestId ?? '', back }),
      },
      status,
    )
  })

  app.get('/pay/page.js', (c) => {
    c.header(
      'cache-control',
      c.req.query('v') === scriptVersion ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
    )
    return c.body(pageScript, 200, { 'content-type': 'text/javascript; charset=utf-8' })
  })

  app.get('/pay', (c) => {
    reads.use(bucketOf(c.get('address')))
    if (settings.mode === 'sessions')
      throw new CompanionError('session_required', { detail: 'Ask the shop for a payment link.' })
    return showForm(c)
  })

  app.get('/pay/:link', async (c) => {
    reads.use(bucketOf(c.get('address')))
    const found = await behind(c.req.param('link'))
    return 'session' in found
      ? showSession(c, found.session)
      : showDeposit(c, found.deposit, depositPath(found.deposit))
  })

  app.post('/pay', async (c) => {
    requireOwnForm(c, publicUrl.origin)
    return start(c, await readForm(c))
  })

  app.post('/pay/:link', async (c) => {
    requireOwnForm(c, publicUrl.origin)
    reads.use(bucketOf(c.get('address')))
    const form = await readForm(c)
    const found = await behind(c.req.param('link'))
    if ('session' in found) return start(c, form, found.session)
    return form.get('action') === 'again' ? again(c, form, found.deposit) : checkNow(c, found.deposit)
  })

  for (const path of ['/pay', '/pay/:link']) {
    app.all(path, (c) => {
      c.header('allow', 'GET, HEAD, POST')
      throw new CompanionError('method_not_allowed', { detail: 'Use GET or POST.' })
    })
  }

  return app
}
