// Runs a checkout: creates, opens, watches and resumes a payment. Owns the state; the element renders it.
// Four hundred lines: every step reads and moves the same few facts (run, payment, token, storage name), and a cut between them costs bytes.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { endKept, keptNames, randomKey, readKept, writeKept } from './attempt-store.ts'
import type { Kept } from './attempt-store.ts'
import type { Action, CheckoutState } from './checkout-state.ts'
import { transition } from './checkout-state.ts'
import type { CompanionClient } from './companion-client.ts'
import { meaningOf } from './answers.ts'
import { CheckoutError } from './checkout-error.ts'
import { createCompanionClient } from './companion-client.ts'
import type { Created } from './companion-client.ts'
import {
  CheckoutOpenedEvent,
  DepositCreatedEvent,
  ErrorEvent,
  FailureEvent,
  StatusChangeEvent,
  SuccessEvent,
} from './events.ts'
import type { Flow } from './flow.ts'
import { loadFlow } from './load-flow.ts'
import { isInApp, isSafeUrl, openTab } from './open-page.ts'
import type { OpenedTab } from './open-page.ts'
import type { CardTexts } from './locales/texts.ts'
import { pause } from './pause.ts'
import { linksOf } from './payment-links.ts'
import { secretsOf } from './secrets.ts'
import type { Deposit } from './types.ts'
import { unknownPayment } from './unknown-payment.ts'
import type { Watching } from './watching.ts'
import type { CreateDeposit } from '../server/contract/index.ts'

/** What the controller needs of the element. */
export interface CheckoutHost extends ReactiveControllerHost, EventTarget {
  companion: string
  session: string | undefined
  clientReference: string | undefined
  presentation: 'auto' | 'tab' | 'redirect'
  deposit: string | undefined
  readonly isConnected: boolean
  readonly _locale: string
  readonly _words: CardTexts
}

/** Phases whose texts are loaded from the start. */
const usual = /^(creating|open|confirming|succeeded)$/
/** How long to wait for the rare texts. */
const PATIENCE_MS = 3000
/** The longest that a create request may be under way. */
const ON_ITS_WAY_MS = 60_000

/** After so many repetitions of a create that fail at once, another request is tried. */
const PROBE_AFTER = 3
const QUICK_MS = 10_000

/** One checkout of one element, from the form to the end. */
export class CheckoutController implements ReactiveController {
  state: CheckoutState = { step: 'form' }
  /**
   * Id of the payment whose hosted page was opened from here: the customer sees it, or has it in another tab. With a dash at its end once this page
   * itself has been left: whoever comes back to it, as it was, may have paid meanwhile.
   */
  opened = ''
  fault: CheckoutError | undefined
  /** The texts for the fault are loaded, or cannot be. */
  isExplained = false
  /** A check is running, or when the last one found nothing new. */
  checked: 'asking' | Date | undefined
  /** The customer is asked whether a payment that may still be paid is to be forgotten: takes the answer. */
  asking: ((isForgotten: boolean) => void) | undefined
  /** The code and texts that are not needed before the first keystroke, once loaded. */
  flow: Flow | undefined
  /** A new client for each order, so that an answer for an earlier order can be recognised. */
  client: CompanionClient = createCompanionClient('')
  readonly _host: CheckoutHost
  /** Id of the payment that is shown, or is being loaded to be shown. */
  _id = ''
  /** Until the companion has confirmed the token: back to what was shown before. */
  _back: (() => void) | undefined
  /** Keeps it up to date, once the flow is loaded. */
  private _watching: Watching | undefined
  /** Stops watching it. */
  private _stop = (): void => {}
  /** Ends the wait before a create is repeated. */
  private _wake = (): void => {}
  /** The question, while it is asked. */
  private _asked: Promise<boolean> | undefined
  /** How the storage names of all its orders begin. */
  private _root = ''
  /** Storage name of this order's payment. */
  private _own = ''
  /** Storage name of the payment that is shown, which may be one of another order. */
  _kept = ''
  /** The payment and end of the last success or failure that was dispatched. */
  private _told = ''
  /** Rises with every new order, attempt or reset: answers to requests of an earlier run are dropped. */
  _run = 0

  constructor(host: CheckoutHost) {
    this._host = host
    host.addController(this)
  }

  /** A page may move the element in the DOM: the checkout goes on. */
  hostConnected(): void {
    if (!this._own) return
    this.connect(true)
    if (!this.flow) void this.loadFlow()
  }

  hostDisconnected(): void {
    this._stop()
  }

  /** Connects to a companion and looks for a payment of this order to resume; false if it was already connected. */
  connect(again?: boolean): boolean {
    const { companion, session, deposit, clientReference } = this._host
    const order = session ? session.slice(0, 30) : clientReference
    // With or without a slash at its end it is the same companion; a page may lack it.
    const base = (companion || '').replace(/\/$/, '')
    this._root = `hc-checkout:${base}`
    const own = this._root + (order ? `:${order}` : '')
    if (this._own !== own) {
      // A payment of one order must not be shown for the next, nor a pending answer be stored as the next one's.
      if (this._own) this.reset(true)
      this._own = this._kept = own
      this.client = createCompanionClient(base)
      // Erases expired entries of other orders.
      keptNames('hc-checkout').forEach((one) => readKept(one))
    } else if (!again) return false
    const { id, token, key, given } = readKept(this._kept)
    // What is on the screen goes on, stored or not.
    if (this._id) this._watch(this._id, secretsOf(this).token, true)
    // After a reload between click and answer the key is stored: recover the answer with it, before anything else is shown.
    else if (key) {
      if (this.state.step === 'submitting') return true
      this._apply({ type: 'submit' })
      void this._settle(key)
    } else if (deposit && !session) this.resume(deposit)
    else if (id && token) {
      if (given) secretsOf(this).unconfirmed = token
      this._watch(id, token, true)
    }
    return true
  }

  /** The only place where the state changes; dispatches the events for it. */
  _apply(action: Action): void {
    const before = this.state
    this.state = transition(before, action)
    if (this.state === before) return
    this._host.requestUpdate()
    if (action.type !== 'deposit' || !('deposit' in this.state)) return
    const { deposit, resumed } = this.state
    const old = 'deposit' in before && before.deposit.id === deposit.id ? before.deposit : undefined
    if (!old || old.version !== deposit.version) this.checked = undefined
    if (old && old.version !== deposit.version) this._host.dispatchEvent(new StatusChangeEvent(deposit, resumed))
    if (!old || old.status !== deposit.status) this._tell(deposit, resumed)
    // It has ended meanwhile: its news is shown, and whoever still wants to forget it need not be asked.
    if (!this.mayBePaid) this._keep()
  }

  /** What is shown may still be paid, as far as this browser knows; or, with the form on the screen, what is stored for this order. */
  get mayBePaid(): boolean {
    const { state } = this
    if ('deposit' in state) return state.deposit.status === 'PENDING'
    const { id, key, told } = readKept(this._kept)
    return Boolean(state.step === 'submitting' || this._id || key || (id && !told))
  }

  /** The form is on the screen, nothing is being loaded, and nothing has been said instead. */
  get isIdle(): boolean {
    return this.state.step === 'form' && !this._id && !this.fault
  }

  /** The companion's page of the payment that is shown, for any browser. */
  payLink(): string | undefined {
    return linksOf(this._id).payUrl
  }

  /** Asks the customer, once, whether what may still be paid is to be forgotten. */
  ask(): Promise<boolean> {
    this._asked ||= new Promise((resolve) => {
      this.asking = (isForgotten) => {
        this.asking = this._asked = undefined
        this._host.requestUpdate()
        resolve(isForgotten)
      }
    })
    // The question is among the later texts.
    void this.loadFlow()
    this._host.requestUpdate()
    return this._asked
  }

  private _keep(): void {
    if (this.asking) this.asking(false)
  }

  /** Says why a payment is not shown, once for each reason; it is asked for again meanwhile. */
  _doubt(fault: CheckoutError): void {
    if (!this.fault || this.fault.code !== fault.code) void this.refuse(fault)
  }

  /** Loads the rare texts before they are shown, but does not wait long: the more general texts are true as well. */
  async explain(): Promise<void> {
    const words = this.loadFlow().then(async (flow) => {
      if (flow.rare) return
      flow.rare = await flow.loadRare()
      Object.assign(flow.texts, flow.rare.texts)
      this._host.requestUpdate()
    })
    await Promise.race([words, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).catch(() => {})
  }

  /** Applies a new view of a deposit; unusual phases wait for their texts. */
  async _heard(deposit: Deposit, resumed?: boolean, run = this._run): Promise<void> {
    if (!usual.test(deposit.phase) || deposit.late || deposit.duplicate) await this.explain()
    if (run === this._run) this._apply({ type: 'deposit', deposit, resumed })
  }

  /** Dispatches success or failure, once per deposit and browser; where it is not stored, or no longer, once per element. */
  private _tell(deposit: Deposit, resumed: boolean): void {
    const { id, status } = deposit
    const end = id + status
    if (status === 'PENDING' || endKept(this._kept, deposit) || this._told === end) return
    this._told = end
    this._host.dispatchEvent(
      status === 'SUCCESS' ? new SuccessEvent(deposit, resumed) : new FailureEvent(deposit, resumed),
    )
  }

  /**
   * Shows a payment and keeps it up to date.
   * @param first its current view, if known
   */
  private _watch(id: string, token: string, resumed: boolean, first?: Deposit): void {
    this._stop()
    this.fault = undefined
    this._id = id
    secretsOf(this).token = token
    this._run += 1
    if (first) void this._heard(first, resumed)
    let stopped = false
    this._stop = () => {
      stopped = true
    }
    void this.loadFlow().then(({ parts }) => {
      // Off the page nothing would end it; back there, `hostConnected` begins it again.
      if (stopped || !this._host.isConnected) return
      this._watching = new parts.Watching(this, parts)
      this._stop = this._watching.begin(id, token, resumed)
    })
  }

  /** Retries until the network allows it: without the flow no status can be shown. Off the page it never comes; back there, `hostConnected` begins anew. */
  async loadFlow(): Promise<Flow> {
    for (let tries = 0; ; tries++) {
      try {
        const locale = this._host._locale
        const flow = await loadFlow(locale)
        // The page may have chosen another language meanwhile, and its words may be there already.
        if (!this.flow || locale === this._host._locale) this.flow = flow
        this._host.requestUpdate()
        return this.flow
      } catch {
        await pause(Math.min(15_000, 1000 * 2 ** tries))
        if (!this._host.isConnected) return new Promise(() => {})
      }
    }
  }

  /**
   * Retries until there is a clear answer. The idempotency key makes it the same purchase however often it is sent, so a lost answer
   * never leads back to a form that could start a second one.
   */
  private async _settle(key: string, body?: CreateDeposit, tab?: OpenedTab): Promise<void> {
    const resumed = !body
    const run = ++this._run
    /** Another order or payment is shown: the tab would wait for ever. */
    const isDropped = (): boolean => {
      if (run !== this._run && tab) tab.close()
      return run !== this._run
    }
    this._stop()
    let fault = {} as CheckoutError
    let missing = 0
    let sent = 0
    const { id: replaced } = readKept(this._kept)
    for (let tries = 0; ; tries++) {
      let created: Created | undefined
      const { id: old, token: oldToken, key: held } = readKept(this._kept, true)
      // Another tab has given this request up, or has its answer: sent once more, it could be a second payment. Where nothing is stored, it may have
      // been so once the last one cannot be on its way any more, for this tab was frozen.
      // A companion of another release may read the same body in another way, but it knows the key.
      const isMine =
        body &&
        !/reused/.test(fault.code) &&
        (!tries || held === key || !(held || old || Date.now() - sent > ON_ITS_WAY_MS))
      // Stored before each request, so that the time is that of the last one; with what it replaces: if it is refused, that may still be paid.
      if (isMine) {
        sent = Date.now()
        writeKept(this._kept, { id: old, token: oldToken, key } as Kept)
      }
      try {
        created = await (isMine ? this.client.create(body, key) : this.client.recover(key))
      } catch (error) {
        fault = error as CheckoutError
      }
      if (isDropped()) return
      if (created) {
        const { token, ...deposit } = created
        const { id, createdAt } = deposit
        // For a `reset()` or `paymentLink()` of the page's when it hears of this.
        secretsOf(this).token = token
        this._id = id
        const kept = readKept(this._kept)
        // Another tab may have gone on from there, to a newer payment; or back, to the one that this has replaced.
        if ((kept.key || key) === key && (kept.id || replaced) === replaced)
          writeKept(this._kept, { id, token, createdAt })
        let now: Deposit | undefined = deposit
        if (!resumed) {
          this._host.dispatchEvent(new DepositCreatedEvent(deposit))
          // A repeated answer is the first one again: get the current state, so that an ended payment is not opened.
          if (tries) now = await this.client.get(id, token).catch(() => undefined)
          if (isDropped()) return
          if (now) this._go(now, tab)
          else if (tab) tab.close()
        }
        if (run === this._run) this._watch(id, token, resumed, now || deposit)
        return
      }
      // After a reload the request may still be under way: "not found" only counts once it can't arrive any more. Seven such answers also
      // take a minute, even if the phone's clock was set back meanwhile.
      const meaning = meaningOf(isMine ? (tries ? 'repeat' : 'create') : 'recover', fault.code)
      const clear = isMine
        ? meaning === 'refused'
        : meaning === 'none' &&
          !(
            missing++ < 7 &&
            (body ? !(held || old) : Date.now() - Date.parse(readKept(this._kept).createdAt as string) < ON_ITS_WAY_MS)
          )
      if (clear) {
        if (tab) tab.close()
        const { id, token, key: now } = readKept(this._kept)
        // What it was to replace is stored as before.
        if (now === key) writeKept(this._kept, id ? ({ id, token } as Kept) : undefined)
        // Another tab has created a payment meanwhile: keep and show it. After a reload, the one that it was to replace.
        if (now ? now !== key || (id && resumed) : id) {
          if (now && now !== key) this._apply({ type: 'refused' })
          this.connect(true)
        } else {
          this._apply({ type: 'refused' })
          void this.refuse(fault)
        }
        return
      }
      // `not_found` after a reload: the companion has answered, so the network is not to blame.
      if (meaning !== 'none') this._apply({ type: 'again' })
      if (fault.code === 'blocked') {
        // Said in the card, which the empty tab would hide.
        if (tab) tab.close()
        this._doubt(fault)
      } else {
        if (tab) tab.say(this._host._words.errNetwork)
        // A firewall's refusal without CORS headers looks like a lost network; but then other requests are answered.
        if (isMine && tries === PROBE_AFTER && Date.now() - sent < QUICK_MS)
          void this.client.markets().then(
            () => {
              if (isDropped() || this.state.step !== 'submitting') return
              if (tab) tab.close()
              this._doubt(
                new CheckoutError(
                  'blocked',
                  `The create fails at once while other requests to ${this._host.companion} are answered: a firewall or proxy may refuse it.`,
                ),
              )
            },
            () => {},
          )
      }
      await Promise.race([
        pause((fault.retryAfter || Math.min(15, 2 ** tries)) * 1000),
        new Promise<void>((resolve) => (this._wake = resolve)),
      ])
      if (isDropped()) return
    }
  }

  /** Must be called in the click handler: the tab is opened before the request. */
  async submit(body: CreateDeposit, openingText: string): Promise<void> {
    if (this.state.step !== 'form') return
    const { id, key } = readKept(this._own)
    // A payment was started in another tab meanwhile, or is being started there: show it instead of creating a second one.
    if ((this._id || key || (id && id !== body.replaces)) && this.connect(true)) return
    // Before opening the tab: while Firefox opens it, other events are handled, for example a second press.
    this._apply({ type: 'submit' })
    this.fault = undefined
    const { presentation } = this._host
    const tab =
      presentation === 'tab' || (presentation !== 'redirect' && !isInApp(navigator.userAgent))
        ? openTab(openingText, this._host._locale)
        : undefined
    this._kept = this._own
    await this._settle(randomKey(), body, tab)
    // What it was to replace has been paid, or is being confirmed, meanwhile: show that instead.
    const { fault } = this as { fault?: CheckoutError }
    if (fault && fault.code === 'replaces_invalid') this.resume(body.replaces, secretsOf(this).token)
  }

  /** Sends the customer to the hosted page: in the opened tab, or in this one if none could be opened. */
  private _go(deposit: Deposit, tab: OpenedTab | undefined): void {
    const { checkoutUrl } = linksOf(deposit.id)
    if (!isSafeUrl(checkoutUrl, deposit.mode)) {
      if (tab) tab.close()
      return
    }
    if (tab && tab.go(checkoutUrl)) this._open(deposit)
    // If the tab was refused, go on in this one. If the customer closed it, they want to stay: a link is shown. So they do if the page has taken the
    // element out: they may be elsewhere in the shop by now.
    else if (!tab && this._host.presentation !== 'tab' && this._host.isConnected) {
      this._open(deposit)
      location.assign(checkoutUrl)
    }
  }

  private _open(deposit: Deposit): void {
    this.opened = deposit.id
    this._host.requestUpdate()
    this._host.dispatchEvent(new CheckoutOpenedEvent(deposit))
  }

  /** The customer opened the hosted page by the link: the same deposit, never a second one. */
  reopenPage(): void {
    if ('deposit' in this.state) this._open(this.state.deposit)
  }

  /** The customer does not want to wait until the request is repeated. */
  hurry(): void {
    this._wake()
  }

  /** Has the companion ask the payment service now; does nothing while no payment is shown. Never rejects. */
  async check(): Promise<void> {
    const { flow } = this
    // The flow may have come a moment before the watching begins.
    if (flow && !this._watching) this._watching = new flow.parts.Watching(this, flow.parts)
    if (this._watching) await this._watching.check()
  }

  /** Shows why nothing can be paid or shown. Resolves when the texts for it are loaded. */
  async refuse(fault: CheckoutError): Promise<void> {
    this.fault = fault
    // Its text is among the first; without a network no other would come.
    this.isExplained = fault.code === 'network'
    this._host.requestUpdate()
    const said = this.isExplained ? undefined : this.explain()
    this._host.dispatchEvent(new ErrorEvent(fault))
    await said
    this.isExplained = true
    this._host.requestUpdate()
  }

  /** With an id alone, a payment is shown only if this browser holds its token, under any order: to anybody else it is private. */
  resume(id?: string, token?: string): void {
    let name = this._own
    let kept = readKept(name)
    const { state, _id: last, _kept: lastName } = this
    const lastToken = secretsOf(this).token
    const isBusy = last || state.step === 'submitting'
    // Without storage nothing but the request under way knows what it has created.
    if (isBusy && !last && !readKept(lastName).key) return
    if (id && token) {
      // Also while there is no network: a reload must not bring the form back. A stored payment stays until the token is confirmed.
      if (!isBusy && !kept.id && !kept.key) writeKept(name, { id, token, given: true })
      kept = { id, token }
    } else if (id) {
      name = [name, ...keptNames(this._root)].find((one) => readKept(one).id === id) || ''
      kept = readKept(name)
    }
    if (kept.id && kept.token) {
      const back = (): void => {
        this._back = undefined
        this._kept = lastName
        this._id = last
        secretsOf(this).token = lastToken
        // Its own request was dropped: recover the answer with its key.
        if (!last) this._apply({ type: 'reset' })
        this.connect(true)
      }
      this._kept = name
      secretsOf(this).unconfirmed = token
      // What is on the screen stays if the token opens nothing, also a create whose outcome is unknown.
      if (isBusy && !this._back) this._back = back
      this._watch(kept.id, kept.token, true)
    } else if (id) {
      void this.refuse(unknownPayment())
    }
  }

  /**
   * Back to the form, forgetting the payment on this device unless `keep`; the payment itself goes on. Whoever calls it has asked the customer, or has an
   * answer that allows it (answers.ts).
   */
  reset(keep = false): void {
    this._keep()
    const { token, key } = readKept(this._kept)
    // Another tab's payment is not forgotten, nor a create whose outcome is unknown unless that is what is shown.
    const isShown = key
      ? this.state.step === 'submitting' && !this._id
      : (token || secretsOf(this).token) === secretsOf(this).token
    if (!keep && isShown) writeKept(this._kept)
    this._kept = this._own
    this._run += 1
    this._id = ''
    this._back = undefined
    this._stop()
    this.fault = undefined
    this._apply({ type: 'reset' })
    if (!keep && readKept(this._own).key) this.connect(true)
  }
}
