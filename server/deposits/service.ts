// Creating a deposit, the narrow waist of the way out: check, row, call, answer. DESIGN.md money rules 1, 5, 6, 10.
import type { CreatedDeposit, CreateDeposit, DepositView, ProblemIssue } from '../contract/index.ts'
import { CompanionError } from '../errors.ts'
import type { Settings } from '../settings.ts'
import type { Change, IdempotencyRow } from '../store/store.ts'
import type { CreateOutcome, Upstream } from '../upstream/upstream.ts'
import type { BankLists } from './banks.ts'
import type { Budget } from './budget.ts'
import type { Input } from './decision.ts'
import type { Deposit, PayerDetails, Session } from './deposit.ts'
import { isLive } from './deposit.ts'
import type { Capabilities } from './identity.ts'
import { newId, newReference, sha256 } from './identity.ts'
import { countries, normalisePhone } from './markets.ts'
import type { Mover } from './mover.ts'
import type { Tools } from './ports.ts'
import type { Reconciler } from './reconcile.ts'
import { CREATE_SETTLES_AFTER_MS } from './schedule.ts'
import type { Sessions } from './sessions.ts'
import { toView } from './view.ts'

/** SERVICE.txt "Limits": the checkout session lives this long without a locked order. */
const CHECKOUT_LIFE_MS = 15 * 60_000
/** Money rule 1: certainly not processed may be sent again, same reference, within this. */
const SEND_AGAIN_WITHIN_MS = 20_000
/** How long a repeat waits for the first request of its key on another instance before it answers 409. */
const FIRST_ANSWER_WITHIN_MS = 5_000
/** A market that the service refused is tried again after this. */
const MARKET_OFF_MS = 60_000

export interface DepositService {
  create(body: CreateDeposit, idempotencyKey: string): Promise<CreatedDeposit>
  /** The answer that was lost: what the key's first request made. Throws `not_found` when it made nothing. */
  recover(idempotencyKey: string): Promise<CreatedDeposit>
  /** The deposit whose token this is; throws `not_found` for any other, so that ids tell nothing. */
  open(id: string, token: string): Promise<Deposit>
  view(deposit: Deposit): DepositView
  isMarketOff(currency: string): boolean
}

export function createDepositService(
  tools: Tools,
  parts: {
    readonly settings: Settings
    readonly capabilities: Capabilities
    readonly sessions: Sessions
    readonly banks: BankLists
    readonly upstream: Upstream
    readonly budget: Budget
    readonly mover: Mover
    readonly reconciler: Reconciler
  },
): DepositService {
  const { store, now, random, alarm, background, count, sleep } = tools
  const { settings, capabilities, sessions, banks, upstream, budget, mover, reconciler } = parts
  const flights = new Map<string, { readonly fingerprint: string; readonly answer: Promise<CreatedDeposit> }>()
  const marketOffUntil = new Map<string, number>()

  const payUrl = (deposit: Deposit) =>
    `${settings.publicUrl}/pay/${capabilities.link({ kind: 'deposit', id: deposit.id }, deposit.generation)}`
  const view = (deposit: Deposit) => toView(deposit, payUrl(deposit))
  const isMarketOff = (currency: string) => (marketOffUntil.get(currency) ?? 0) > now()

  function withToken(shown: DepositView, generation: number): CreatedDeposit {
    return { ...shown, token: capabilities.depositToken(shown.id, generation) }
  }
  /** The stored answer holds no token: that is derived anew (DESIGN.md "References"). */
  const answerOf = (deposit: Deposit) => JSON.stringify({ view: view(deposit), generation: deposit.generation })
  function readAnswer(answer: string): CreatedDeposit {
    const { view: shown, generation } = JSON.parse(answer) as { view: DepositView; generation: number }
    return withToken(shown, generation)
  }

  async function checked(
    body: CreateDeposit,
  ): Promise<{ session?: Session; payer: PayerDetails & { name: string }; bankName?: string }> {
    const [, currency] = countries[body.country]
    const walletNo = settings.wallets[currency]
    if (walletNo === undefined)
      throw fault('country_not_offered', 'country', 'This shop does not take payments from this country.')
    if (body.currency !== currency)
      throw fault('currency_mismatch', 'currency', `The currency of this country is ${currency}.`)
    if (settings.mode === 'sessions' && body.session === undefined)
      throw new CompanionError('session_required', { detail: 'Ask the shop for a payment link.' })
    const session = body.session === undefined ? undefined : await sessions.byToken(body.session)
    if (session !== undefined) {
      if (body.amount !== session.amount)
        throw fault('session_conflict', 'amount', `This payment is for ${session.amount} ${session.currency}.`)
      if (body.currency !== session.currency)
        throw fault('session_conflict', 'currency', `This payment is in ${session.currency}.`)
      if (session.country !== undefined && body.country !== session.country)
        throw fault('session_conflict', 'country', `This payment is for ${countries[session.country][0]}.`)
    }
    const { min, max } = settings.limits[currency]
    if (body.amount < min || body.amount > max) {
      throw fault('amount_out_of_range', 'amount', `The amount must be from ${min} to ${max} ${currency}.`, {
        minimum: min,
        maximum: max,
      })
    }
    const name = session?.payer?.name ?? body.payer?.name
    if (name === undefined) throw fault('invalid_request', 'payer.name', 'The name of the payer is missing.')
    if (Array.from(name).length > settings.maxName)
      throw fault('invalid_request', 'payer.name', `The name may have ${settings.maxName} characters.`)
    const phone = session?.payer?.phone ?? body.payer?.phone
    const email = session?.payer?.email ?? body.payer?.email
    const payer = {
      name,
      ...(phone === undefined ? {} : { phone: normalisePhone(phone, body.country) }),
      ...(email === undefined ? {} : { email }),
    }
    if (body.bankCode === undefined) return { ...(session === undefined ? {} : { session }), payer }
    const bank = await banks.find(body.country, body.bankCode)
    if (bank === 'in_no_list') throw fault('bank_unknown', 'bankCode', 'Choose a bank of the list.')
    return {
      ...(session === undefined ? {} : { session }),
      payer,
      ...(bank === 'no_list' ? {} : { bankName: bank.name }),
    }
  }

  function newDeposit(body: CreateDeposit, known: Awaited<ReturnType<typeof checked>>): Deposit {
    const { session, payer, bankName } = known
    const createdAt = now()
    const description = (session?.description ?? settings.description).slice(0, settings.maxDescription)
    return {
      id: newId('dep', random, createdAt),
      reference: newReference(settings.paymentMode, random),
      mode: settings.paymentMode,
      phase: 'creating',
      version: 1,
      generation: 1,
      amount: body.amount,
      currency: body.currency,
      country: body.country,
      walletNo: settings.wallets[body.currency] ?? '',
      ...(body.bankCode === undefined ? {} : { bankCode: body.bankCode }),
      ...(bankName === undefined ? {} : { bankName }),
      payer,
      description,
      ...(session === undefined ? {} : { sessionId: session.id, orderId: session.orderId }),
      ...(body.clientReference === undefined ? {} : { clientReference: body.clientReference }),
      metadata: session?.metadata ?? {},
      ...(body.locale === undefined ? {} : { locale: body.locale }),
      createdAt,
      updatedAt: createdAt,
      expiresAt: createdAt + CHECKOUT_LIFE_MS,
      overdue: false,
      late: false,
      duplicate: false,
      asks: 0,
      dueAt: createdAt + CREATE_SETTLES_AFTER_MS,
    }
  }

  /** The earlier attempt, when the customer says that no money was sent for it (money rule 5). */
  async function replaced(body: CreateDeposit, session: Session | undefined): Promise<Deposit | undefined> {
    if (body.replaces === undefined) return undefined
    const old = await store.deposit(body.replaces)
    if (old === undefined || old.sessionId !== session?.id)
      throw fault('replaces_invalid', 'replaces', 'There is no such earlier payment.')
    if (old.phase === 'succeeded') throw fault('replaces_invalid', 'replaces', 'The earlier payment has succeeded.')
    if (!isLive(old.phase)) return undefined
    if (old.phase !== 'open' && old.phase !== 'unknown') {
      throw fault('replaces_invalid', 'replaces', 'The earlier payment is being confirmed. Wait for its result.')
    }
    return old
  }

  async function send(deposit: Deposit): Promise<CreateOutcome> {
    const started = now()
    const payer = deposit.payer ?? {}
    for (let attempt = 0; ; attempt++) {
      const allowed = await budget.take('create')
      const outcome: CreateOutcome = allowed
        ? await upstream.create({
            reference: deposit.reference,
            walletNo: deposit.walletNo,
            amount: deposit.amount,
            currency: deposit.currency,
            description: deposit.description,
            payerName: payer.name ?? '',
            ...(payer.phone === undefined ? {} : { payerPhone: payer.phone }),
            ...(payer.email === undefined ? {} : { payerEmail: payer.email }),
            resultUrl: `${settings.publicUrl}/v1/webhook/${capabilities.webhookKey(deposit.reference)}`,
          })
        : { kind: 'not_processed', reason: 'upstream_budget', retryAfterMs: 1_000 }
      if (outcome.kind !== 'not_processed') return outcome
      const wait = Math.max(outcome.retryAfterMs ?? 0, 500 * 2 ** attempt)
      if (now() - started + wait > SEND_AGAIN_WITHIN_MS || upstream.isDown()) return outcome
      await sleep(wait)
    }
  }

  function inputOf(outcome: CreateOutcome, deposit: Deposit): Input {
    switch (outcome.kind) {
      case 'created':
        return {
          kind: 'created',
          transactionId: outcome.transactionId,
          checkoutUrl: outcome.checkoutUrl,
          urlAllowed: isCheckoutUrl(outcome.checkoutUrl),
        }
      case 'refused':
        if (outcome.code === 'duplicate_reference')
          return { kind: 'create-unknown', reason: 'The service knows the reference already.' }
        if (outcome.code === 'market_off') {
          marketOffUntil.set(deposit.currency, now() + MARKET_OFF_MS)
          alarm('market_off', `${deposit.currency}: ${outcome.message}`)
        } else alarm(outcome.code === 'address_not_allowed' ? 'address_not_allowed' : 'create_refused', outcome.message)
        return { kind: 'create-refused', code: outcome.code, message: outcome.message }
      case 'not_processed':
        return { kind: 'create-not-processed' }
      case 'unknown':
        return { kind: 'create-unknown', reason: outcome.reason }
    }
  }

  function isCheckoutUrl(text: string): boolean {
    if (!URL.canParse(text)) return false
    const url = new URL(text)
    return url.username === '' && url.password === '' && settings.checkoutOrigins.includes(url.origin)
  }

  async function answerLive(live: Deposit, row: IdempotencyRow): Promise<CreatedDeposit> {
    await store.apply({ idempotency: { ...row, depositId: live.id, answer: answerOf(live) } })
    return withToken(view(live), live.generation)
  }

  async function first(body: CreateDeposit, row: Omit<IdempotencyRow, 'depositId'>): Promise<CreatedDeposit | 'again'> {
    const known = await checked(body)
    const { session } = known
    const old = await replaced(body, session)
    if (session !== undefined) {
      const paid = await store.creditedDeposit(session.id)
      if (paid !== undefined)
        throw new CompanionError('session_paid', { detail: 'This order is paid already. Nothing more is to be done.' })
      const live = await store.liveDeposit(session.id)
      if (live !== undefined && live.id !== old?.id) return answerLive(live, { ...row, depositId: live.id })
      if (session.expiresAt <= now())
        throw new CompanionError('session_expired', { detail: 'Ask the shop for a new payment link.' })
    }
    if (isMarketOff(body.currency))
      throw new CompanionError('market_off', {
        detail:
          'The shop cannot take payments in this currency just now. Try again later or choose another way to pay.',
        retryAfter: 60,
      })
    if (upstream.isDown())
      throw new CompanionError('upstream_unavailable', {
        detail: 'The payment service cannot be reached just now. Nothing was charged. Try again in a moment.',
        retryAfter: 10,
      })
    if (old !== undefined) {
      const given = await mover.move(old, { kind: 'replaced' })
      if (isLive(given.phase))
        throw fault('replaces_invalid', 'replaces', 'The earlier payment is being confirmed. Wait for its result.')
      if (given.phase === 'succeeded') throw fault('replaces_invalid', 'replaces', 'The earlier payment has succeeded.')
    }
    const deposit = newDeposit(body, known)
    const change: Change = {
      deposits: [{ row: deposit, expect: 'new' }],
      timeline: [{ depositId: deposit.id, at: deposit.createdAt, kind: 'started', phase: 'creating', version: 1 }],
      idempotency: { ...row, depositId: deposit.id },
    }
    const written = await store.apply(change)
    if (!written.applied) {
      if (written.conflict === 'idempotency' || written.conflict === 'live') return 'again'
      throw new CompanionError('internal_error', { detail: `A new deposit met the conflict ${written.conflict}.` })
    }
    const outcome = await send(deposit)
    count('upstream_calls', { call: 'create', outcome: outcome.kind })
    count('deposits_created', { currency: deposit.currency, outcome: outcome.kind })
    const moved = await mover.move(deposit, inputOf(outcome, deposit), {
      answer: { keyHash: row.keyHash, of: answerOf },
    })
    if (moved.phase === 'unknown') background(() => reconciler.ask(moved, 'confirm'))
    return withToken(view(moved), moved.generation)
  }

  async function repeat(row: IdempotencyRow): Promise<CreatedDeposit> {
    const until = now() + FIRST_ANSWER_WITHIN_MS
    for (let present: IdempotencyRow = row; ;) {
      if (present.answer !== undefined) return readAnswer(present.answer)
      const deposit = await store.deposit(present.depositId)
      // The first request died with its process: its outcome is being settled by query; this is where it stands.
      if (deposit !== undefined && now() - deposit.createdAt > CREATE_SETTLES_AFTER_MS)
        return withToken(view(deposit), deposit.generation)
      if (now() >= until) break
      await sleep(250)
      present = (await store.idempotency(row.keyHash)) ?? present
    }
    throw new CompanionError('idempotency_key_in_progress', {
      detail: 'The first request is still running. Ask again with the same key.',
      retryAfter: 2,
    })
  }

  async function createOnce(body: CreateDeposit, keyHash: string, fingerprint: string): Promise<CreatedDeposit> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const known = await store.idempotency(keyHash)
      if (known !== undefined) {
        if (known.fingerprint !== fingerprint) throw reused()
        return repeat(known)
      }
      const answer = await first(body, { keyHash, fingerprint, createdAt: now() })
      if (answer !== 'again') return answer
    }
    throw new CompanionError('store_unavailable', {
      detail: 'Too many requests at once; ask again with the same key.',
      retryAfter: 1,
    })
  }

  return {
    async create(body, idempotencyKey) {
      const keyHash = sha256(idempotencyKey)
      const fingerprint = sha256(canonical(body))
      const running = flights.get(keyHash)
      if (running !== undefined) {
        if (running.fingerprint !== fingerprint) throw reused()
        return running.answer
      }
      const answer = createOnce(body, keyHash, fingerprint).finally(() => flights.delete(keyHash))
      flights.set(keyHash, { fingerprint, answer })
      return answer
    },

    async recover(idempotencyKey) {
      const keyHash = sha256(idempotencyKey)
      const running = flights.get(keyHash)
      if (running !== undefined) return running.answer
      const row = await store.idempotency(keyHash)
      const deposit = row === undefined ? undefined : await store.deposit(row.depositId)
      if (deposit === undefined) throw new CompanionError('not_found', { detail: 'Nothing was started with this key.' })
      return withToken(view(deposit), deposit.generation)
    },

    async open(id, token) {
      const deposit = await store.deposit(id)
      if (deposit === undefined || !capabilities.isDepositToken(token, deposit.id, deposit.generation)) {
        throw new CompanionError('not_found', { detail: 'There is no such payment, or the token is not its own.' })
      }
      return deposit
    },

    view,
    isMarketOff,
  }
}

function reused(): CompanionError {
  return new CompanionError('idempotency_key_reused', { detail: 'Use a new Idempotency-Key for a new payment.' })
}

function fault(
  code:
    | 'invalid_request'
    | 'country_not_offered'
    | 'currency_mismatch'
    | 'session_conflict'
    | 'amount_out_of_range'
    | 'bank_unknown'
    | 'replaces_invalid',
  path: string,
  message: string,
  range: Pick<ProblemIssue, 'minimum' | 'maximum'> = {},
): CompanionError {
  return new CompanionError(code, { detail: message, issues: [{ path, code, message, ...range }] })
}

/** JSON with sorted keys, so that the order of a body's fields makes no other fingerprint. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
