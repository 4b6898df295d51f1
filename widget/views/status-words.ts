// What the card says of a payment after the click, as text: for eyes and for screen readers.
import { isTold } from '../base/answers.ts'
import { clock } from '../base/clock.ts'
import type { CheckoutError } from '../base/checkout-error.ts'
import type { CheckoutState, Screen } from '../base/checkout-state.ts'
import { fill, sum } from '../base/format.ts'
import type { Deposit } from '../base/types.ts'
import type { CardTexts, Rare } from '../locales/texts.ts'
import type { BlockedProps } from './blocked.ts'

/** The rare texts, and what shows them once it has come. */
export interface RareLooks extends Rare {
  readonly parts: typeof import('./rare-parts.ts') | undefined
}

export interface StatusProps extends BlockedProps {
  readonly state: CheckoutState
  readonly locale: string
  /** Once they are loaded. */
  readonly rare: RareLooks | undefined
  /** The payer's first name, while this page remembers it. */
  readonly firstName: string
  /** Where the customer goes on after success, if the page has said so. */
  readonly returnUrl: string
  /** The heading takes the focus, and is read for that. */
  readonly _takesFocus: boolean
  readonly _hasSession: boolean
  readonly _onCheck: () => void
  /** The customer has opened the hosted page by the link. */
  readonly _onOpened: () => void
  /** The customer has not sent money, and wants to try again. */
  readonly _onNotSent: () => void
  /** The customer wants to try again after the end. */
  readonly _onAgain: () => void
  readonly _onForget: () => void
  /** Opens share, help or receipt, by the button's value. */
  readonly _onExtra: (event: Event) => void
}

const codeOf = ({ result }: Deposit): string => result?.code || ''

export const valuesOf = ({ locale, shop, firstName }: StatusProps, deposit: Deposit): Record<string, string> => ({
  amount: sum(deposit.amount, deposit.currency, locale),
  shop: shop?.name || '',
  name: firstName,
  email: deposit.payer.email || '',
})

/**
 * Title and text of each step. If a rare text is not loaded, a more general one is used, and also
 * for a phase that only a newer companion knows: its status says whether money has arrived.
 */
export function words(props: StatusProps, deposit: Deposit): readonly [title: string, text: string] {
  const { texts: t, state, rare, shop } = props
  const { phase, status } = deposit
  const { screen, opened, handed } = state
  const resumed = 'resumed' in screen && screen.resumed
  if (status === 'SUCCESS')
    return deposit.duplicate
      ? [t.duplicateTitle, t.duplicateText || t.successText]
      : [props.firstName ? t.thanksName : t.thanks, t.successText]
  switch (phase) {
    case 'confirming':
      return [t.confirmingTitle, t.confirmingText]
    case 'review':
      return [t.reviewTitle || t.unknownTitle, t.reviewText || t.overdueText]
    case 'open':
      if (deposit.overdue) return [t.overdueTitle, t.overdueText]
      if (opened?.id === deposit.id) return opened.isLeft ? [t.openedTitle, t.resumedText] : [t.openTitle, t.openText]
      if (handed === deposit.id) return [shop?.name ? t.payTo : t.payAmount, t.handedText]
      return resumed ? [t.openedTitle, t.resumedText] : [t.pay, t.openText]
    default: {
      const givenUp = phase === 'abandoned'
      if (status === 'PENDING' && !givenUp) return [t.unknownTitle, t.unknownText || '']
      const code = phase === 'expired' ? '1037' : codeOf(deposit)
      // An unknown code of a failed payment gives no reason, as the code `failed`: the customer may
      // have sent money.
      const key = rare?.failures[code] || rare?.failures[phase]
      return [
        // Paid by another attempt: nothing is wrong, whatever became of this one.
        (code === 'order_paid' && t.successTitle) ||
          (code === 'address_lost' && t.lostTitle) ||
          (givenUp && t.abandonedTitle) ||
          (code === '1037' ? t.expiredTitle : t.failedTitle),
        (key && t[key]) || (givenUp && t.abandonedText) || t.failedOther,
      ]
    }
  }
}

/** An agent can still be chosen, as far as we know. */
export const choosing = (deposit: Deposit): boolean => deposit.phase === 'open' && !deposit.overdue

const before = (t: CardTexts, deposit: Deposit, locale: string): string =>
  fill(t.lockBefore, { time: clock(deposit.expiresAt, locale) })

/** The minutes left; the time of day on a phone whose clock is wrong. */
export function within(t: CardTexts, deposit: Deposit, locale: string): string {
  const left = Math.ceil((Date.parse(deposit.expiresAt) - Date.now()) / 60_000)
  return left > 0 && left <= 15 ? fill(t.lockWithin, { n: String(left) }) : before(t, deposit, locale)
}

const firstSentence = (text: string): string => /^.*?[.!?።](?=\s|$)/.exec(text)?.[0] || text

/** No payment was made. One that is known may be paid, whatever stops the question about it. */
export const isCreateBlocked = ({ id }: CheckoutState, { code }: CheckoutError): boolean => code === 'blocked' && !id

/** The answer was lost, and the same request is being retried. */
export const isLost = (screen: Screen): boolean => screen.step === 'submitting' && screen.tries > 1

/**
 * Text for screen readers: each step once, and the time left to choose an agent at first, five
 * minutes and two minutes before its end. At the end, what it means; a heading that takes the focus
 * is read for that.
 */
export function statusAnnouncement(props: StatusProps): string {
  const { texts: t, locale, _takesFocus: takesFocus } = props
  const { screen, _isAsking: isAsking, fault } = props.state
  if (isAsking) return t.forgetTitle
  if (!('deposit' in screen)) {
    if (fault && isTold(fault.code)) return isCreateBlocked(props.state, fault) ? t.failedTitle : t.unknownTitle
    return isLost(screen) ? t.errNetwork : t.submitting
  }
  const { deposit } = screen
  const values = valuesOf(props, deposit)
  const [heading, text] = words(props, deposit)
  const title = fill(heading, values)
  if (screen.step === 'ended') {
    const isPlain = deposit.status === 'SUCCESS' && !deposit.duplicate
    const meaning = isPlain ? `${values['amount']}. ${text}` : firstSentence(text)
    return takesFocus ? meaning : `${title}. ${meaning}`
  }
  if (!choosing(deposit)) return title
  const left = (Date.parse(deposit.expiresAt) - Date.now()) / 60_000
  const minutes = fill(t.minutes, { n: left > 2 ? '5' : '2' })
  return `${title}. ${before(t, deposit, locale)}${left > 5 || left < 0 ? '' : ` (${minutes})`}`
}
