// What a browser is answered about a deposit: its view, its token, and the answer to a create as it
// is kept for a repeat.
import type { CreatedDeposit, DepositView } from '../../contract/index.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Deposit } from '../machine/deposit.ts'
import type { Capabilities } from '../identity.ts'
import { toView } from '../view.ts'

export function createAnswers(parts: {
  readonly settings: Pick<Settings, 'publicUrl' | 'checkoutLanguageParam'>
  readonly capabilities: Pick<Capabilities, 'link' | 'depositToken'>
}) {
  const { settings, capabilities } = parts
  const payUrl = ({ id }: Pick<Deposit, 'id'>, generation: number) =>
    `${settings.publicUrl}/pay/${capabilities.link({ kind: 'deposit', id }, generation)}`
  const view = (deposit: Deposit) => {
    const shown = toView(deposit, payUrl(deposit, deposit.generation))
    return { ...shown, checkoutUrl: inLanguage(shown.checkoutUrl, deposit.locale) }
  }

  /**
   * The hosted page in the language of the card, where the service takes one. The address stays as
   * it is stored.
   */
  function inLanguage(address: string | undefined, locale: string | undefined): string | undefined {
    const { checkoutLanguageParam: name } = settings
    if (address === undefined || locale === undefined || name === undefined || !URL.canParse(address)) return address
    return withField(address, name, locale.split('-')[0] ?? '')
  }

  function withToken(shown: DepositView, generation: number): CreatedDeposit {
    return { ...shown, token: capabilities.depositToken(shown.id, generation) }
  }

  return {
    view,
    /** The view with the deposit's token. */
    created: (deposit: Deposit): CreatedDeposit => withToken(view(deposit), deposit.generation),
    /**
     * The answer to a create as it is stored: it holds neither token nor link, which are derived
     * again (identity.ts), nor payer details, which are read from the deposit again: while the
     * create runs they may be erased there, and an answer that is written after that would keep
     * them.
     */
    stored: (deposit: Deposit): string =>
      JSON.stringify({ view: { ...view(deposit), payer: { name: '' }, payUrl: '' }, generation: deposit.generation }),
    /**
     * What `stored` was made from, as it was then, with a token and a link that open it now:
     * HC_SECRET or HC_PUBLIC_URL may have changed since. The payer is that of `deposit`: erased
     * there, it is in no answer.
     */
    read(stored: string, deposit: Deposit): CreatedDeposit {
      const { view: shown, generation } = JSON.parse(stored) as { view: DepositView; generation: number }
      const { payer } = view(deposit)
      return withToken({ ...shown, payer, payUrl: payUrl(shown, generation) }, generation)
    },
  }
}

export type Answers = ReturnType<typeof createAnswers>

/**
 * The address with a field in its query. It is written into the text: URLSearchParams would write
 * the other fields anew, a space as + and not as %20, and the service may have signed them.
 */
function withField(address: string, name: string, value: string): string {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#[^]*)?$/.exec(address) ?? []
  const field = `${name}=${value}`
  const fields = query ? query.split('&') : []
  const isIt = (one: string): boolean => new URLSearchParams(one).has(name)
  const all = fields.some(isIt) ? fields.map((one) => (isIt(one) ? field : one)) : [...fields, field]
  return `${path}?${all.join('&')}${fragment}`
}
