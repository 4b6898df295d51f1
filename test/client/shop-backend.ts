// A shop's backend with the client package, beside companion and sandbox in one process. The clock
// starts at the machine's, by which the package looks at the age of a notice.
import { type Client, type ClientOptions, createClient } from '../../server/client/index.ts'
import {
  COMPANION_URL,
  createTestSystem,
  keys,
  pay,
  SAME_MACHINE,
  SHOP_URL,
  type TestSystem,
  type TestSystemOptions,
} from '../helpers/create-test-system.ts'

export interface ShopBackend {
  readonly system: TestSystem
  readonly client: Client
  /** What the client has sent, in order. */
  readonly sent: readonly Request[]
  /**
   * A customer pays the order of a session; `outcome` is a phone number's end in the sandbox.
   * Returns the payment's id.
   */
  pay(session: string, outcome?: string): Promise<string>
}

export interface ShopOptions extends TestSystemOptions {
  readonly client?: Partial<ClientOptions>
  /** Stands between client and companion. */
  readonly between?: (request: Request, next: () => Promise<Response>) => Promise<Response>
  /** Takes the notices in the shop's place. */
  readonly receive?: (request: Request) => Promise<Response>
}

export async function shopBackend({ client, between, receive, ...options }: ShopOptions = {}): Promise<ShopBackend> {
  const system = await createTestSystem({
    start: Date.now(),
    network: async (request, next) =>
      receive !== undefined && request.url.startsWith(SHOP_URL) ? receive(request) : next(),
    ...options,
  })
  const sent: Request[] = []
  const toCompanion: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    sent.push(request.clone())
    const next = async () => system.companion.app.request(request, {}, SAME_MACHINE)
    return between === undefined ? next() : between(request, next)
  }
  return {
    system,
    sent,
    client: createClient({ url: COMPANION_URL, key: keys.merchantKey, fetch: toCompanion, ...client }),
    async pay(session, outcome = '01') {
      const payer = { name: 'Achieng Otieno', phone: `2547000000${outcome}` }
      const response = await pay(system, { session, payer })
      if (response.status !== 201) throw new Error(`The payment was answered ${response.status}.`)
      return ((await response.json()) as { id: string }).id
    },
  }
}

export const order = (orderId: string, amount = 2500) =>
  ({ amount, currency: 'KES', orderId, description: 'Solar lamp' }) as const
