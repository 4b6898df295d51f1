// A companion made of answers: element tests say what each door answers, and see what was asked.
import type { CreatedDeposit, DepositView } from '../../server/contract/index.ts'

export type Doors = Readonly<Record<string, (init: RequestInit) => unknown>>

export const view = (over: Partial<DepositView> = {}): DepositView => ({
  id: 'dep_1', reference: 'HCT0123456789ABCDEFGHJK', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES',
  country: 'KE', payer: { name: 'A••• O•••' }, payUrl: 'https://pay.example/pay/abc', checkoutUrl: 'https://hosted.example/c/1',
  expiresAt: '2030-01-01T11:32:00Z', createdAt: '2030-01-01T11:17:00Z', description: 'Order 7', version: 2, ...over,
}) // prettier-ignore

export const created = (over: Partial<DepositView> = {}): CreatedDeposit => ({ ...view(over), token: 'tok_1' })

const markets = {
  mode: 'test',
  markets: [
    {
      country: 'KE',
      name: 'Kenya',
      currency: 'KES',
      callingCode: '+254',
      min: 10,
      max: 150_000,
      quickAmounts: [500, 1000, 2500, 5000],
    },
    {
      country: 'SN',
      name: 'Senegal',
      currency: 'XOF',
      callingCode: '+221',
      min: 100,
      max: 2_000_000,
      quickAmounts: [2000, 5000],
    },
  ],
}
const banks = {
  country: 'KE',
  currency: 'KES',
  banks: [
    { name: 'Kenya Commercial Bank Limited', code: '01' },
    { name: 'Équité Bank', code: '68' },
    { name: 'UBA Kenya Bank Ltd', code: '76' },
  ],
}

export interface Asked {
  readonly door: string
  readonly headers: Headers
  readonly body: unknown
}

const usual: Doors = { 'GET /v1/markets': () => markets, 'GET /v1/banks': () => banks }
const own = window.fetch

/** Puts the answers in the network's place until `close()`; a door not named answers 404. A status stream stays open and silent. */
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
    if (pathname.endsWith('/events')) return new Response(new ReadableStream())
    const answer = { ...usual, ...doors }[door]
    if (!answer)
      return new Response('{"code":"not_found","title":"","detail":"","status":404,"type":"about:blank"}', {
        status: 404,
      })
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
    },
  }
}

export const problem = (status: number, code: string, path?: string): Response =>
  new Response(
    JSON.stringify({
      type: 'about:blank',
      title: code,
      status,
      detail: `The companion says ${code}.`,
      code,
      ...(path ? { issues: [{ path, code, message: 'Not good.' }] } : {}),
    }),
    { status },
  )
