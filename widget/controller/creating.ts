// Creates a payment: sends the request until there is a clear answer, and leads the customer to the
// hosted page.
import { meaningOf, type Meaning } from '../base/answers.ts'
import { givesWay, isRefused, maySend, mayStore, type Attempt } from './attempt-decisions.ts'
import { readKept, writeKept } from '../base/attempt-store.ts'
import { randomKey } from '../base/random-key.ts'
import { CheckoutError } from '../base/checkout-error.ts'
import * as actions from '../base/payment-actions.ts'
import { depositOf, fail, submit as submitting } from '../base/checkout-state.ts'
import type { Checkout } from './checkout.ts'
import { paymentClient, type Created } from '../client/payment-client.ts'
import { CheckoutOpenedEvent, DepositCreatedEvent } from '../base/deposit-events.ts'
import { money } from '../base/format.ts'
import { hear } from './hear.ts'
import { isInApp } from '../base/in-app.ts'
import { isSafeUrl, openTab, type OpenedTab } from '../base/open-page.ts'
import { pause } from '../client/pause.ts'
import { linksOf } from '../base/payment-links.ts'
import { secretsOf } from './secrets.ts'
import type { Deposit } from '../base/types.ts'
import type { CreateDeposit } from '../../server/contract/index.ts'

/** After so many repetitions of a create that fail at once, another request is tried. */
const PROBE_AFTER = 3
const QUICK_MS = 10_000

/** A request for one payment, until its outcome is known. */
interface Request {
  readonly checkout: Checkout
  readonly key: string
  /** None after a reload: then only the answer can be asked for. */
  readonly body: CreateDeposit | undefined
  readonly tab: OpenedTab | undefined
  readonly run: number
  /** Its storage name. */
  readonly kept: string
  /** Id of the payment that was stored before. */
  readonly replaced: string | undefined
}

/** Must be called in the click handler: the tab is opened before the request. */
export async function submit(checkout: Checkout, body: CreateDeposit, openingText: string): Promise<void> {
  const { screen, id: shown, names } = checkout.state
  if (screen.step !== 'form') return
  const { id, key } = readKept(names.own)
  // A payment was started in another tab meanwhile, or is being started there: show it instead of
  // creating another.
  if (shown || key || (id && id !== body.replaces)) {
    checkout.connect(true)
    // Seen also where the companion does not answer: no press does nothing.
    if (checkout.state.id) checkout._apply(submitting)
    return
  }
  // Before opening the tab: while Firefox opens it, other events are handled, for example a
  // second press.
  checkout._apply(submitting)
  checkout._apply(fail(undefined))
  const { presentation, _wordsLocale: locale } = checkout._host
  const opensTab = presentation === 'tab' || (presentation !== 'redirect' && !isInApp(navigator.userAgent))
  const tab = opensTab ? openTab(openingText, locale, aboutOf(checkout, body)) : undefined
  checkout._set({ kept: checkout.state.names.own })
  await settle(checkout, randomKey(), body, tab)
  // What it was to replace has been paid, or is being confirmed, meanwhile: show that instead.
  const { fault } = checkout.state
  if (fault?.code === 'replaces_invalid') checkout.resume(body.replaces, secretsOf(checkout).token)
}

/** Who is paid, and how much: for the tab that waits. */
function aboutOf({ _host: host }: Checkout, { amount, currency }: CreateDeposit): string {
  const { _locale: locale, _offer: offer } = host
  return [offer.shop?.name, money(amount, currency, locale)].filter(Boolean).join(' · ')
}

/**
 * Retries until there is a clear answer. The idempotency key makes it the same purchase however
 * often it is sent, so a lost answer never leads back to a form that could start a second one.
 */
export async function settle(checkout: Checkout, key: string, body?: CreateDeposit, tab?: OpenedTab): Promise<void> {
  checkout._stop()
  checkout._apply(actions.settle)
  const { run, kept } = checkout.state
  const request: Request = { checkout, key, body, tab, run, kept, replaced: readKept(kept).id }
  let fault: CheckoutError | undefined
  let sentAt = 0
  let missing = 0
  for (let tries = 0; ; tries++) {
    const attempt = (): Attempt => {
      const since = body ? sentAt : Date.parse(readKept(kept).createdAt || '')
      return { key, isResumed: !body, tries, code: fault?.code, ageMs: Date.now() - since, missing }
    }
    const shared = readKept(kept, true)
    const isSent = body !== undefined && maySend(attempt(), shared)
    if (isSent) {
      sentAt = Date.now()
      // Stored before each request, so that the time is that of the last one. What it replaces is
      // stored with it: if the request is refused, that payment may still be paid.
      writeKept(kept, { id: shared.id, token: shared.token, key })
    }
    const client = paymentClient(checkout.client)
    const asked = isSent ? client.create(body, key) : client.recover(key)
    const answer = await asked.catch((error: CheckoutError) => error)
    if (isDropped(request)) return
    if (!(answer instanceof Error)) {
      await showCreated(answer, request, tries)
      return
    }
    fault = answer
    const meaning = meaningOf(isSent ? (tries ? 'repeat' : 'create') : 'recover', fault.code)
    if (isRefused(attempt(), isSent, meaning, shared)) {
      refused(request, fault)
      return
    }
    if (meaning === 'none') missing++
    stillUnclear(request, fault, meaning)
    // A firewall's refusal without CORS headers looks like a lost network; but then other
    // requests are answered.
    const isQuick = isSent && tries === PROBE_AFTER && Date.now() - sentAt < QUICK_MS
    if (isQuick && fault.code !== 'blocked') probe(request)
    await Promise.race([
      pause((fault.retryAfter || Math.min(15, 2 ** tries)) * 1000),
      new Promise<void>((resolve) => (checkout.hurry = resolve)),
    ])
    if (isDropped(request)) return
  }
}

/** Whether another order or payment is shown by now: the tab would wait for ever. */
function isDropped({ checkout, run, tab }: Request): boolean {
  const isOver = run !== checkout.state.run
  if (isOver) tab?.close()
  return isOver
}

async function showCreated(created: Created, request: Request, tries: number): Promise<void> {
  const { checkout, key, body, tab, run, kept, replaced } = request
  const { token, ...deposit } = created
  const { id, createdAt } = deposit
  // The page may call `reset()` or `paymentLink()` when it hears of this.
  secretsOf(checkout).token = token
  checkout._set({ id })
  if (mayStore(key, replaced, readKept(kept))) writeKept(kept, { id, token, createdAt })
  let now: Deposit | undefined = deposit
  if (body) {
    checkout._host.dispatchEvent(new DepositCreatedEvent(deposit))
    // A repeated answer is the first one again: get the current state, so that an ended payment
    // is not opened.
    if (tries)
      now = await paymentClient(checkout.client)
        .get(id, token)
        .catch(() => undefined)
    if (isDropped(request)) return
    if (now) go(checkout, now, tab)
    else tab?.close()
  }
  if (run !== checkout.state.run) return
  checkout._follow(id, token, !body)
  void hear(checkout, now || deposit, !body)
}

/** No payment was made. */
function refused({ checkout, key, body, tab, kept }: Request, fault: CheckoutError): void {
  tab?.close()
  const stored = readKept(kept)
  const { id, token } = stored
  // What it was to replace is stored as before.
  if (stored.key === key) writeKept(kept, id ? { id, token } : undefined)
  if (givesWay(key, !body, stored)) {
    // Another tab is creating one.
    if (stored.key && stored.key !== key) checkout._apply(actions.refused)
    checkout.connect(true)
  } else {
    checkout._apply(actions.refused)
    void checkout.refuse(fault)
  }
}

/**
 * Whether there is a payment is not known yet: the customer is told, and the request is repeated.
 */
function stillUnclear({ checkout, tab }: Request, fault: CheckoutError, meaning: Meaning): void {
  // "None" after a reload: the companion has answered, so the network is not to blame.
  if (meaning !== 'none') checkout._apply(actions.sendAgain)
  if (fault.code === 'blocked') {
    // Said in the card, which the empty tab would hide.
    tab?.close()
    checkout._doubt(fault)
  } else tab?.say(checkout._host._words.errNetwork)
}

/** Asks for something else: if that is answered, something in between refuses the create. */
function probe(request: Request): void {
  const { checkout } = request
  const isAnswered = (): void => {
    if (isDropped(request) || checkout.state.screen.step !== 'submitting') return
    request.tab?.close()
    const why =
      `The create fails at once while other requests to ${checkout._host.companion} are answered: ` +
      'a firewall or proxy may refuse it.'
    checkout._doubt(new CheckoutError('blocked', why))
  }
  void checkout.client.markets().then(isAnswered, () => {})
}

/**
 * Sends the customer to the hosted page: in the opened tab, or in this one if none could be
 * opened.
 */
function go(checkout: Checkout, deposit: Deposit, tab: OpenedTab | undefined): void {
  const { presentation, isConnected } = checkout._host
  const { checkoutUrl } = linksOf(deposit.id)
  if (!isSafeUrl(checkoutUrl, deposit.mode)) {
    tab?.close()
    return
  }
  if (tab?.go(checkoutUrl)) opened(checkout, deposit)
  // If the tab was refused, go on in this one. If the customer closed it, they want to stay: a
  // link is shown. So they do if the page has taken the element out: they may be elsewhere in the
  // shop by now.
  else if (!tab && presentation !== 'tab' && isConnected) {
    opened(checkout, deposit)
    location.assign(checkoutUrl)
  }
}

function opened(checkout: Checkout, deposit: Deposit): void {
  checkout._set({ opened: { id: deposit.id, isLeft: false } })
  checkout._host.dispatchEvent(new CheckoutOpenedEvent(deposit))
}

/** The customer opened the hosted page by the link: the same deposit, never a second one. */
export function reopenPage(checkout: Checkout): void {
  const deposit = depositOf(checkout.state)
  if (deposit) opened(checkout, deposit)
}
