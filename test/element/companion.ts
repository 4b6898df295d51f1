// A fake companion for element tests: tests set the answer of each endpoint and see the requests.
import type { CreatedDeposit, DepositView } from '../../server/contract/index.ts'
import { sampleBanks, sampleMarkets, samplePayment } from '../helpers/sample-payment.ts'

export type Doors = Readonly<Record<string, (init: RequestInit) => unknown>>

export const view = (over: Partial<DepositView> = {}): DepositView => ({ ...samplePayment, ...over })

export const created = (over: Partial<DepositView> = {}): CreatedDeposit => ({ ...view(over), token: 'tok_1' })

/** A session as the widget sees it: the country and all of the payer are asked. */
export const lamp = { amount: 2500, currency: 'KES', orderId: '7', description: 'Lamp', payer: {}, expiresAt: '' }

/** For `waitUntil`: a machine that does everything at once is slow, not wrong. */
export const slow = { timeout: 30_000 }

export interface Asked {
  readonly door: string
  readonly headers: Headers
  readonly body: unknown
}

const usual: Doors = { 'GET /v1/markets': () => sampleMarkets, 'GET /v1/banks': () => sampleBanks }
const own = window.fetch

/**
 * Puts the answers in the network's place until `close()`; a door not named answers 404, but a
 * status stream stays open and silent.
 */
export function companion(doors: Doors = {}): { asked: Asked[]; close: () => void } {
  const asked: Asked[] = []
  window.fetch = async (input, init = {}) => {
    const { pathname, origin } = new URL(input instanceof Request ? input.url : input, location.href)
    if (origin === location.origin) return own(input, init)
    const door = `${init.method ?? 'GET'} ${pathname}`
    asked.push({
      door,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' && init.body !== '' ? JSON.parse(init.body) : undefined,
    })
    const answer = { ...usual, ...doors }[door]
    if (!answer && pathname.endsWith('/events')) return new Response(new ReadableStream())
    // No token opens a payment that the test does not know.
    if (!answer) return pathname.startsWith('/v1/deposits/') ? problem(401, 'bearer_wrong') : problem(404, 'not_found')
    const value = await answer(init)
    return value instanceof Response
      ? value
      : new Response(JSON.stringify(value), { status: init.method === 'POST' ? 201 : 200 })
  }
  return {
    asked,
    close: () => {
      window.fetch = own
      localStorage.clear()
      clearHistory()
    },
  }
}

/**
 * WebKit refuses more than 100 changes in ten seconds, those of the card included: then a new entry
 * of the history is taken.
 */
function clearHistory(): void {
  if (history.state === null) return
  try {
    history.replaceState(null, '')
  } catch {
    location.hash = `t${performance.now()}`
  }
}

/** An answer that comes when it is told to. */
export function later<T>(answer: () => T): { come: () => void; answer: () => Promise<T> } {
  let come = (): void => {}
  const waiting = new Promise<void>((resolve) => (come = resolve))
  return { come: () => come(), answer: () => waiting.then(answer) }
}

export const problem = (status: number, code: string, path?: string, retryAfter?: number): Response =>
  new Response(
    JSON.stringify({
      type: `/problems/${code}`,
      title: code,
      status,
      detail: `The companion says ${code}.`,
      code,
      retryAfter,
      ...(path ? { issues: [{ path, code, message: 'Not good.' }] } : {}),
    }),
    { status },
  )
