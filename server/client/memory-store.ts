// A store for tests and the first try: it forgets everything when the process ends.
import type { NoticeStore, Settled } from './take-notice.ts'

interface Memory {
  payments: ReadonlyMap<string, { readonly version: number; readonly settled: Settled | undefined }>
  orders: ReadonlyMap<string, string>
}

/** Never in production: after a restart the same notice would be credited again. */
export function memoryNoticeStore(): NoticeStore<undefined> {
  let memory: Memory = { payments: new Map(), orders: new Map() }
  let last: Promise<void> = Promise.resolve()

  async function transaction(work: Parameters<NoticeStore<undefined>['transaction']>[0]): Promise<void> {
    const payments = new Map(memory.payments)
    const orders = new Map(memory.orders)
    const rows = {
      hear(paymentId: string, version: number) {
        const known = payments.get(paymentId)
        const isNews = version > (known?.version ?? -Infinity)
        if (isNews) payments.set(paymentId, { version, settled: known?.settled })
        return { isNews, settled: known?.settled }
      },
      claim(orderId: string, paymentId: string) {
        const owner = orders.get(orderId) ?? paymentId
        orders.set(orderId, owner)
        return owner
      },
      claimedBy: (orderId: string) => orders.get(orderId),
      settle(paymentId: string, settled: Settled) {
        payments.set(paymentId, { version: payments.get(paymentId)?.version ?? 0, settled })
      },
    }
    await work(rows, undefined)
    memory = { payments, orders }
  }

  return {
    // One after the other, whether or not the one before has failed.
    transaction: (work) => (last = last.catch(() => {}).then(() => transaction(work))),
  }
}
