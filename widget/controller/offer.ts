// What the companion offers for the present order: its markets, the session, the banks of a
// country. Loads it and retries by itself.
import type { ReactiveController } from 'lit'
import type { Bank, Market, Markets, SessionView, Shop } from '../../server/contract/index.ts'
import type { CheckoutHost } from './checkout.ts'
import { isPassing } from '../base/passing.ts'
import type { CheckoutError } from '../base/checkout-error.ts'
import type { CompanionClient } from '../client/companion-client.ts'
import type { Offered } from '../base/form-values.ts'
import { builtIn, guessCountry, type MarketRow } from '../base/markets.ts'
import { pause } from '../client/pause.ts'

/**
 * Delay before a failed request is retried, unless the network is back sooner; three times as long
 * for what is optional.
 */
const RETRY_MS = 5000

/** A code of the page, in whichever case it is written. */
const upper = (code: string | undefined): string | undefined => code?.toUpperCase()

export class Offer implements ReactiveController, Offered {
  session: SessionView | undefined
  banks: readonly Bank[] | 'loading' | 'failed' = 'loading'
  chosen = ''
  private readonly _host: CheckoutHost
  /** What the companion has said of itself. */
  private _answer: Partial<Markets> = {}
  /** The country guessed before the customer chooses one. */
  private _guess = guessCountry('')
  /**
   * The clients of the order that is loaded and of the one whose session is being loaded: each
   * order has its own client.
   */
  private _client: CompanionClient | undefined
  private _asking: CompanionClient | undefined
  /** The request for banks, with its repetitions; another object for each. */
  private _bankTurn = { country: '' }
  /**
   * What will be requested again soon, or once the element is back on the page. A new object for
   * each order and place ends the waits of the last one.
   */
  private _due: { load?: true; loadSession?: true } = {}

  constructor(host: CheckoutHost) {
    this._host = host
    host.addController(this)
  }

  /** Requests what failed before the page took the element out. */
  hostConnected(): void {
    const { _due: due } = this
    this._due = {}
    if (this._client === this._host._checkout.client) for (const load in due) void this[load as keyof typeof due]()
    this._host.requestUpdate()
  }

  /** Once the companion has answered. */
  get markets(): readonly Market[] | undefined {
    return this._answer.markets
  }

  /** `test` or `live`, once the companion has answered. */
  get mode(): Markets['mode'] | undefined {
    return this._answer.mode
  }

  /** The shop takes payments by session only, and the page has given none. */
  get isClosed(): boolean {
    return Boolean(this._answer.sessionsOnly) && !this._host.session
  }

  /** The markets to choose from: the companion's offer once known, narrowed by a fixed currency. */
  get rows(): readonly MarketRow[] {
    const currency = this.session?.currency || upper(this._host.currency)
    const rows: readonly MarketRow[] = this.markets || builtIn
    return rows.filter((row) => !currency || row.currency === currency)
  }

  /** The chosen one. */
  get row(): MarketRow {
    const { rows } = this
    const { dataset } = this._host
    const currency = upper(this._host.currency)
    const fixed = this.session?.country || upper(this._host.country)
    // `data-country`: the companion's pages preselect a country without fixing it.
    const wanted = fixed || this.chosen || dataset['country'] || this._guess
    const isWanted = ({ country }: MarketRow): boolean => country === wanted
    const offered = rows.find(isWanted)
    if (offered) return offered
    // A fixed country that is not offered, or not in this currency, is sent all the same and
    // refused: never replace it by another currency.
    const other = fixed ? !currency && builtIn.find(isWanted) : rows[0]
    return other || ({ country: fixed || '', currency: currency || '', callingCode: '' } as MarketRow)
  }

  /**
   * Who is paid: by the session, which may name another shop than the settings; without one, or
   * with one that is refused, by those.
   */
  get shop(): Shop | undefined {
    const { session, _checkout: checkout } = this._host
    return this.session ? this.session.shop : session && !checkout.state.fault ? undefined : this._answer.shop
  }

  get market(): Market | undefined {
    return this.markets?.find(({ country }) => country === this.row.country)
  }

  /**
   * Discards what another order was offered, and loads the offer of this one. @returns whether it
   * is another order
   */
  renew(): boolean {
    const { client } = this._host._checkout
    if (this._client === client) return false
    this._client = client
    this.session = undefined
    this._due = {}
    this.forgetBanks()
    // No requests before the form is on the screen; a hidden page runs no animation frames.
    const soon: (work: () => void) => unknown = document.hidden ? setTimeout : requestAnimationFrame
    soon(() => setTimeout(() => void this.load(true)))
    return true
  }

  /** Loads the markets, the session and, at first, what is needed after the first keystroke. */
  async load(first?: boolean): Promise<void> {
    const { _checkout: checkout, companion } = this._host
    // The page has taken the element out before its first frame.
    if (!this._host.isConnected) {
      this._due.load = true
      return
    }
    // The first use of Intl takes a sixth of a second on a cheap phone; Temporal takes no time.
    const { Temporal } = globalThis as { Temporal?: { Now: { timeZoneId(): string } } }
    if (Temporal) this._guess = guessCountry(Temporal.Now.timeZoneId())
    else if (!this._guess) this._guess = guessCountry(Intl.DateTimeFormat().resolvedOptions().timeZone)
    this._host.requestUpdate()
    // It retries by itself.
    if (first) void checkout.loadFlow()
    const { client } = checkout
    void client.markets().then(
      (answer) => {
        // The answer may be an earlier companion's.
        if (checkout.client !== client) return
        this._answer = answer
        if (answer.markets.some((market) => market.off)) void checkout._explain()
        if (!this._host.session) this._host._pressing._offerCame()
        this._host.requestUpdate()
      },
      (error: CheckoutError) => {
        if (checkout.client !== client) return
        // The answer about a session says so too, and a session can be paid without the markets.
        if (!this._host.session && isPassing(error)) void this._host._pressing._offerFailed(error)
        // The attribute may be missing or wrong: where another page answers in the companion's
        // place, the browser logs nothing.
        // oxlint-disable-next-line no-console -- For developers; once.
        if (first) console.warn(`hc-checkout: no markets from companion="${companion}". ${error.message}`)
        // Not too often: the companion may be down for everybody.
        return this._retry('load', RETRY_MS * 3)
      },
    )
    void this.loadSession()
  }

  /**
   * Repeats a request of this order, however many have failed by now; off the page, once the
   * element is back.
   */
  private async _retry(load: 'load' | 'loadSession', ms: number): Promise<void> {
    const { _due: due } = this
    if (due[load]) return
    due[load] = true
    await pause(ms)
    if (this._due !== due || !this._host.isConnected) return
    delete due[load]
    void this[load]()
  }

  /**
   * Loads the session, one request at a time, and retries what may pass by itself: without it
   * nothing can be paid.
   */
  async loadSession(): Promise<void> {
    const { session, _checkout: checkout } = this._host
    const { client } = checkout
    if (!session || this.session || this._asking === client) return
    this._asking = client
    const answer = await client.session(session).catch((error: CheckoutError) => error)
    // The page has set another session or companion meanwhile.
    if (checkout.client !== client) return
    this._asking = undefined
    if (answer instanceof Error) {
      if (isPassing(answer))
        void this._retry('loadSession', answer.code === 'network' ? RETRY_MS : (answer.retryAfter || 15) * 1000)
      void this._host._pressing._offerFailed(answer)
    } else {
      // The token of its payment is handed on, and stays in no property of the element.
      const { deposit: _, ...locked } = answer
      this.session = locked
      this._host._pressing._offerCame(answer)
    }
  }

  /**
   * Loads the bank list of the chosen country and its search once, and retries by itself: a missing
   * list never stops a payment.
   */
  async loadBanks(): Promise<void> {
    const { country } = this.row
    if (!country || this._bankTurn.country === country) return
    const turn = (this._bankTurn = { country })
    this.banks = 'loading'
    const { _checkout: checkout, _form: form } = this._host
    const { client } = checkout
    for (;;) {
      const asked = Promise.all([client.banks(country), form.loadSearch()])
      const [answer] = await asked.catch(() => [])
      if (this._bankTurn !== turn) return
      // An empty list stops no payment either, where a bank must be named.
      this.banks = answer?.banks.length ? answer.banks : 'failed'
      form.banksCame()
      if (answer) return
      await pause(RETRY_MS * 3)
      if (this._bankTurn !== turn) return
      // Nobody is choosing a bank now: load it again with the next form.
      if (checkout.state.screen.step !== 'form' || !this._host.isConnected) return this.forgetBanks()
    }
  }

  /** The next form loads the bank list again. */
  forgetBanks(): void {
    this._bankTurn = { country: '' }
  }
}
