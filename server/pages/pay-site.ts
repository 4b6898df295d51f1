// What the views and the actions of `/pay` share: the site, the language and the keys of a request,
// its redirects, and the cookie that names the payment which this browser started last.
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Language } from '../contract/index.ts'
import type { Deposit, Session } from '../deposits/machine/deposit.ts'
import type { BankLists } from '../deposits/create/banks.ts'
import type { Capabilities } from '../deposits/identity.ts'
import type { Reconciler } from '../deposits/settle/reconcile.ts'
import type { DepositService } from '../deposits/create/service.ts'
import type { Sessions } from '../deposits/merchant/sessions.ts'
import { CompanionError } from '../platform/errors.ts'
import type { CountCheck, CountStart } from '../http/caller-limits.ts'
import type { Env } from '../http/http.ts'
import type { ReportProblem } from '../http/problem-answers.ts'
import type { Settings } from '../settings/settings.ts'
import type { Store } from '../deposits/ports/store.ts'
import { chooseLanguage, offeredLanguages } from './language.ts'
import type { Site } from './page.ts'
import { href } from './page.ts'

/**
 * Cookie with the link of the payment that this browser started last, and a MAC that binds it to
 * its form. It has no payer details. Over https its name begins with `__Host-`, so that no page of
 * a sibling host can set it.
 */
const STARTED = 'hc-started'
const STARTED_FOR_S = 3600

/** What the pages are made of. */
export interface PayParts {
  readonly settings: Settings
  readonly deposits: Pick<DepositService, 'create' | 'recover' | 'view' | 'isMarketOff'>
  readonly sessions: Pick<Sessions, 'mustBeOpen' | 'isOpen' | 'shop'>
  readonly banks: Pick<BankLists, 'cached'>
  readonly reconciler: Pick<Reconciler, 'ask'>
  readonly capabilities: Capabilities
  readonly store: Pick<Store, 'deposit' | 'session' | 'idempotency' | 'liveDeposit' | 'creditedDeposit'>
  /** Both shared with the JSON API. */
  readonly countStart: CountStart
  readonly countCheck: CountCheck
  /** The answer is a page instead of the problem. */
  readonly report: ReportProblem
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
  /** Name of the mounted bundles in addresses; without one the pages are plain forms. */
  readonly widgetName?: string
}

export function createPaySite(parts: PayParts) {
  const { settings, capabilities, store, now, random, widgetName } = parts
  const publicUrl = new URL(settings.publicUrl)
  const site: Site = {
    checkoutOrigins: settings.checkoutOrigins,
    offered: offeredLanguages(settings.locales),
    isTest: settings.paymentMode === 'test',
    widgetName,
    random,
  }
  const secure = publicUrl.protocol === 'https:'
  // Browsers take a name with this prefix only if it is Secure, and for the path / only.
  const cookie = secure ? `__Host-${STARTED}` : STARTED
  /** A path that begins with `/pay/`. */
  const depositPath = ({ id, generation }: Deposit) => `/pay/${capabilities.link({ kind: 'deposit', id }, generation)}`
  /** The row behind a genuine link; throws the same `not_found` for every other link. */
  async function behind(
    link: string,
  ): Promise<{ readonly id: string } & ({ readonly deposit: Deposit } | { readonly session: Session })> {
    const target = capabilities.readLink(link)
    if (target?.kind === 'deposit') {
      const deposit = await store.deposit(target.id)
      if (deposit !== undefined && capabilities.isLink(link, target, deposit.generation))
        return { id: deposit.id, deposit }
    }
    if (target?.kind === 'session') {
      const session = await store.session(target.id)
      if (session !== undefined && capabilities.isLink(link, target, session.generation))
        return { id: session.id, session }
    }
    throw new CompanionError('not_found', { detail: 'There is no payment behind this link.' })
  }
  const formOf = ({ sessionId }: Deposit): string => sessionId ?? 'open'
  return {
    site,
    depositPath,
    sessionPath: ({ id, generation }: Session): string =>
      `/pay/${capabilities.link({ kind: 'session', id }, generation)}`,
    behind,
    /** `payment`: the language in which it was started, if it is known. */
    languageOf: (c: Context<Env>, payment?: string): Language => chooseLanguage(c, site.offered, payment),
    /** 192 random bits: makes two submissions of one form one payment. */
    newKey: (): string => Buffer.from(random(24)).toString('base64url'),
    sessionToken: ({ id, generation }: Session): string => capabilities.sessionToken(id, generation),
    seeOther: (c: Context<Env>, path: string, query: Readonly<Record<string, string>> = {}): Response =>
      c.redirect(`${publicUrl.origin}${href(path, { lang: c.req.query('lang'), ...query })}`, 303),
    /**
     * The form is fresh after Back from the hosted page (no-store), and must mention this payment.
     */
    rememberStarted(c: Context<Env>, deposit: Deposit): void {
      const mark = capabilities.startedMark(deposit.id, formOf(deposit), deposit.generation)
      setCookie(c, cookie, `${depositPath(deposit).slice('/pay/'.length)}.${mark}`, {
        path: secure ? '/' : '/pay',
        maxAge: STARTED_FOR_S,
        httpOnly: true,
        sameSite: 'Lax',
        secure,
      })
    },
    /** What this browser started in the last hour with the form of this order, or the open one. */
    async startedLast(c: Context<Env>, session: Session | undefined): Promise<Deposit | undefined> {
      const [link = '', mark = ''] = (getCookie(c, cookie) ?? '').split('.')
      const started = await behind(link).catch(() => undefined)
      if (started === undefined || !('deposit' in started)) return undefined
      const { deposit } = started
      const form = session?.id ?? 'open'
      if (formOf(deposit) !== form || !capabilities.isStartedMark(mark, deposit.id, form, deposit.generation))
        return undefined
      return now() - deposit.createdAt > STARTED_FOR_S * 1000 ? undefined : deposit
    },
  }
}

export type PaySite = ReturnType<typeof createPaySite>
