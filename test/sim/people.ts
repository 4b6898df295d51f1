// The customers of a simulated world: they click twice, reload, lose patience, start again, pay on
// the old page after all, walk away. A customer knows only the companion's answers; what really
// happens is in the service's ledger.
import type { CreatedDeposit, DepositView } from '../../server/contract/index.ts'
import type { Chance } from './chance.ts'
import type { Checks } from './checks.ts'
import type { PaymentService } from './payment-service.ts'
import type { Answer, Network } from './network.ts'
import type { VirtualTime } from './virtual-time.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const SHOP_ORIGIN = 'https://shop.example'
export const MERCHANT_KEY = 'mk_canary_merchant_key_qzux7wvu'

export interface PeopleParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly network: Network
  readonly service: PaymentService
  readonly checks: Checks
  readonly trace: (line: string) => void
  /** True time before which all customers' actions end. */
  readonly busyMs: number
}

const wait = (time: VirtualTime, ms: number) => new Promise<void>((resolve) => time.after(ms, resolve))

/** One purchase, from the first click until the customer leaves. */
export async function buy(number: number, parts: PeopleParts): Promise<void> {
  const { time, chance, network, service, checks, trace, busyMs } = parts
  const amount = chance.between(10, 9_999)
  const name = `Qzux7wvu Customer ${chance.happens(0.2) ? '0' : number}${chance.happens(0.2) ? '0' : ''}`
  const payer = { name, phone: `2540998877${number}`, email: `qzux7wvu.${number}@mail.example` }
  const over = () => time.elapsed() > busyMs
  /** The answer of each key: a repeat must be identical. */
  const answers = new Map<string, string>()

  async function session(): Promise<string | undefined> {
    const body = JSON.stringify({
      amount,
      currency: 'KES',
      country: 'KE',
      orderId: `order-${number}`,
      description: 'Solar lamp',
    })
    for (let attempt = 0; attempt < 8; attempt++) {
      const headers = { authorization: `Bearer ${MERCHANT_KEY}`, 'content-type': 'application/json' }
      const onAnswer = ({ status, text }: Answer) =>
        void ((status === 201 || status === 200) && checks.onSessionAnswer((JSON.parse(text) as { id: string }).id))
      const answer = await network.send('backend', { method: 'POST', path: '/v1/sessions', headers, body, onAnswer })
      if (answer?.status === 201 || answer?.status === 200) return (JSON.parse(answer.text) as { token: string }).token
      await wait(time, 2 * SECOND)
    }
    return undefined
  }
  const token = chance.happens(0.6) ? await session() : undefined

  function post(key: string, replaces: string | undefined): Promise<Answer | undefined> {
    const body = JSON.stringify({
      country: 'KE', currency: 'KES', amount, payer, ...(token === undefined ? { clientReference: `cart-${number}` } : { session: token }),
      replaces, ...(number % 10 === 0 ? { bankCode: '01' } : {}),
    }) // prettier-ignore
    return network.send('browser', {
      method: 'POST',
      path: '/v1/deposits',
      headers: { origin: SHOP_ORIGIN, 'content-type': 'application/json', 'idempotency-key': key },
      body,
      onAnswer({ status, text }) {
        if (status !== 201) return
        const deposit = JSON.parse(text) as CreatedDeposit
        checks.onDepositAnswer(deposit.id, key)
        if (deposit.amount !== amount)
          checks.fail('money', `${deposit.reference} was made for ${deposit.amount} instead of ${amount}`)
        // If the first process died in its call, repeats return the current state; otherwise they
        // are identical.
        const first = answers.get(key)
        if (first === undefined) answers.set(key, deposit.id)
        else if (first !== deposit.id) checks.fail('one key, one payment', `${first} and ${deposit.id}`)
      },
    })
  }

  /**
   * One attempt: the same key through double clicks, lost answers and reloads, until there is a
   * definite answer.
   */
  async function attempt(replaces: string | undefined): Promise<CreatedDeposit | undefined> {
    // Every second one begins with a time, as the widget's do.
    const start = number % 2 === 0 ? 'key-of-a-purchase' : 1_764_284_000_000 + number
    const key = `${start}-${number}-${chance.below(1e9)}-${chance.below(1e9)}`
    for (let round = 0; round < 12; round++) {
      const clicks = chance.happens(0.2) ? [post(key, replaces), post(key, replaces)] : [post(key, replaces)]
      const got = (await Promise.all(clicks)).filter((answer) => answer !== undefined)
      const made = got.find(({ status }) => status === 201)
      if (made !== undefined) {
        if (chance.happens(0.15)) void post(key, replaces)
        return JSON.parse(made.text) as CreatedDeposit
      }
      if (got.some(({ status, text }) => status === 422 || status === 410 || text.includes('session_paid')))
        return undefined
      await wait(time, chance.between(1, 12) * SECOND)
    }
    return undefined
  }

  async function view(deposit: CreatedDeposit, check: boolean): Promise<DepositView | undefined> {
    const answer = await network.send('browser', {
      method: check ? 'POST' : 'GET',
      path: `/v1/deposits/${deposit.id}${check ? '/check' : ''}`,
      headers: { origin: SHOP_ORIGIN, authorization: `Bearer ${deposit.token}` },
    })
    if (answer?.status === 404 || answer?.status === 401)
      checks.fail('durable', `${deposit.reference} is not shown to who holds its token`)
    if (answer?.status !== 200) return undefined
    checks.noLeak('view', answer.text)
    return JSON.parse(answer.text) as DepositView
  }

  /** Actions of the customer on the hosted page, and of the agent. */
  function payAt(checkoutUrl: string): void {
    const mood = chance.unit()
    if (mood < 0.05) return
    if (mood < 0.1) return time.after(chance.between(5, 120) * SECOND, () => service.cancel(checkoutUrl))
    time.after(chance.between(3, chance.happens(0.1) ? 14 * 60 : 120) * SECOND, () => {
      if (!service.lock(checkoutUrl)) return
      if (mood < 0.15) time.after(chance.between(10, 600) * SECOND, () => service.decline(checkoutUrl))
      else if (mood < 0.19) {
        // The service gives up, then the agent hands in the money after all: a failure becomes a
        // success.
        time.after(chance.between(10, 600) * SECOND, () => service.decline(checkoutUrl))
        const transaction = service.byUrl(checkoutUrl)
        if (transaction !== undefined) transaction.restless += 1
        time.after(
          chance.happens(0.05)
            ? chance.between(5, 9) * 24 * HOUR
            : chance.happens(0.7)
              ? chance.between(11, 60) * MINUTE
              : chance.between(1, 6) * HOUR,
          () => {
            if (transaction !== undefined) transaction.restless -= 1
            service.confirm(checkoutUrl)
          },
        )
      } else {
        const transaction = service.byUrl(checkoutUrl)
        if (transaction !== undefined) transaction.restless += 1
        const patience =
          mood < 0.88
            ? chance.between(3, 60) * SECOND
            : mood < 0.996
              ? chance.between(1, chance.happens(0.3) ? 45 : 8) * MINUTE
              : chance.between(1, 24) * HOUR
        time.after(patience, () => {
          if (transaction !== undefined) transaction.restless -= 1
          service.confirm(checkoutUrl)
        })
      }
    })
  }

  let replaces: string | undefined
  for (let attempts = 0; attempts < 4 && !over(); attempts++) {
    const deposit = await attempt(replaces)
    replaces = undefined
    if (deposit === undefined) return
    trace(`customer ${number} has ${deposit.reference} (${deposit.phase})`)
    if (chance.happens(0.1)) network.watch(deposit.id, deposit.token)
    const known = new Set<string>()
    let shown: DepositView = deposit
    let version = deposit.version
    const looks = chance.between(1, 3)
    for (let look = 0; look < looks && !over(); look++) {
      const { checkoutUrl } = shown
      if (checkoutUrl !== undefined && !known.has(checkoutUrl)) {
        known.add(checkoutUrl)
        if (!checkoutUrl.startsWith('https://checkout.service.example/'))
          checks.fail('money', 'a customer was sent to a foreign address')
        payAt(checkoutUrl)
      }
      if (['succeeded', 'rejected', 'failed', 'expired', 'abandoned'].includes(shown.phase)) break
      await wait(time, chance.between(2, 180) * SECOND)
      const next = await view(deposit, chance.happens(0.3))
      if (next === undefined) continue
      if (next.version < version)
        checks.fail('monotone', `${next.reference} was shown as version ${version}, then ${next.version}`)
      version = next.version
      shown = next
    }
    if (shown.phase === 'succeeded') return
    if (['rejected', 'failed', 'expired', 'abandoned'].includes(shown.phase)) {
      if (chance.happens(0.5)) return
    } else {
      if (chance.happens(0.7)) return
      // "I have not sent money", whether true or not.
      replaces = chance.happens(0.8) ? deposit.id : undefined
    }
  }
}
