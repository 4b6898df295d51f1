// Generates the parts of the documentation that the code knows: settings, errors, answers, states,
// metrics, and the references of the endpoints and of the element. `npm run docs` writes them, a
// test compares them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DepositPhase } from '../../server/contract/index.ts'
import { problems } from '../../server/contract/problem.ts'
import { settingsTable } from '../../server/settings/table.ts'
import { broughtBy, transitions } from '../../server/deposits/machine/decide.ts'
import { type ScheduleName, phases } from '../../server/deposits/machine/phases.ts'
import * as schedule from '../../server/deposits/machine/schedule.ts'
import type { Input } from '../../server/deposits/machine/transition.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { DEFAULT_LIMITS } from '../../server/settings/schema.ts'
import { type Asked, meaningOf } from '../../widget/base/answers.ts'
import { endpointsReference, shapesReference } from './docs-api.ts'
import { elementReference } from './docs-element.ts'
import { table } from './docs-table.ts'

const docs = join(import.meta.dirname, '../../demo/docs')

/** Each generated block: its file, its name between the markers, and its text. */
export const blocks: readonly {
  readonly file: string
  readonly name: string
  readonly text: () => string | Promise<string>
}[] = [
  { file: 'settings.md', name: 'settings', text: settings },
  { file: 'settings.md', name: 'limits', text: limits },
  { file: 'errors.md', name: 'errors', text: errors },
  { file: 'errors.md', name: 'answers', text: answers },
  { file: 'states.md', name: 'phases', text: phaseTable },
  { file: 'states.md', name: 'transitions', text: transitionTable },
  { file: 'metrics.md', name: 'metrics', text: metrics },
  { file: 'api.md', name: 'endpoints', text: endpointsReference },
  { file: 'api.md', name: 'shapes', text: shapesReference },
  { file: 'element.md', name: 'element', text: elementReference },
]

function settings(): string {
  const rows = settingsTable.map(({ name, required, secret, fallback = '', about }) => {
    const kind = [required ? 'required' : '', secret === undefined ? '' : 'secret'].filter(Boolean).join(', ')
    return [`\`${name}\``, kind, fallback, about]
  })
  return table(['variable', 'kind', 'default', 'what it is'], rows)
}

function limits(): string {
  const rows = Object.entries(DEFAULT_LIMITS).map(([currency, { min, max }]) => [
    currency,
    min.toLocaleString('en-US'),
    max.toLocaleString('en-US'),
  ])
  return table(['currency', 'smallest', 'largest'], rows)
}

/** Each row has an anchor, so that a link can lead to one code. */
function errors(): string {
  const rows = Object.entries(problems).map(([code, { status, title }]) => [
    `<a id="${code}"></a>\`${code}\``,
    String(status),
    title,
  ])
  return table(['code', 'status', 'title'], rows)
}

/**
 * One row for all codes that mean the same to each request; what is the companion's own, and what
 * is not.
 */
function answers(): string {
  const requests: readonly Asked[] = ['create', 'repeat', 'recover', 'read', 'check', 'events']
  const said = { ask: 'asks again', refused: 'no payment', none: 'no payment, after a minute', forget: 'may forget' }
  const alike = new Map<string, string[]>()
  for (const code of ['network', 'blocked', ...Object.keys(problems)]) {
    const meanings = requests.map((one) => said[meaningOf(one, code)]).join(' | ')
    alike.set(meanings, [...(alike.get(meanings) ?? []), `\`${code}\``])
  }
  const most = Math.max(...[...alike.values()].map(({ length }) => length))
  const rows = [...alike]
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([meanings, codes]) => [
      codes.length === most ? 'every other code of the companion' : codes.join(', '),
      ...meanings.split(' | '),
    ])
  return table(['answer', 'first create', 'create, repeated', '`/v1/attempt`', 'read', '"Check now"', 'stream'], rows)
}

/** Milliseconds in words: 90,000 is no unit of the schedule, 60,000 is `1 min`. */
function span(ms: number): string {
  const units = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000]] as const // prettier-ignore
  const [unit, length] = units.find(([, each]) => ms % each === 0) ?? ['ms', 1]
  return `${ms / length} ${unit}`
}

const spans = (times: readonly number[]): string => new Intl.ListFormat('en-GB').format(times.map(span))

const [inFirstHour, inFirstDay, then] = schedule.UNWATCHED_EVERY_MS
const whileWatched = `every ${span(schedule.WATCHED_EVERY_MS)} while watched`
const later = `every ${span(inFirstDay)} in the first day, then every ${span(then)}`

/** When each schedule asks. */
const asked: Readonly<Record<ScheduleName, string>> = {
  never: 'never',
  creating: `once, after ${span(schedule.CREATE_SETTLES_AFTER_MS)}`,
  unknown: `after ${spans(schedule.afterUnknown)}, then as \`open\``,
  confirming: `after ${spans(schedule.afterCallback)}; then ${whileWatched}, else up to ${span(schedule.LONGEST_AFTER_CALLBACK)} apart`,
  open: `${whileWatched}; else every ${span(inFirstHour)} in the first hour, ${later}`,
  ended: `${spans(schedule.afterSoftEnd)} after its end; sooner if a callback has called it paid`,
  unwatched: `every ${span(schedule.GIVEN_UP_EVERY_MS)} in the first hour, ${later}`,
}

function phaseTable(): string {
  const rows = DepositPhase.options.map((phase) => {
    const { status, isFinal, movedBy, schedule: name } = phases[phase]
    return [`\`${phase}\``, `\`${status}\``, isFinal ? 'yes' : '', movedBy.join(', '), asked[name]]
  })
  return table(['phase', 'status', 'final', 'moved by', 'asked about'], rows)
}

const inputs: Readonly<Record<Input['kind'], string>> = {
  created: 'the service has created it',
  'create-refused': 'the service refuses to create it',
  'create-not-processed': 'the create call never arrived',
  'create-unknown': 'the answer to the create call is lost',
  callback: 'a callback',
  'callback-differs': 'a callback with another amount, currency or reference',
  answered: 'a status: PENDING, SUCCESS or FAILED',
  'not-found': 'the service does not know it',
  'query-missing': 'the service has no status query',
  'query-failed': 'no answer',
  'no-query': 'the contract has no status query',
  replaced: '"I have not sent money"',
  'order-paid': 'another payment of the order has succeeded',
  reviewed: 'a decision: paid or not paid',
  'transaction-conflict': 'another payment holds the same transaction',
}

function transitionTable(): string {
  const rows = (Object.keys(inputs) as Input['kind'][]).map((kind) => {
    const cells = DepositPhase.options.map((phase) => {
      const to = transitions[kind][phase]?.to
      return to?.length === 0 ? 'stays' : (to ?? []).map((name) => `\`${name}\``).join(' ')
    })
    return [`${broughtBy[kind]}: ${inputs[kind]}`, ...cells]
  })
  return table(['what is heard', ...DepositPhase.options.map((phase) => `\`${phase}\``)], rows)
}

/**
 * By the text that `/metrics` answers with: the companion's own first, then those of the process.
 */
async function metrics(): Promise<string> {
  const text = await createMetrics().read()
  const kinds = new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]))
  const isOfNode = ([, name = '']: readonly string[]) => /^hc_(nodejs|process)_/.test(name)
  const all = [...text.matchAll(/^# HELP (\S+) (.*)$/gm)]
  const rows = [...all.filter((one) => !isOfNode(one)), ...all.filter(isOfNode)].map(([, name = '', help = '']) => [
    `\`${name}\``,
    kinds.get(name) ?? '',
    help,
  ])
  return table(['metric', 'kind', 'what it is'], rows)
}

export function readBlock(file: string, name: string): string | undefined {
  return marked(name)
    .exec(readFileSync(join(docs, file), 'utf8'))?.[1]
    ?.trim()
}

function marked(name: string): RegExp {
  return new RegExp(`<!-- made from the code: ${name} -->\\n([\\s\\S]*?)<!-- end -->`)
}

if (import.meta.main) {
  for (const { file, name, text } of blocks) {
    const path = join(docs, file)
    const printed = await text()
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(
        marked(name),
        () => `<!-- made from the code: ${name} -->\n\n${printed}\n\n<!-- end -->`,
      ),
    )
  }
}
