// The content of a receipt, and its export as plain text and as an HTML page. No DOM.
import { clock } from './clock.ts'
import { grouped, isFrench } from './format.ts'
import type { Texts } from '../locales/texts.ts'
import type { Shop } from '../../server/contract/index.ts'
import type { Deposit } from './types.ts'

export type Receipt = ReturnType<typeof receiptOf>

/** With the code of the currency, which is the same on every account. */
function inCode({ amount, currency }: Deposit, locale: string): string {
  const number = grouped(amount, locale)
  return isFrench(locale) ? `${number} ${currency}` : `${currency} ${number}`
}

/** As the companion masks a name (server/deposits/view.ts). */
const masked = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => `${Array.from(word)[0]}•••`)
    .join(' ')

/** What the page knows beside the payment. */
export interface Beside {
  readonly shop?: Shop | undefined
  /** As it stands in the form, perhaps of another person. */
  readonly payerName?: string | undefined
  /** The mobile-money service that the customer has named. */
  readonly operator?: string | undefined
}

/**
 * In groups of four, for people who read it out or write it down. Only style separates them, so
 * that a copy has no spaces.
 */
export const inFours = (reference: string): readonly string[] => reference.match(/.{1,4}/g) || []

/**
 * The payer's name is whole while this page remembers it, else left out. `place` is used if nobody
 * names the shop.
 */
export function receiptOf(
  texts: Texts,
  deposit: Deposit,
  locale: string,
  place: string,
  { shop, payerName = '', operator }: Beside = {},
) {
  const lines: readonly (readonly [string, string | undefined])[] = [
    [texts.paidFor, deposit.description],
    [texts.date, clock(deposit.settledAt || deposit.createdAt, locale, 'long', 'short')],
    [texts.name, masked(payerName) === deposit.payer.name ? payerName.trim() : ''],
    [texts.operator, operator],
    [texts.bank, deposit.bank && deposit.bank.name],
  ]
  const { phone, email, helpUrl } = shop || {}
  const contact = [phone, email, helpUrl].filter(Boolean).join('\u00a0· ')
  return {
    shop: texts.shopName || shop?.name || place,
    logo: shop?.logo,
    title: texts.receipt,
    payee: texts.shop,
    /** The TEST mark; empty for a live payment. */
    test: deposit.mode === 'test' ? texts.test : '',
    amount: inCode(deposit, locale),
    /** Shown under the amount: paid, or paid a second time. */
    outcome: deposit.duplicate ? texts.duplicateTitle : texts.successTitle,
    lines: lines.filter((line): line is readonly [string, string] => Boolean(line[1])),
    reference: deposit.reference,
    referenceName: texts.reference,
    /** Where to ask the shop; empty where it has not said. */
    support: contact && `${texts.support} ${contact}`,
    note: (deposit.duplicate && texts.duplicateText) || texts.receiptNote,
    /** Between a name and its value in plain text; French has a space before it. */
    colon: isFrench(locale) ? '\u00a0: ' : ': ',
  }
}

export function receiptText(receipt: Receipt): string {
  const { title, test, amount, outcome, payee, shop, lines, referenceName, reference, note, support, colon } = receipt
  const all = [[payee, shop], ...lines, [referenceName, reference]].map((line) => line.join(colon))
  return [test, title + colon + outcome, amount, ...all, note, support].filter(Boolean).join('\n')
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A QR code of the reference, as views/qr-code.ts makes it. */
export interface Code {
  readonly box: string
  readonly path: string
}

const pageStyle =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:90mm;margin:2rem auto;padding:6mm;border:1px solid #b7c3bd;' +
  'border-radius:4mm;color:#17211d;background:#fff;overflow-wrap:anywhere}' +
  'h1{font-size:1.2rem;margin:0}p{margin:.6rem 0}b{font-size:2rem;line-height:1.2}' +
  'dt{color:#5a6862;font-size:.9rem;margin-top:.6rem}dd{margin:0}span{display:inline-block;margin-right:.4em}' +
  '.test{background:#ffd84d;padding:.2rem .6rem;font-weight:700}svg{display:block;width:30mm;margin:3mm auto}' +
  '@media print{body{margin:8mm auto}}'

/** An HTML page that any browser can open and print, without scripts or external resources. */
export function receiptPage(receipt: Receipt, locale: string, code?: Code): string {
  const lines = receipt.lines.map(([name, value]) => `<dt>${escaped(name)}<dd>${escaped(value)}`).join('')
  const fours = inFours(receipt.reference).map((four) => `<span>${escaped(four)}</span>`)
  const picture = code ? `<svg viewBox="${code.box}"><path shape-rendering="crispEdges" d="${code.path}"/></svg>` : ''
  return [
    `<!doctype html><html lang="${escaped(locale)}"><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width"><title>${escaped(receipt.title)}</title>`,
    `<style>${pageStyle}</style>`,
    receipt.test && `<p class="test">${escaped(receipt.test)}</p>`,
    `<p>${escaped(receipt.payee)}</p><h1>${escaped(receipt.shop)}</h1>`,
    `<p><b>${escaped(receipt.amount)}</b><br>${escaped(receipt.outcome)}</p>`,
    `<dl>${lines}<dt>${escaped(receipt.referenceName)}<dd>${fours.join('')}</dl>${picture}`,
    `<p>${escaped(receipt.note)}</p><p>${escaped(receipt.support)}</p></html>`,
  ].join('')
}
