// The content of a receipt, and its export as plain text and as an HTML page. No DOM.
import { fill, isNumeric, sum } from './format.ts'
import type { SheetTexts } from './locales/texts.ts'
import type { Deposit } from './types.ts'

export interface Receipt {
  readonly title: string
  /** The TEST mark; empty for a live payment. */
  readonly test: string
  readonly amount: string
  /** Shown under the amount: paid, or paid a second time. */
  readonly outcome: string
  readonly lines: readonly (readonly [name: string, value: string])[]
  readonly note: string
  /** Between a name and its value in plain text; French has a space before it. */
  readonly colon: string
}

function when(iso: string, locale: string): string {
  const digits = isNumeric(locale) && '2-digit'
  const parts = {
    year: 'numeric',
    month: digits || 'long',
    day: digits || 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  return new Date(iso).toLocaleString(isNumeric(locale) ? 'en-GB' : locale, {
    ...parts,
    timeZoneName: 'short',
    hourCycle: 'h23',
  })
}

/** The payer stays masked, as the companion sends it. `place` is used if the page gives no shop name. */
export function receiptOf(texts: SheetTexts, deposit: Deposit, locale: string, place: string): Receipt {
  const lines: readonly (readonly [string, string | undefined])[] = [
    [texts.shop, texts.shopName || place],
    [texts.paidFor, deposit.description],
    [texts.date, when(deposit.settledAt || deposit.createdAt, locale)],
    [texts.name, deposit.payer.name],
    [texts.bank, deposit.bank && deposit.bank.name],
    [texts.reference, deposit.reference],
  ]
  return {
    title: texts.receipt,
    test: deposit.mode === 'test' ? texts.test : '',
    amount: sum(deposit.amount, deposit.currency, locale),
    outcome: deposit.duplicate ? texts.duplicateTitle : texts.successTitle,
    lines: lines.filter((line): line is readonly [string, string] => Boolean(line[1])),
    note: (deposit.duplicate && texts.duplicateText) || fill(texts.receiptNote, { reference: deposit.reference }),
    colon: /^fr/i.test(locale) ? '\u00a0: ' : ': ',
  }
}

/** Plain text for messages and for copying. */
export function receiptText({ title, test, amount, outcome, lines, note, colon }: Receipt): string {
  return [test, title + colon + outcome, amount, ...lines.map((line) => line.join(colon)), note]
    .filter(Boolean)
    .join('\n')
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** An HTML page that any browser can open and print, without scripts or external resources. */
export function receiptPage(receipt: Receipt, locale: string): string {
  const lines = receipt.lines.map(([name, value]) => `<dt>${escaped(name)}<dd>${escaped(value)}`).join('')
  return `<!doctype html><html lang="${escaped(locale)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(receipt.title)}</title><style>body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:2rem auto;padding:0 1rem;color:#17211d;background:#fff}h1{font-size:1.1rem}b{font-size:2rem}dt{color:#5a6862;font-size:.9rem;margin-top:.6rem}dd{margin:0;overflow-wrap:anywhere}.test{background:#ffd84d;padding:.2rem .6rem;font-weight:700}</style>${receipt.test ? `<p class="test">${escaped(receipt.test)}</p>` : ''}<h1>${escaped(receipt.title)}</h1><p><b>${escaped(receipt.amount)}</b><br>${escaped(receipt.outcome)}</p><dl>${lines}</dl><p>${escaped(receipt.note)}</p></html>`
}
