// Who is paid: the shop's logo and name on the card's edge, and its accent. Text only, whatever a
// name consists of.
import { nothing, type LitElement } from 'lit'
import type { TemplateResult } from 'lit'
import { always, html } from '../base/html.ts'
import type { Shop } from '../../server/contract/index.ts'

/** Where the page's `img-src` refuses the logo, or it does not come, the name stands alone. */
const hide = ({ target }: Event): void => (target as Element).remove()

export function shopMark(shop: Shop | undefined): TemplateResult | typeof nothing {
  const { name, logo } = shop || {}
  const picture = html`<img src=${logo} alt="" width="22" height="22" referrerpolicy="no-referrer" @error=${hide} />`
  return name || logo
    ? html`<p class="shop" part="shop" translate="no">
        ${logo ? picture : nothing}
        <span .textContent=${always(name || '')}></span>
      </p>`
    : nothing
}

/**
 * The shop's accent, unless the page sets its own. A style attribute would be refused by strict
 * pages.
 */
export function wearAccent(host: LitElement, shop: Shop | undefined): void {
  const { style } = host.renderRoot.querySelector<HTMLElement>('.card')!
  const { accent = '', onAccent = '' } = shop || {}
  if (style.getPropertyValue('--_accent') === accent) return
  const isFree = !getComputedStyle(host).getPropertyValue('--hc-accent')
  style.setProperty('--_accent', isFree ? accent : '')
  style.setProperty('--_on', isFree ? onAccent : '')
}
