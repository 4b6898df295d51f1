// The list of payments: live, with filters and a search.
import { Task, TaskStatus } from '@lit/task'
import { html, nothing, type TemplateResult } from 'lit'
import type { PaymentList, PaymentView } from '../../../contract/index.ts'
import { tableOf } from '../base/api.ts'
import { mayAct, NO_WISH, type Wish } from '../base/app.ts'
import { fieldsOf } from '../base/fields.ts'
import { toHeading } from '../base/focus.ts'
import { fill } from '../base/format.ts'
import { leftToRight, phoneOf, typed } from '../parts/bidi.ts'
import { loaded } from '../parts/loaded.ts'
import { isFiltered, paymentFilters, printedWish, queryOf } from '../parts/payment-filters.ts'
import { extraMarks, payerOf, phaseMark } from '../parts/phase.ts'
import { keepPlace, toPlace } from '../parts/place.ts'
import { hrefOf } from '../base/router.ts'
import { View } from '../base/view.ts'

const PAGE = 50
/** Pages without a payment that are passed by themselves, each of 5,000 payments looked at. */
const MOST_EMPTY = 20
/** However many payments come, the list is loaded again this often at most. */
const RELOAD_MS = 2_000

export class PaymentsView extends View {
  static override properties = {
    ...View.properties,
    wish: { state: true },
    isLive: { state: true },
    hasNews: { state: true },
  }
  declare wish: Wish
  declare isLive: boolean
  /** A payment is new, and this page does not show the newest. */
  declare hasNews: boolean
  #reloading: ReturnType<typeof setTimeout> | undefined
  #silence: (() => void) | undefined
  #isPlaced = false

  readonly #list = new Task(this, {
    task: ([wish], { signal }) => this.#look(wish, signal),
    args: () => [this.wish] as const,
  })

  override connectedCallback(): void {
    this.wish = this.app.wish
    this.isLive = this.app.live.isLive
    this.hasNews = false
    super.connectedCallback()
    let isFirst = !this.isLive
    this.#silence = this.app.live.listen({
      payment: (payment) => this.#heard(payment),
      connected: () => {
        this.isLive = true
        // What happened while the stream was lost is not repeated. The first time nothing was
        // missed.
        if (!isFirst) void this.#list.run()
        isFirst = false
      },
      lost: () => (this.isLive = false),
    })
  }

  override updated(): void {
    if (this.#isPlaced || this.#list.status !== TaskStatus.COMPLETE) return
    this.#isPlaced = true
    toPlace(this.app, this.wish, this)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#reloading)
    this.#silence?.()
  }

  /** A page of a filtered search may be empty before the last one: then the next is looked at. */
  async #look(wish: Wish, signal: AbortSignal): Promise<PaymentList> {
    const ask = (more: Partial<Wish>, cursor: string | undefined) =>
      this.app.api.payments({ ...queryOf({ ...wish, ...more }), limit: PAGE, cursor }, signal)
    const first = await ask({}, last(wish.pages))
    let list = first
    for (let n = 1; n < MOST_EMPTY && list.payments.length === 0 && list.nextCursor !== undefined; n += 1)
      list = await ask(pick(first), list.nextCursor)
    return list === first || first.alsoBy === undefined ? list : { ...list, alsoBy: first.alsoBy }
  }

  #heard(payment: PaymentView): void {
    const isShown = this.#list.value?.payments.some(({ id }) => id === payment.id) === true
    const isNewest = this.wish.pages.length === 0
    if (isShown || isNewest) this.#reload()
    else this.hasNews = true
  }

  #reload(): void {
    this.#reloading ??= setTimeout(() => {
      this.#reloading = undefined
      void this.#list.run()
    }, RELOAD_MS)
  }

  #want(change: Partial<Wish>): void {
    this.hasNews = false
    this.wish = this.app.wish = { ...this.wish, pages: [], ...change }
  }

  #by(way: string): void {
    this.#want({ by: way })
    // The button that was pressed goes.
    toHeading()
  }

  #search(event: Event): void {
    event.preventDefault()
    const { by: _, ...wish } = this.wish
    this.wish = wish
    this.#want({ search: fieldsOf(event.currentTarget)('search') })
  }

  #clear(): void {
    this.hasNews = false
    this.wish = this.app.wish = NO_WISH
    const field = this.querySelector<HTMLInputElement>('#search')
    if (field !== null) {
      field.value = ''
      field.focus()
    }
  }

  override render(): TemplateResult {
    const { nav } = this.t
    const t = this.t.payments
    return html`<h1 tabindex="-1">${nav.payments}</h1>
      <form class="find" role="search" @submit=${this.#search}>
        <label for="search">${t.find}</label>
        <div class="row">
          <input
            id="search"
            name="search"
            type="search"
            enterkeyhint="search"
            autocomplete="off"
            maxlength="200"
            aria-describedby="search-hint"
            .value=${this.wish.search}
          />
          <button type="submit">${t.search}</button>
        </div>
        <p class="hint" id="search-hint">${t.findHint}</p>
      </form>
      ${paymentFilters(
        this.app,
        this.wish,
        (change) => this.#want(change),
        () => this.#clear(),
      )}
      ${printedWish(this.app, this.wish, this.#list.value?.nextCursor !== undefined)}
      <p class="live ${this.isLive ? 'on' : ''}" role="status">
        ${this.hasNews ? t.paused : this.isLive ? t.live : t.notLive}
      </p>
      ${loaded(
        this.app,
        this.#list,
        (list) => this.#found(list),
        ({ payments }) => payments.length === 0,
      )}`
  }

  #found(list: PaymentList): TemplateResult {
    const t = this.t.payments
    const { wish, app } = this
    const turn = (pages: readonly string[]) => (): void => {
      this.#want({ pages, ...(list.by === undefined ? {} : { by: list.by }) })
      toHeading()
    }
    return html`${list.by === undefined || list.payments.length === 0 ? nothing : this.#ways(list)}
      ${
        list.payments.length === 0
          ? html`<div class="empty">
              <p>${list.nextCursor !== undefined ? t.noneSoFar : isFiltered(wish) ? t.none : t.noneYet}</p>
              ${isFiltered(wish) || !mayAct(app) ? nothing : html`<a class="button" href="#/links">${t.firstLink}</a>`}
            </div>`
          : html`<div class="rows">
              <div class="heads payments" aria-hidden="true">
                <span>${t.when}</span><span>${t.who}</span><span>${t.order}</span><span>${t.amount}</span
                ><span>${t.state}</span>
              </div>
              <ul>
                ${list.payments.map((payment) => this.#row(payment))}
              </ul>
            </div>`
      }
      <div class="pages">
        ${
          wish.pages.length === 0
            ? nothing
            : html`<button type="button" class="second" @click=${turn([])}>${t.first}</button>
                <span>${fill(t.page, { n: wish.pages.length + 1 })}</span>`
        }
        ${
          list.nextCursor === undefined
            ? nothing
            : html`<button type="button" class="second" @click=${turn([...wish.pages, list.nextCursor])}>
                ${list.payments.length === 0 ? t.searchOn : t.next}
              </button>`
        }
        ${
          mayAct(app) && list.payments.length > 0
            ? html`<a
                class="button second"
                download
                href=${tableOf('payments.csv', queryOf({ ...wish, ...pick(list) }))}
                >${t.export}</a
              >`
            : nothing
        }
      </div>`
  }

  /**
   * Digits can be a phone, an order or an amount: the way that was taken, and the others that find
   * something.
   */
  #ways({ by, alsoBy = [] }: PaymentList): TemplateResult {
    const { by: names } = this.t.payments
    const name = (way: string): string => (names as Readonly<Record<string, string>>)[way] ?? way
    return html`<p class="ways" role="status">
      <span>${fill(this.t.payments.foundBy, { way: name(by ?? '') })}</span>
      ${alsoBy.map(
        (way) =>
          html`<button type="button" class="chip" @click=${() => this.#by(way)}>
            ${fill(this.t.payments.insteadBy, { way: name(way) })}
          </button>`,
      )}
    </p>`
  }

  #row(payment: PaymentView): TemplateResult {
    const { app } = this
    const t = this.t.payments
    const { payer, orderId, amount, currency, country, createdAt, id } = payment
    return html`<li>
      <a
        class="item payments"
        href=${hrefOf({ view: 'payment', id })}
        @click=${(event: Event) => keepPlace(app, event.currentTarget as HTMLAnchorElement)}
      >
        <span class="when">${app.format.time(createdAt)}</span>
        <span class="payer"
          ><b>${typed(payerOf(app, payment))}</b>${
            payer?.phone === undefined ? nothing : html` <span class="quiet">${phoneOf(payer.phone)}</span>`
          }</span
        >
        <span class="order"
          >${orderId === undefined ? html`<span class="quiet">${t.noOrder}</span>` : typed(orderId)}</span
        >
        <span class="sum"
          ><b>${leftToRight(app.format.money(amount, currency))}</b> <span class="quiet">${country}</span></span
        >
        <span class="marks">${phaseMark(app, payment)}${extraMarks(app, payment)}</span>
      </a>
    </li>`
  }
}

const last = (pages: readonly string[]): string | undefined => pages[pages.length - 1]

const pick = ({ by }: PaymentList): Partial<Wish> => (by === undefined ? {} : { by })
