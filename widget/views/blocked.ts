// Something on the way to the shop refuses the payment, so none was made: why, and the ways on.
import { nothing, type TemplateResult } from 'lit'
import { html, unread } from '../base/html.ts'
import type { CardTexts } from '../locales/texts.ts'
import type { Shop } from '../../server/contract/index.ts'
import { supportLine } from './support.ts'

export interface BlockedProps {
  readonly texts: CardTexts
  readonly shop: Shop | undefined
  /** Where the customer can pay without this element, if anywhere. */
  readonly otherWay: string
  /** The customer does not want to wait until the request is repeated. */
  readonly _onHurry: () => void
}

/**
 * What the page shows where there is no script; without a session any browser may pay at `/pay`.
 */
export function otherWay(host: HTMLElement & { companion: string; session: string | undefined }): string {
  const own = host.querySelector('a')
  if (own) return own.href
  return host.session ? '' : `${host.companion.replace(/\/$/, '')}/pay`
}

/** @param head of the step */
export function blockedView(
  { texts: t, shop, otherWay: address, _onHurry: onHurry }: BlockedProps,
  head: TemplateResult,
): TemplateResult {
  return html`<div class="stack">
    ${head}
    <p .textContent=${t.errBlocked || t.errOther}></p>
    <button class="main" type="button" @click=${onHurry} .textContent=${t.tryAgain}></button>
    ${address ? html`<a class="plain" href=${unread(address)} .textContent=${t.openLink}></a>` : nothing}
    ${supportLine(shop, t)}
  </div>`
}
