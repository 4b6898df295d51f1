// What a page can set on the element.
import { LitElement } from 'lit'
import type { Texts } from '../locales/texts.ts'

/** The attributes and properties of the element. */
export class CheckoutProperties extends LitElement {
  static override properties = {
    companion: {},
    session: {},
    country: { reflect: true },
    currency: {},
    bank: {},
    bankChoice: { attribute: 'bank-choice' },
    amount: { type: Number },
    minAmount: { type: Number, attribute: 'min-amount' },
    maxAmount: { type: Number, attribute: 'max-amount' },
    payerName: { attribute: 'payer-name' },
    payerPhone: { attribute: 'payer-phone' },
    payerEmail: { attribute: 'payer-email' },
    clientReference: { attribute: 'client-reference' },
    returnUrl: { attribute: 'return-url' },
    locale: {},
    presentation: {},
    deposit: {},
    name: {},
    required: { type: Boolean, reflect: true },
    disabled: { type: Boolean, reflect: true },
    texts: { attribute: false, type: Object },
  }

  /** Address of the companion server, for example `https://pay.shop.example`. */
  declare companion: string
  /** Token of a session created by the shop's backend; what it locks is shown, not asked. */
  declare session: string | undefined
  /**
   * ISO 3166 alpha-2, in either case. If given, it is fixed; otherwise guessed from time zone and
   * languages.
   */
  declare country: string | undefined
  /** ISO 4217, in either case. If given, only countries with this currency are offered. */
  declare currency: string | undefined
  /** Code of the chosen bank. */
  declare bank: string | undefined
  /** Whether the customer is asked for their bank. Default `optional`. */
  declare bankChoice: 'optional' | 'required' | 'hidden'
  /** Whole major units. If given, it is fixed. */
  declare amount: number | undefined
  /** Whole major units; applies if it is stricter than the companion's own limit. */
  declare minAmount: number | undefined
  /** Whole major units; applies if it is stricter than the companion's own limit. */
  declare maxAmount: number | undefined
  /** Prefills the field; the customer may change it. */
  declare payerName: string | undefined
  /** Prefills the field; 07…, 254… and +254… mean the same. */
  declare payerPhone: string | undefined
  /** Prefills the field. */
  declare payerEmail: string | undefined
  /** The page's own reference for this purchase; passed to the backend as untrusted. */
  declare clientReference: string | undefined
  /**
   * Where the button "Back to the shop" leads after a success; http or https. Without it there is
   * no such button.
   */
  declare returnUrl: string | undefined
  /**
   * `en`, `fr`, `sw`, `am`, `ha`, `rn`, `rw` or `so`. Default: the page's language, or else the
   * browser's if it is one of the first three.
   */
  declare locale: string | undefined
  /**
   * Where the hosted page opens: in a new tab (`tab`), in this one (`redirect`) or, by default, in
   * a tab if the browser allows it (`auto`).
   */
  declare presentation: 'auto' | 'tab' | 'redirect'
  /**
   * Id of a deposit to resume if this browser knows its token; pass another token with `resume()`.
   */
  declare deposit: string | undefined
  /** Name of the form control, as with any other; its value is the id of the deposit. */
  declare name: string | undefined
  /**
   * A form around the element is not sent before the payment, or its order, is paid. Default false.
   */
  declare required: boolean
  /**
   * Nothing can be filled in or paid, as in a `<fieldset disabled>`; a payment that has begun stays
   * shown. Default false.
   */
  declare disabled: boolean
  /**
   * Texts that replace the built-in ones, all but the TEST mark. What is in braces is filled in.
   */
  declare texts: Partial<Texts> | undefined

  constructor() {
    super()
    this.companion = ''
    this.bankChoice = 'optional'
    this.presentation = 'auto'
    this.required = this.disabled = false
  }
}
