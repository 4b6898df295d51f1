// One checkout of one element, from the form to the end: holds the state, dispatches its events,
// and wires the parts that create, resume and watch a payment. The element renders it.
import type { ReactiveController } from 'lit'
import { readKept } from '../base/attempt-store.ts'
import { CheckoutError } from '../base/checkout-error.ts'
import * as actions from '../base/checkout-state.ts'
import { depositOf, initialState, type Action, type CheckoutState } from '../base/checkout-state.ts'
import type { Checkout, CheckoutHost } from './checkout.ts'
import { createCompanionClient, type CompanionClient } from '../client/companion-client.ts'
import { ErrorEvent } from '../base/events.ts'
import type { Flow } from './flow.ts'
import { loadFlow } from './load-flow.ts'
import { pause } from '../client/pause.ts'
import * as resuming from './resuming.ts'
import { secretsOf } from './secrets.ts'
import type { CreateDeposit } from '../../server/contract/index.ts'

/** How long to wait for the rare texts. */
const PATIENCE_MS = 3000
const CLOCK_MS = 15_000

export class CheckoutController implements ReactiveController, Checkout {
  state: CheckoutState = initialState
  client: CompanionClient = createCompanionClient('')
  /** The code and texts that are not needed before the first keystroke, once loaded. */
  flow: Flow | undefined
  /** Resolves once they are loaded, however often that has to be tried. */
  private _flowCame = (): void => {}
  private readonly _whenFlow = new Promise<void>((resolve) => (this._flowCame = resolve))
  readonly _host: CheckoutHost
  /**
   * The question whether a payment is to be forgotten, while it is asked, and what takes its
   * answer.
   */
  private _asked: Promise<boolean> | undefined
  private _resolve: ((isForgotten: boolean) => void) | undefined
  private _clock: ReturnType<typeof setTimeout> | undefined
  /** Why the flow does not come. */
  private _lost: CheckoutError | undefined

  constructor(host: CheckoutHost) {
    this._host = host
    host.addController(this)
  }

  /** A page may move the element in the DOM: the checkout goes on. */
  hostConnected(): void {
    if (!this.state.names.own) return
    this.connect(true)
    if (!this.flow) void this.loadFlow()
  }

  hostDisconnected(): void {
    this._stop()
  }

  /** Updates the time left to choose an agent. */
  hostUpdated(): void {
    clearTimeout(this._clock)
    if (this.state.screen.step === 'waiting' && this._host.isConnected)
      this._clock = setTimeout(() => this._host.requestUpdate(), CLOCK_MS)
  }

  connect(again?: boolean): boolean {
    return resuming.connect(this, again)
  }

  async submit(body: CreateDeposit, openingText: string): Promise<void> {
    await this.flow?.parts.submit(this, body, openingText)
  }

  async _settle(key: string): Promise<void> {
    const { run } = this.state
    if (!this.flow) await this._whenFlow
    if (run === this.state.run) await this.flow?.parts.settle(this, key)
  }

  resume(id?: string, token?: string): void {
    resuming.resume(this, id, token)
  }

  reset(keep?: boolean): void {
    resuming.reset(this, keep)
  }

  hurry = (): void => {}

  async check(): Promise<void> {
    await this.flow?.parts.check(this)
  }

  _set(change: Partial<CheckoutState>, isSeen = true): void {
    this.state = { ...this.state, ...change }
    if (isSeen) this._host.requestUpdate()
  }

  _apply(action: Action): void {
    const next = action(this.state)
    if (next !== this.state) this._set(next)
  }

  get _mayBePaid(): boolean {
    const { state } = this
    const deposit = depositOf(state)
    if (deposit) return deposit.status === 'PENDING'
    const { id, key, told } = readKept(state.kept)
    return Boolean(state.screen.step === 'submitting' || state.id || key || (id && !told))
  }

  /** Asks the customer, once, whether what may still be paid is to be forgotten. */
  ask(): Promise<boolean> {
    this._asked ||= new Promise((resolve) => (this._resolve = resolve))
    this._set({ _isAsking: true })
    // The question is among the later texts.
    void this.loadFlow()
    return this._asked
  }

  _answer(isForgotten: boolean): void {
    if (!this.state._isAsking) return
    this._set({ _isAsking: false })
    this._asked = undefined
    this._resolve?.(isForgotten)
  }

  async refuse(fault: CheckoutError): Promise<void> {
    this._apply(actions.fail(fault))
    // Mistakes of the page's developer: the customer is told less. A message has no token in it.
    // oxlint-disable-next-line no-console -- For developers.
    if (/^session_(inv|req|conf)/.test(fault.code)) console.warn(`hc-checkout: ${fault.code}. ${fault.message}`)
    const said = this.state.isExplained ? undefined : this._explain()
    this._host.dispatchEvent(new ErrorEvent(fault))
    await said
    this._set({ isExplained: true })
  }

  _doubt(fault: CheckoutError): void {
    if (this.state.fault?.code !== fault.code) void this.refuse(fault)
  }

  dismiss(): void {
    this._apply(actions.fail(undefined))
  }

  async _explain(): Promise<void> {
    const words = this.loadFlow().then(async (flow) => {
      if (flow.rare?.parts) return
      flow.rare = await flow.loadRare()
      Object.assign(flow.texts, flow.rare.texts)
      this._host.requestUpdate()
    })
    await Promise.race([words, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]).catch(() => {})
  }

  _follow(id: string, token: string, resumed: boolean): void {
    this._stop()
    secretsOf(this).token = token
    this._apply(actions.watch(id))
    let stopped = false
    this._stop = () => {
      stopped = true
    }
    void this.loadFlow().then(({ parts }) => {
      // Off the page nothing would end it. `hostConnected` begins it again.
      if (stopped || !this._host.isConnected) return
      this._stop = parts.watch(this, parts, id, token, resumed)
    })
  }

  _stop = (): void => {}

  /**
   * Without the flow nothing can be paid. The page hears of it once, and a press goes on waiting.
   * Another reason stays: it may be the same network, or the last word.
   */
  private _sayLost({ message }: Error): void {
    const { flow, state, _host: host } = this
    if (flow || state.fault || !host.isConnected) return
    if (!this._lost) {
      this._lost = new CheckoutError('network', message)
      host.dispatchEvent(new ErrorEvent(this._lost))
    }
    if (!host._form._isShown) return
    this._apply(actions.fail(this._lost))
    if (host._form._isPressed) void host._pressing._showReason()
  }

  /**
   * Retries until the network allows it: without the flow no status can be shown. Off the page it
   * gives up and never resolves; `hostConnected` begins anew.
   */
  async loadFlow(): Promise<Flow> {
    for (let tries = 0; ; tries++) {
      try {
        const locale = this._host._locale
        const flow = await loadFlow(locale)
        // The page may have chosen another language meanwhile, and its words may be there already.
        if (!this.flow || locale === this._host._locale) this.flow = flow
        this._flowCame()
        if (this._lost && this.state.fault === this._lost) this.dismiss()
        this._lost = undefined
        this._host.requestUpdate()
        return this.flow
      } catch (error) {
        // Once may be chance, and a note that comes and goes would move the fields.
        if (tries) this._sayLost(error as Error)
        await pause(Math.min(15_000, 1000 * 2 ** tries))
        if (!this._host.isConnected) return new Promise(() => {})
      }
    }
  }
}
