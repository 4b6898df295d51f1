// One payment's story in the order of time: what the payment service and the customer did, what the
// shop was told, what staff did.
import { html, nothing, type TemplateResult } from 'lit'
import type { PaymentDetail } from '../../../contract/index.ts'
import type { App } from '../base/app.ts'
import { fill } from '../base/format.ts'
import { besideEachOther, filled, leftToRight, typed } from './bidi.ts'

interface Step {
  readonly at: string
  readonly says: unknown
  readonly more?: unknown
  /** How often it was told, and when last. */
  readonly again?: string
  readonly tone?: 'good' | 'bad' | 'look' | 'staff'
}

const TONES: Readonly<Record<string, Step['tone']>> = {
  query_success: 'good',
  refused: 'bad',
  not_processed: 'bad',
  query_failed: 'bad',
  review: 'look',
  contradiction: 'look',
  callback_sum: 'look',
  query_sum: 'look',
  unconfirmed: 'look',
  decision: 'staff',
}

/** The timeline tells of these itself. */
const TOLD_BY_TIMELINE = ['decision']

/** The sum that the payment service named, beside ours. The timeline has both in English. */
function sumsOf({ sums }: App['story'], kind: string, detail = ''): unknown {
  const [other, ours] = kind === 'callback_sum' || kind === 'query_sum' ? detail.split(' instead of ') : []
  // Where it named nothing that is a sum, the sentence says enough.
  if (other === undefined || ours === undefined || !/[0-9]/.test(other)) return undefined
  return filled(sums, { other: leftToRight(other), ours: leftToRight(ours) })
}

type Entry = PaymentDetail['timeline'][number]

/** What each question or message may bring once more. */
const RECURRING: readonly string[] = ['contradiction', 'query_sum', 'query_refused', 'callback']

/** What recurs in one phase with the same words is told once, where it came first. */
function folded(timeline: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups = new Map<string, Entry[]>()
  for (const [at, entry] of timeline.entries()) {
    const { kind, phase, detail = '' } = entry
    const key = RECURRING.includes(kind) ? `${kind} ${phase} ${detail}` : String(at)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return [...groups.values()]
}

function fromTimeline({ story, format }: App, { timeline }: PaymentDetail): Step[] {
  return folded(timeline).map((entries) => {
    const [{ at, kind, detail }] = entries as readonly [Entry]
    const last = entries[entries.length - 1]
    const isRepeated = entries.length > 1 && last !== undefined
    const says = story.kinds[kind] ?? kind
    const tone = TONES[kind]
    const more =
      kind === 'review' || kind === 'contradiction' ? story.reviews[detail ?? ''] : sumsOf(story, kind, detail)
    return {
      at,
      says,
      ...(kind === 'decision' ? { more: besideEachOther([detail]) } : more === undefined ? {} : { more }),
      ...(tone === undefined ? {} : { tone }),
      ...(isRepeated
        ? { again: fill(story.again, { n: format.number(entries.length), time: format.exact(last.at) }) }
        : {}),
    }
  })
}

function fromNotices({ story, format, words }: App, { notices }: PaymentDetail): Step[] {
  return notices.map(({ type, state, attempts, createdAt, deliveredAt, nextAttemptAt }) => {
    const time = deliveredAt ?? nextAttemptAt
    const what = story.notices[type] ?? type
    return {
      at: deliveredAt ?? createdAt,
      says: fill(state === 'delivered' ? story.told : story.toTell, { what }),
      more: fill(story.noticeStates[state], {
        n: format.number(attempts),
        time: time === undefined ? '–' : format.exact(time),
        button: words.acts.resend,
      }),
      ...(state === 'delivered' ? {} : { tone: 'look' as const }),
    }
  })
}

function fromActs({ story }: App, { acts = [] }: PaymentDetail): Step[] {
  return acts
    .filter(({ act }) => !TOLD_BY_TIMELINE.includes(act))
    .map(({ at, act, by, why, detail }) => ({
      at,
      says: filled(story.done[act] ?? act, { who: typed(by) }),
      more: besideEachOther([why, detail]),
      tone: 'staff' as const,
    }))
}

export function storyOf(app: App, payment: PaymentDetail): TemplateResult {
  const steps = [...fromTimeline(app, payment), ...fromNotices(app, payment), ...fromActs(app, payment)]
  // A sort of equal times keeps the order above.
  steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  return html`<ol class="story">
    ${steps.map(
      ({ at, says, more, again, tone = '' }) =>
        html`<li class=${tone}>
          <time datetime=${at}>${app.format.exact(at)}</time>
          <p>${says}</p>
          ${more === undefined ? nothing : html`<p class="quiet">${more}</p>`}
          ${again === undefined ? nothing : html`<p class="quiet">${again}</p>`}
        </li>`,
    )}
  </ol>`
}
