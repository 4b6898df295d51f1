// The frame of every page: document, headers, language links. No inline script, nothing that a
// chat's link preview could trigger.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { html as markup, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { textsOf as cardTexts } from 'hc-checkout/locales'
import type { Env } from '../http/http.ts'
import type { Language, Shop } from '../contract/index.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'
import { textsOf } from './texts/index.ts'

export type Html = HtmlEscapedString

/** Markup with every value escaped. It is text and no promise, because no value is one. */
export const html = (strings: TemplateStringsArray, ...values: readonly unknown[]): Html =>
  markup(strings, ...values) as Html

/** Changes only when the script does, so that browsers may cache it for good. */
export const scriptVersion = createHash('sha256').update(pageScript).digest('base64url').slice(0, 10)

/** What all pages of one installation share. */
export interface Site {
  /** Where a form may lead: browsers apply `form-action` to redirects after a POST too. */
  readonly checkoutOrigins: readonly string[]
  readonly offered: readonly Language[]
  readonly isTest: boolean
  /** Name of the widget's bundles in addresses; undefined when the companion serves none. */
  readonly widgetName: string | undefined
  readonly random: (bytes: number) => Uint8Array
}

export interface Page {
  readonly language: Language
  /** Path of this page, for the language links; the rest of the URL is in `query`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly title: string
  /** What the browser's tab says, where that is more than the title. */
  readonly tab?: string | undefined
  /** Who is paid. */
  readonly shop: Shop | undefined
  /** What is paid, beside the shop: its purpose and sum. */
  readonly about?: string
  /** Attributes of `<hc-checkout>`; without it the page has no script at all. */
  readonly widget?: Readonly<Record<string, string | undefined>>
  /** Seconds until a browser without our script reloads the page. */
  readonly refresh?: number
  readonly body: Html
}

export function href(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${path}${entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`}`
}

/** An element's attributes from a record; `undefined` omits one. */
function attributes(record: Readonly<Record<string, string | undefined>>): Html[] {
  return Object.entries(record)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => html` ${name}="${value}"`)
}

/** The style sheet takes the accent as six hex digits only. */
function accentStyle({ accent, onAccent }: Shop = {}): string {
  if (accent === undefined || onAccent === undefined || !/^#[0-9a-f]{6}$/.test(accent)) return ''
  const colors = `background:${accent};border-color:${accent};color:${onAccent}`
  // What is not in the shop's colour is in that of the text: a second colour would vie with it.
  return `button:not(.second),.button:not(.second),button:not(.second):hover,.button:not(.second):hover{${colors}}a,.second{color:inherit}`
}

/** Where to ask the shop. */
function support({ phone, email, helpUrl }: Shop = {}, language: Language): Html | '' {
  const t = cardTexts(language)
  const links: readonly (readonly [string | undefined, string])[] = [
    [phone, `tel:${phone?.replace(/[^\d+]/g, '')}`],
    [email, `mailto:${email}`],
    [helpUrl === undefined ? undefined : t.helpPage, helpUrl ?? ''],
  ]
  const given = links.filter(([text]) => text !== undefined)
  return given.length === 0
    ? ''
    : html`<footer class="small">
        ${t.support}
        ${given.map(
          ([text, address]) => html`<a class="plainlink" href="${address}" rel="noopener noreferrer">${text}</a> `,
        )}
      </footer>`
}

/** Who is paid and what for, above the card in every state. */
function shopHeader({ shop, about }: Page): Html | '' {
  if (shop?.name === undefined && shop?.logo === undefined) return ''
  return html`<header>
    ${
      shop.logo === undefined
        ? ''
        : html`<img src="${shop.logo}" alt="" width="44" height="44" referrerpolicy="no-referrer" />`
    }
    <p translate="no"><b>${shop.name ?? ''}</b>${about === undefined ? '' : html`<span>${about}</span>`}</p>
  </header>`
}

function contentSecurityPolicy(site: Site, nonce: string, logo = ''): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The nonce is for this page's own style and for browsers without adopted style sheets (Lit's
    // `litNonce`).
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    `img-src ${["'self'", 'data:', ...(URL.canParse(logo) ? [new URL(logo).origin] : [])].join(' ')}`,
    "base-uri 'none'",
    `form-action ${["'self'", ...site.checkoutOrigins].join(' ')}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; ')
}

/**
 * No request carries more than the origin: the address of a page may be a link that opens a
 * payment, and servers log `Referer`. Under `no-referrer` a form, and in old browsers the widget,
 * would send `Origin: null`.
 */
function referrerPolicy(site: Site, page: Page): string {
  return hasWidget(site, page) || /<form\b[^>]*\bmethod="post"/.test(String(page.body))
    ? 'strict-origin'
    : 'no-referrer'
}

const hasWidget = (site: Site, page: Page): page is Page & Required<Pick<Page, 'widget'>> =>
  page.widget !== undefined && site.widgetName !== undefined

/** Sends the page. */
export function sendPage(c: Context<Env>, site: Site, page: Page, status: ContentfulStatusCode = 200): Response {
  const nonce = Buffer.from(site.random(16)).toString('base64url')
  c.header('cache-control', 'no-store')
  c.header('x-robots-tag', 'noindex, nofollow')
  c.header('referrer-policy', referrerPolicy(site, page))
  c.header('content-security-policy', contentSecurityPolicy(site, nonce, page.shop?.logo))
  // Browsers older than `frame-ancestors` get this page too: without the widget it works in any.
  c.header('x-frame-options', 'DENY')
  c.header('content-language', page.language)
  // Strips indentation to save bytes on slow networks.
  return c.html(documentOf(site, page, nonce).replace(/\n\s+/g, '\n'), status)
}

function documentOf(site: Site, page: Page, nonce: string): Html {
  const { widgetName } = site
  const withWidget = hasWidget(site, page)
  const folder = `/widget/${widgetName}`
  const fallback = html`<div class="card">
    ${site.isTest ? html`<p class="test">${cardTexts(page.language).test}</p>` : ''} ${page.body}
  </div>`
  // The shop stands above the card: not on it a second time.
  const named = page.shop === undefined ? '' : html`<span slot="header" hidden></span>`
  const element = attributes({ ...page.widget, 'data-refresh': page.refresh?.toString() })
  const reload =
    page.refresh === undefined ? '' : html`<noscript><meta http-equiv="refresh" content="${page.refresh}" /></noscript>`
  return html`<!doctype html>
    <html lang="${page.language}">
      <head>
        <meta charset="utf-8" />
        <title>${[page.tab ?? page.title, page.shop?.name].filter((text) => text !== undefined).join(' · ')}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <meta name="format-detection" content="telephone=no" />
        <link rel="icon" href="data:," />
        <style nonce="${nonce}">
          ${pageStyle}${raw(accentStyle(page.shop))}
        </style>
        ${reload}
        ${
          withWidget
            ? html`<script defer src="/pay/page.js?v=${scriptVersion}" nonce="${nonce}"></script>
                <script type="module" src="${folder}/hc-checkout.js"></script>
                <script nomodule defer src="${folder}/hc-checkout-legacy.js"></script>`
            : ''
        }
      </head>
      <body data-paid="${textsOf(page.language).received}">
        <main>
          ${shopHeader(page)}
          <h1>${page.title}</h1>
          ${withWidget ? html`<hc-checkout${element}>${named}${fallback}</hc-checkout>` : fallback}
          ${support(page.shop, page.language)}
        </main>
        ${site.offered.length < 2 ? '' : languageLinks(site, page)}
      </body>
    </html>`
}

function languageLinks(site: Site, page: Page): Html {
  const t = textsOf(page.language)
  return html`<nav aria-label="${t.languages}">
    <ul>
      ${site.offered.map((language) => {
        const name = textsOf(language).language
        return language === page.language
          ? html`<li><span aria-current="true" lang="${language}">${name}</span></li>`
          : html`<li>
              <a href="${href(page.path, { ...page.query, lang: language })}" lang="${language}" hreflang="${language}"
                >${name}</a
              >
            </li>`
      })}
    </ul>
  </nav>`
}
