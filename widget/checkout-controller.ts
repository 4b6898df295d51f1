// Runs a checkout: creates, opens, watches, resumes. Owns the state; the element renders it.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { AttemptStore, Kept } from './attempt-store.ts'
import { attemptStore, randomKey } from './attempt-store.ts'
import type { Action, CheckoutState } from './checkout-state.ts'
import { hasEnded, transition } from './checkout-state.ts'
import type { CompanionClient } from './companion-client.ts'
import { CheckoutError, createCompanionClient } from './companion-client.ts'
import { watchDeposit } from './deposit-stream.ts'
import { CheckoutOpenedEvent, DepositCreatedEvent, ErrorEvent, FailureEvent, StatusChangeEvent, SuccessEvent } from './events.ts'
import { isInApp, isSafeUrl, openTab } from './open-page.ts'
import type { OpenedTab } from './open-page.ts'
import type { Deposit } from './types.ts'
import type { CreateDeposit } from '../server/contract/index.ts'

export interface CheckoutHost extends ReactiveControllerHost, EventTarget {
  companion: string
  session: string | undefined
  presentation: string
}

const TRIES = 4

export class CheckoutController implements ReactiveController {
  state: CheckoutState = { step: 'form' }
  /** The hosted page could not be opened by itself: a plain link is shown. */
  blocked = false
  fault: CheckoutError | undefined
  client: CompanionClient = createCompanionClient('')
  readonly #host: CheckoutHost
  #store: AttemptStore = attemptStore('')
  #token = ''
  #stop: (() => void) | undefined
  #told = ''
  #base: string | undefined
  #run = 0

  constructor(host: CheckoutHost) {
    this.#host = host
    host.addController(this)
  }

  hostDisconnected(): void {
    if (this.#stop) this.#stop()
    this.#stop = undefined
    this.#base = undefined
  }

  /** (Re)connects to a companion and looks for a payment to resume. */
  connect(): void {
    const { companion, session } = this.#host
    const base = `${companion}|${session || ''}`
    if (this.#base === base) return
    this.#base = base
    this.client = createCompanionClient(companion)
    this.#store = attemptStore(session ? `${companion}:${session.slice(0, 30)}` : companion)
    const kept = this.#store.kept()
    const key = this.#store.pendingKey()
    if (kept) this.#watch(kept, true)
    else if (key) void this.#recover(key)
  }

  #apply(action: Action): void {
    const before = this.state
    this.state = transition(before, action)
    if (this.state === before) return
    this.#host.requestUpdate()
    if (action.type !== 'deposit' || !('deposit' in this.state)) return
    const { deposit, resumed } = this.state
    const old = 'deposit' in before && before.deposit.id === deposit.id ? before.deposit : undefined
    if (old && old.version !== deposit.version) this.#host.dispatchEvent(new StatusChangeEvent(deposit, resumed))
    this.#tell(deposit, resumed)
  }

  /** Success and failure are told once per deposit and browser. */
  #tell(deposit: Deposit, resumed: boolean): void {
    const word = deposit.phase === 'succeeded' ? 'success' : hasEnded(deposit) && deposit.phase !== 'abandoned' ? 'failure' : ''
    if (!word) return
    this.#store.ended()
    const mark = `${deposit.id}:${word}`
    if (this.#told === mark) return
    this.#told = mark
    try {
      if (localStorage.getItem('hc-checkout:told') === mark) return
      localStorage.setItem('hc-checkout:told', mark)
    } catch {
      /* Told once per page then. */
    }
    this.#host.dispatchEvent(word === 'success' ? new SuccessEvent(deposit, resumed) : new FailureEvent(deposit, resumed))
  }

  #watch(kept: Kept, resumed: boolean, first?: Deposit): void {
    if (this.#stop) this.#stop()
    this.#token = kept.token
    if (first) this.#apply({ type: 'deposit', deposit: first, resumed })
    this.#stop = watchDeposit(this.client, kept.id, kept.token, {
      onDeposit: (deposit) => this.#apply({ type: 'deposit', deposit, resumed }),
      onSilence: (silent) => this.#apply({ type: 'silent', silent }),
      onGone: () => this.reset(),
    })
  }

  /** A page reloaded between click and answer holds the key only: the companion gives the answer again. */
  async #recover(key: string): Promise<void> {
    this.#apply({ type: 'submit' })
    try {
      const { token, ...deposit } = await this.client.recover(key)
      this.#store.keep({ id: deposit.id, token, createdAt: deposit.createdAt })
      this.#watch({ id: deposit.id, token, createdAt: deposit.createdAt }, true, deposit)
    } catch (error) {
      if (error instanceof CheckoutError && error.code === 'not_found') this.#store.forget()
      this.#apply({ type: 'refused' })
    }
  }

  /** Must be called inside the click: the tab is opened before the request. */
  async submit(body: CreateDeposit, openingText: string): Promise<void> {
    if (this.state.step === 'submitting') return
    const run = ++this.#run
    this.fault = undefined
    this.blocked = false
    const tab = this.#wantsTab() ? openTab(openingText) : undefined
    const key = randomKey()
    this.#store.setPending(key)
    if (this.#stop) this.#stop()
    this.#apply({ type: 'submit' })
    for (let tries = 1; run === this.#run; tries++) {
      try {
        const { token, ...deposit } = await this.client.create(body, key)
        if (run !== this.#run) return
        this.#store.keep({ id: deposit.id, token, createdAt: deposit.createdAt })
        this.#host.dispatchEvent(new DepositCreatedEvent(deposit))
        this.#go(deposit, tab)
        this.#watch({ id: deposit.id, token, createdAt: deposit.createdAt }, false, deposit)
        return
      } catch (error) {
        const fault = error instanceof CheckoutError ? error : new CheckoutError('internal_error', String(error))
        // Nothing is known of a lost answer: the same key asks for it again, and never makes a second payment.
        const lost = fault.code === 'network' || fault.code === 'idempotency_key_in_progress' || fault.code === 'store_unavailable'
        if (lost && tries < TRIES) {
          this.fault = fault.code === 'network' ? fault : undefined
          this.#apply({ type: 'again' })
          await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** tries))
          continue
        }
        if (tab) tab.close()
        if (!lost) this.#store.forget()
        this.fault = fault
        this.#apply({ type: 'refused' })
        this.#host.dispatchEvent(new ErrorEvent(fault))
        this.#host.requestUpdate()
        return
      }
    }
  }

  #wantsTab(): boolean {
    const { presentation } = this.#host
    return presentation === 'tab' || (presentation !== 'redirect' && !isInApp(navigator.userAgent))
  }

  #go(deposit: Deposit, tab: OpenedTab | undefined): void {
    const { checkoutUrl } = deposit
    if (!isSafeUrl(checkoutUrl)) {
      if (tab) tab.close()
      return
    }
    if (tab && tab.go(checkoutUrl)) {
      this.#host.dispatchEvent(new CheckoutOpenedEvent(deposit))
      return
    }
    if (this.#host.presentation === 'tab') {
      this.blocked = true
      return
    }
    this.#host.dispatchEvent(new CheckoutOpenedEvent(deposit))
    location.assign(checkoutUrl)
  }

  /** "Open the payment page again": the same deposit, never a second one. */
  reopen(): void {
    if (!('deposit' in this.state)) return
    const { deposit } = this.state
    if (isSafeUrl(deposit.checkoutUrl)) this.#host.dispatchEvent(new CheckoutOpenedEvent(deposit))
  }

  async check(): Promise<void> {
    if (!('deposit' in this.state)) return
    try {
      this.#apply({ type: 'deposit', deposit: await this.client.check(this.state.deposit.id, this.#token) })
    } catch (error) {
      if (error instanceof CheckoutError && error.code === 'network') this.#apply({ type: 'silent', silent: true })
    }
  }

  resume(id?: string, token?: string): void {
    const kept = id && token ? { id, token, createdAt: new Date().toISOString() } : this.#store.kept()
    if (!kept) return
    if (id) this.#store.keep(kept)
    this.#watch(kept, true)
  }

  /** Back to the form, forgetting the payment on this device; the payment itself goes on. */
  reset(): void {
    this.#run += 1
    if (this.#stop) this.#stop()
    this.#stop = undefined
    this.#store.forget()
    this.fault = undefined
    this.blocked = false
    this.#apply({ type: 'reset' })
  }
}
