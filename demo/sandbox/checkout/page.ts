// The hosted checkout's page. Complete as plain HTML; the script only keeps it up to date.
import { html } from 'hono/html'
import { checkoutDocument, money, sum, type Html } from './document.ts'
import { stepOf, type CheckoutPage } from './steps.ts'
import { CHECKOUT_TEXTS } from './texts/index.ts'
import type { CheckoutTexts } from './texts/words.ts'

export function checkoutPage(page: CheckoutPage): Html {
  const { transaction, language, offered } = page
  const texts = CHECKOUT_TEXTS[language]
  const { at, title, body } = stepOf(page, texts)
  const live = transaction.step !== 'ended'
  const waiting = live && (transaction.step === 'paid' || !page.mine)
  const amount = money(transaction, language)
  // A failed payment can still be confirmed late: a tab left open must not go on saying "start
  // again".
  const open = transaction.status !== 'SUCCESS'
  const main = html`<main${open ? html` data-version="${transaction.version}"` : ''} data-copy-text="${texts.copy}" data-copied-text="${texts.copied}">
<div class="sheet">
<div class="sum"><h1>${sum(transaction, language)}</h1><p>${texts.payTo} <strong>${page.merchant}</strong></p><p>${transaction.description}</p>${page.mine ? html`<p>${texts.payer} <strong>${transaction.acc_name}</strong> ${masked(transaction.acc_no)}</p>` : ''}</div>
${transaction.status === 'FAILED' ? '' : way(at, texts)}
<div class="body">${body}</div>
</div>
</main>`
  return checkoutDocument({
    title: live ? `${title} · ${texts.step(at)} · ${amount}` : `${title} · ${amount}`,
    language,
    offered,
    main,
    ...(waiting ? { refreshEvery: 5 } : {}),
  })
}

/** The steps and where the payment is. A failed one has left the way: it is not "Done". */
function way(at: number, texts: CheckoutTexts): Html {
  return html`<ol class="way" aria-label="${texts.step(at)}">
    ${texts.steps.map(
      (name, index) =>
        html`<li
          class="${index + 1 === at ? 'on' : index + 1 < at ? 'past' : ''}"
          ${index + 1 === at ? html` aria-current="step"` : ''}
        >
          ${name}
        </li>`,
    )}
  </ol>`
}

/** Enough of a phone number for its owner to recognise it. */
function masked(phone: string): string {
  return phone.length > 6 ? `+${phone.slice(0, 3)}\u00a0•••\u00a0${phone.slice(-3)}` : ''
}
