// The views by their routes, each a custom element.
import { html, type TemplateResult } from 'lit'
import { keyed } from 'lit/directives/keyed.js'
import type { App } from '../base/app.ts'
import { Plot } from '../parts/plot.ts'
import type { Route } from '../base/router.ts'
import { Acts } from './acts.ts'
import { AuditView } from './audit.ts'
import { BooksView } from './books.ts'
import { FiguresView } from './figures.ts'
import { HealthView } from './health.ts'
import { LinkCard } from './link.ts'
import { LinkClose } from './link-close.ts'
import { LinkForm } from './link-form.ts'
import { LinksView } from './links.ts'
import { OwedView } from './owed.ts'
import { PaymentPage } from './payment.ts'
import { PaymentsView } from './payments.ts'
import { Reconcile } from './reconcile.ts'
import { SignIn } from './sign-in.ts'

customElements.define('hc-sign-in', SignIn)
customElements.define('hc-payments', PaymentsView)
customElements.define('hc-payment', PaymentPage)
customElements.define('hc-acts', Acts)
customElements.define('hc-owed', OwedView)
customElements.define('hc-links', LinksView)
customElements.define('hc-link-form', LinkForm)
customElements.define('hc-link', LinkCard)
customElements.define('hc-link-close', LinkClose)
customElements.define('hc-figures', FiguresView)
customElements.define('hc-plot', Plot)
customElements.define('hc-books', BooksView)
customElements.define('hc-reconcile', Reconcile)
customElements.define('hc-health', HealthView)
customElements.define('hc-audit', AuditView)

export function viewOf(app: App, route: Route): TemplateResult {
  switch (route.view) {
    case 'payments':
      return html`<hc-payments .app=${app}></hc-payments>`
    case 'payment':
      // Each payment anew: no form that was opened for one is sent for another.
      return html`${keyed(route.id, html`<hc-payment .app=${app} .payment=${route.id}></hc-payment>`)}`
    case 'owed':
      return html`<hc-owed .app=${app}></hc-owed>`
    case 'links':
      return html`<hc-links .app=${app}></hc-links>`
    case 'figures':
      return html`<hc-figures .app=${app}></hc-figures>`
    case 'books':
      return html`<hc-books .app=${app}></hc-books>`
    case 'health':
      return html`<hc-health .app=${app}></hc-health>`
    case 'audit':
      return html`<hc-audit .app=${app}></hc-audit>`
  }
}
