// What a shop's backend in TypeScript writes; compiled against the published client, with every
// declaration checked.
import { createClient, createNoticeReceiver, memoryNoticeStore, type Client, type Notice } from 'hc-checkout-client'

export const hc: Client = createClient({ url: 'https://pay.shop.example', key: undefined as string | undefined })

export async function open(orderId: string): Promise<string> {
  const { token } = await hc.sessions.create({ amount: 2300, currency: 'KES', orderId, description: 'Nuru Lantern' })
  return token
}

// @ts-expect-error: no such currency
export const euros = (): unknown => hc.sessions.create({ amount: 1, currency: 'EUR', orderId: 'A', description: 'x' })

export const receiver = createNoticeReceiver({
  secret: undefined as string | undefined,
  mode: 'live',
  store: memoryNoticeStore(),
  expects: ({ orderId }) => (orderId === 'A' ? { amount: 2300, currency: 'KES' } : undefined),
  onPaid: (payment: Notice['data']) => payment.paymentId,
  onUncredited: async (_payment, why) => Promise.resolve(why satisfies string),
})
