// Payment links: a session whose order number the companion makes, with a message that brings it to
// the customer.
import { hash } from 'node:crypto'
import type { CreateLink, Language, Link, LinkList, LinkQuery, LinkState, SessionDetail } from '../contract/index.ts'
import { type Actor, type Acts, READ_KEY } from '../deposits/merchant/acts.ts'
import { type Sessions, shownDeposit } from '../deposits/merchant/sessions.ts'
import { newOrderId } from '../deposits/identity.ts'
import type { DeskStore, LinkRow, Position } from '../deposits/ports/desk-store.ts'
import type { Store } from '../deposits/ports/store.ts'
import { isoTime } from '../deposits/view.ts'
import { CompanionError } from '../platform/errors.ts'
import type { Settings } from '../settings/settings.ts'
import { pageOf, readCursor } from './cursors.ts'

/** What the customer reads before the address. */
const MESSAGES: Readonly<Record<Language, (amount: string, what: string, link: string) => string>> = {
  en: (amount, what, link) => `Please pay ${amount} for ${what}: ${link}`,
  fr: (amount, what, link) => `Merci de payer ${amount} pour ${what} : ${link}`,
  sw: (amount, what, link) => `Tafadhali lipa ${amount} kwa ajili ya ${what}: ${link}`,
  am: (amount, what, link) => `እባክዎ ${amount} ይክፈሉ (${what})፦ ${link}`,
  ha: (amount, what, link) => `Don Allah a biya ${amount} (${what}): ${link}`,
  rn: (amount, what, link) => `Murihe ${amount} (${what}): ${link}`,
  rw: (amount, what, link) => `Mwishyure ${amount} (${what}): ${link}`,
  so: (amount, what, link) => `Fadlan bixi ${amount} (${what}): ${link}`,
}

export interface Links {
  /** Throws what a session throws. */
  create(given: CreateLink, actor: Actor, key?: string): Promise<Link>
  /** Newest first. */
  list(query: LinkQuery, actor: Actor): Promise<LinkList>
  /** Throws `not_found`. */
  link(id: string, actor: Actor): Promise<Link>
  /**
   * Nobody can start a payment with it any more. One that was started goes on. Throws `not_found`,
   * and `order_paid` for one that is paid.
   */
  close(id: string, why: string, actor: Actor, key?: string): Promise<Link>
}

const positionOf = ({ createdAt, sessionId }: LinkRow): Position => ({ at: createdAt, id: sessionId })

/** Not random: the same bytes for the same text. */
const bytesOf = (text: string) => (bytes: number) => hash('sha256', text, 'buffer').subarray(0, bytes)

const closedOf = ({ closedAt, closedBy, closedWhy }: LinkRow): Link['closed'] =>
  closedAt === undefined || closedBy === undefined || closedWhy === undefined
    ? undefined
    : { at: isoTime(closedAt), by: closedBy, why: closedWhy }

/** Whoever has the address can start a payment: a viewer and the read key get none. */
function shownTo(actor: Actor, link: Link): Link {
  const mayAct = actor.role !== 'viewer' && actor !== READ_KEY
  return mayAct ? link : { ...link, payUrl: undefined, message: undefined }
}

export function createLinks(parts: {
  readonly settings: Settings
  readonly store: Store
  readonly desk: DeskStore
  readonly acts: Acts
  readonly sessions: Sessions
  readonly now: () => number
  readonly random: (bytes: number) => Uint8Array
}): Links {
  const { settings, store, desk, acts, sessions, now, random } = parts

  function stateOf({ state, closed, expiresAt }: SessionDetail): LinkState {
    if (state !== 'open') return state
    if (closed) return 'closed'
    return Date.parse(expiresAt) <= now() ? 'expired' : 'open'
  }

  function messageOf(language: Language, { amount, currency, description, payUrl }: SessionDetail): string {
    // A plain space: with any other an SMS holds half as many characters.
    const figure = amount.toLocaleString(language === 'fr' ? 'fr' : 'en').replaceAll(/\s/g, ' ')
    const sum = `${currency} ${figure}`
    const from = settings.shopName === undefined ? '' : `${settings.shopName}: `
    return from + MESSAGES[language](sum, description, payUrl)
  }

  async function toLink(row: LinkRow): Promise<Link> {
    const [detail, deposit] = await Promise.all([sessions.detail(row.sessionId), shownDeposit(store, row.sessionId)])
    const { id, orderId, payUrl, amount, currency, country, description, createdAt, expiresAt, attempts } = detail
    const language = row.language as Language
    return {
      id,
      orderId,
      payUrl,
      amount,
      currency,
      country,
      description,
      language,
      message: messageOf(language, detail),
      state: stateOf(detail),
      createdAt,
      expiresAt,
      by: row.name,
      attempts,
      paymentId: deposit?.id,
      closed: closedOf(row),
    }
  }

  async function rowOf(id: string): Promise<LinkRow> {
    const row = await desk.link(id)
    if (row === undefined) throw new CompanionError('not_found', { detail: 'There is no such payment link.' })
    return row
  }

  return {
    async create({ language = settings.locales[0]?.slice(0, 2) as Language, expiresIn, ...terms }, actor, key) {
      const detail = `${terms.amount} ${terms.currency}: ${terms.description}`
      // Asked for again with its key, it is the link of the same order.
      const orderId = newOrderId(key === undefined ? random : bytesOf(`${actor.name}\n${key}`))
      const work = async (): Promise<Link> => {
        const { session } = await sessions.create({ ...terms, orderId, expiresIn })
        const row = { sessionId: session.id, createdAt: now(), name: actor.name, language }
        await desk.addLink(row)
        return toLink(row)
      }
      return acts.record(actor, { act: 'link', detail, key }, work, {
        detailOf: () => `${orderId}: ${detail}`,
        async repeat() {
          const session = await store.sessionOfOrder(orderId)
          const row = session && (await desk.link(session.id))
          return row && toLink(row)
        },
      })
    },
    async list({ cursor, limit }, actor) {
      const { page, next } = pageOf(
        await desk.links({ limit: limit + 1, after: readCursor(cursor) }),
        limit,
        positionOf,
      )
      return { links: (await Promise.all(page.map(toLink))).map((link) => shownTo(actor, link)), ...next }
    },
    async link(id, actor) {
      return shownTo(actor, await toLink(await rowOf(id)))
    },
    async close(id, why, actor, key) {
      const { sessionId } = await rowOf(id)
      const [{ orderId }, started] = await Promise.all([sessions.detail(sessionId), shownDeposit(store, sessionId)])
      const work = async (): Promise<Link> => {
        await sessions.close(sessionId)
        // After it: a link that says closed must be so. Closed again, it is written down then.
        await desk.closeLink({ sessionId, closedAt: now(), closedBy: actor.name, closedWhy: why })
        return toLink(await rowOf(sessionId))
      }
      return acts.record(actor, { act: 'close_link', depositId: started?.id, why, detail: orderId, key }, work, {
        async repeat() {
          const row = await rowOf(sessionId)
          return row.closedAt === undefined ? undefined : toLink(row)
        },
      })
    },
  }
}
