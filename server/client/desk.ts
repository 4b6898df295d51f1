// What the people of a shop do at the console, for a backend of its own: payment links, money owed
// back, the record of acts, figures and health.
import type { Ask, CallOptions } from './ask.ts'
import type {
  Act,
  ActList,
  CreateLink,
  Figures,
  Health,
  Link,
  LinkList,
  NewPaidBack,
  Owed,
  OwedList,
} from './contract.ts'

/** The terms of a payment link. `expiresIn`: seconds, a day by itself. */
export type LinkTerms = Omit<CreateLink, 'expiresIn'> & Partial<Pick<CreateLink, 'expiresIn'>>

/** Where a list goes on, and how many rows a page has: 1 to 200, 50 by itself. */
export interface PageOptions {
  readonly cursor?: string
  readonly limit?: number
}

/** Days as 2026-11-28, in the time zone of the shop; both are included. */
export interface DayOptions {
  readonly fromDay?: string
  readonly toDay?: string
}

export interface Links {
  /**
   * Makes a link, with an order number of its own and a message for the customer. Never tried
   * again.
   */
  create(terms: LinkTerms, options?: CallOptions): Promise<Link>
  get(id: string, options?: CallOptions): Promise<Link>
  /**
   * Nobody can start a payment with it any more; one that was started goes on. Throws `order_paid`
   * for one that is paid. Never tried again.
   */
  close(id: string, why: string, options?: CallOptions): Promise<Link>
  /** Newest first. */
  page(page?: PageOptions, options?: CallOptions): Promise<LinkList>
}

export interface OwedBack {
  /** Payments that came twice or with another amount, newest first. */
  page(page?: PageOptions & { readonly state?: 'open' | 'paid_back' }, options?: CallOptions): Promise<OwedList>
  /** Says that money of a payment was paid back. Throws `not_owed` and `already_paid_back`. */
  paidBack(id: string, how: NewPaidBack, options?: CallOptions): Promise<Owed>
}

export interface Desk {
  readonly links: Links
  readonly owed: OwedBack
  /** Adds a note to a payment. Never tried again. */
  note(id: string, text: string, options?: CallOptions): Promise<Act>
  /** What people did, newest first. */
  acts(page?: PageOptions & DayOptions & { readonly by?: string }, options?: CallOptions): Promise<ActList>
  /** Payments by hour and market, of at most 31 days; of today by itself. */
  figures(days?: DayOptions & { readonly country?: string }, options?: CallOptions): Promise<Figures>
  /** What is wrong with the companion, and what it means for the shop. */
  health(options?: CallOptions): Promise<Health>
}

/** What is left out is not asked for. */
const queryOf = (given: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: [string, string | number | undefined]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    ),
  )

/** @param part an id as a part of an address */
export function deskBy(ask: Ask, part: (id: string) => string): Desk {
  const read = async <Answer>(path: string, answersWith: string, query: object, options: CallOptions) =>
    ask<Answer>({ ...options, method: 'get', path, query: queryOf(query), answersWith, repeatable: true })
  const write = async <Answer>(path: string, answersWith: string, body: object, options: CallOptions) =>
    ask<Answer>({ ...options, method: 'post', path, body, answersWith, repeatable: false })
  return {
    links: {
      create: (terms, options = {}) => write('v1/links', 'orderId', terms, options),
      close: async (id, why, options = {}) => write(`v1/links/${part(id)}/close`, 'orderId', { why }, options),
      get: async (id, options = {}) => read(`v1/links/${part(id)}`, 'orderId', {}, options),
      page: (page = {}, options = {}) => read('v1/links', 'links', page, options),
    },
    owed: {
      page: (page = {}, options = {}) => read('v1/owed', 'owed', page, options),
      paidBack: async (id, how, options = {}) => write(`v1/payments/${part(id)}/paid-back`, 'paidBack', how, options),
    },
    note: async (id, text, options = {}) => write(`v1/payments/${part(id)}/notes`, 'act', { text }, options),
    acts: (page = {}, options = {}) => read('v1/acts', 'acts', page, options),
    figures: (days = {}, options = {}) => read('v1/figures', 'hours', days, options),
    health: (options = {}) => read('v1/health', 'checks', {}, options),
  }
}
