// The open amount: light credit, a part of the school fees, a gift card. The customer chooses what
// to pay, and the page names the purchase.
import { demo, go } from './demo.ts'
import { remember, remembered } from './memory.ts'

/**
 * Each purchase has a word of its own, so that the last one, paid, is not shown for the next. A
 * reload keeps the word.
 */
export function startTopUp(): void {
  const { shop } = demo.address
  if (isToppedUp()) {
    remember(`top-up-${shop}`, String(turn() + 1))
    remember(`topped-up-${shop}`, '')
  }
  go({ view: 'top-up' })
}

const turn = (): number => Number(remembered(`top-up-${demo.address.shop}`) ?? 1)

export function topUpReference(customer: string): string {
  return `${demo.address.shop}-${customer}-${turn()}`
}

/** Keeps what was paid, to be said again after a reload. */
export function topUpPaid(sum: string): void {
  remember(`topped-up-${demo.address.shop}`, sum)
}

export function isToppedUp(): boolean {
  return paidTopUp() !== ''
}

/** The sum, or nothing while it is not paid. */
export function paidTopUp(): string {
  return remembered(`topped-up-${demo.address.shop}`) ?? ''
}
