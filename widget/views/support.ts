// Where to ask the shop: its phone, e-mail and help page, each as a link. Nothing where the shop
// has named none.
import { nothing, type TemplateResult } from 'lit'
import { html } from '../base/html.ts'
import type { Shop } from '../../server/contract/index.ts'
import type { CardTexts } from '../locales/texts.ts'

const link = (address: string, text: string): TemplateResult =>
  html` <a href=${address} target="_blank" rel="noopener noreferrer" .textContent=${text}></a>`

export function supportLine(shop: Shop | undefined, texts: CardTexts): TemplateResult | typeof nothing {
  const { phone, email, helpUrl } = shop || {}
  return phone || email || helpUrl
    ? html`<p class="hint support">
        ${`${texts.support} `}${phone ? link(`tel:${phone.replace(/[^\d+]/g, '')}`, phone) : nothing}
        ${email ? link(`mailto:${email}`, email) : nothing} ${helpUrl ? link(helpUrl, texts.helpPage!) : nothing}
      </p>`
    : nothing
}

/** Texts of why nothing can be paid that send the customer to the shop. */
const sendToShop: readonly string[] = ['errOrigin', 'errSession', 'errUsedUp', 'failedMarket']

/** The same, below the text with this key. */
export const supportBelow = (key: string, shop: Shop | undefined, texts: CardTexts): ReturnType<typeof supportLine> =>
  sendToShop.includes(key) ? supportLine(shop, texts) : nothing
