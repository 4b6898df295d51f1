// `/pay` and `/pay/:link`: hand-off, resume, and the whole payment without JavaScript; with
// JavaScript, the widget. A GET has no side effect, no redirect, no upstream call and no payer
// details, since chats fetch links to preview them. Only the forms act.
import { Hono } from 'hono'
import type { ProblemCode } from '../contract/index.ts'
import { sessionRequired } from '../deposits/merchant/sessions.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Env } from '../http/http.ts'
import { createReadLimit } from '../http/caller-limits.ts'
import { deadEnd } from './dead-end.ts'
import { href, scriptVersion, sendPage } from './page.ts'
import { pageScript } from './page-script.ts'
import { createPayActions } from './pay-actions.ts'
import { readForm, requireOwnForm } from './pay-request.ts'
import type { PayParts } from './pay-site.ts'
import { createPaySite } from './pay-site.ts'
import { createPayViews } from './pay-views.ts'
import { textsOf } from './texts/index.ts'

/** The page of the link itself cannot be shown. */
const OF_THE_LINK: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_found',
  'session_expired',
  'session_closed',
  'session_paid',
  'session_invalid',
])
/** The form of `/pay` would be refused for the same reason. */
const OF_THE_FORM: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_found',
  'session_required',
  'session_expired',
  'session_closed',
  'session_paid',
  'country_not_offered',
  'rate_limited',
])

/** `GET/POST /pay`, `GET/POST /pay/:link` and their script; mount it at the root. */
export function payPages(parts: PayParts): Hono<Env> {
  const { settings, capabilities, now } = parts
  const ownOrigin = new URL(settings.publicUrl).origin
  const paySite = createPaySite(parts)
  const { site, behind, depositPath, languageOf } = paySite
  const views = createPayViews(parts, paySite)
  const { showForm, showDeposit, showSession } = views
  const { start, checkNow, again } = createPayActions(parts, paySite, views)
  const reads = createReadLimit({ now })

  const app = new Hono<Env>()

  app.onError((error, c) => {
    const { code, status, requestId = '', retryAfter } = parts.report(error, c.get('requestId') ?? '', c.req.routePath)
    if (retryAfter !== undefined) c.header('retry-after', String(retryAfter))
    const language = languageOf(c)
    const t = textsOf(language)
    // Only a genuine link leads back to a page.
    const link = OF_THE_LINK.has(code) ? undefined : c.req.param('link')
    const path = link === undefined || capabilities.readLink(link) === undefined ? '/pay' : `/pay/${link}`
    const leadsBack = path !== '/pay' || !OF_THE_FORM.has(code)
    const back = leadsBack ? href(path, { lang: c.req.query('lang') }) : undefined
    return sendPage(
      c,
      site,
      {
        language,
        path,
        title: path === '/pay' ? t.payTitle : t.paymentTitle,
        shop: parts.sessions.shop(),
        body: deadEnd(code, language, { requestId, back, retryAfter }),
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

  // Also with the trailing slash that people and chats add.
  app.on('GET', ['/pay', '/pay/'], (c) => {
    reads.read(c.get('address'))
    if (settings.mode === 'sessions') throw sessionRequired()
    return showForm(c)
  })

  app.on('GET', ['/pay/:link', '/pay/:link/'], async (c) => {
    const found = await reads.opened(c.get('address'), async () => behind(c.req.param('link')))
    return 'session' in found
      ? showSession(c, found.session)
      : showDeposit(c, found.deposit, depositPath(found.deposit))
  })

  app.post('/pay', async (c) => {
    requireOwnForm(c, ownOrigin)
    return start(c, await readForm(c))
  })

  app.post('/pay/:link', async (c) => {
    requireOwnForm(c, ownOrigin)
    const form = await readForm(c)
    const found = await reads.opened(c.get('address'), async () => behind(c.req.param('link')))
    if ('session' in found) return start(c, form, found.session)
    return form.get('action') === 'again' ? again(c, form, found.deposit) : checkNow(c, found.deposit)
  })

  for (const path of ['/pay', '/pay/:link']) {
    app.all(path, (c) => {
      c.header('allow', 'GET, HEAD, POST')
      throw new CompanionError('method_not_allowed', { detail: 'Use GET or POST.' })
    })
  }

  // A URL copied with extra text after it: the reader is a customer, so the error is a page.
  app.all('/pay/*', () => {
    throw new CompanionError('not_found', { detail: 'There is no payment at this address.' })
  })

  return app
}
