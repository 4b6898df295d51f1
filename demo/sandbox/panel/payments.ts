// The console's pages about payments: transactions and their timeline, agents' inbox, callbacks.
import { html } from 'hono/html'
import { TRANSACTION_ACTIONS, type ConsoleParts, type TransactionAction } from './actions.ts'
import { agentsOf } from '../engine/agents.ts'
import { ago, at, button, type Cell, copy, facts, PAGE_SIZE, pager, state, sum, table, type Html } from './page.ts'
import { bodyOf } from './views.ts'
import type { Delivery } from '../engine/deliveries.ts'
import { MARKETS } from '../engine/markets.ts'
import { KEPT_IN_DAYS } from '../engine/retention.ts'
import { isForExisting, SCENARIOS } from '../engine/scenarios.ts'
import type { Transaction } from '../engine/transaction.ts'

/** What the buttons of the actions say. */
export const ACTION_NAMES: Readonly<Record<TransactionAction, string>> = {
  confirm: 'Confirm',
  decline: 'Decline',
  cancel: 'Cancel',
  expire: 'Expire',
  lock: 'Lock an order',
  paid: 'Customer says paid',
  processing: 'Set to PROCESSING',
  forge: 'Send a forged callback',
  recut: 'Send a re-cut callback',
}

function transactionLink({ transaction_id }: { transaction_id: string }, reference: string): Html {
  return html`<a class="ref" href="/console/transactions/${transaction_id}">${reference}</a>`
}

function transactionRows(list: Transaction[], now: number): Cell[][] {
  return list.map((one) => [
    transactionLink(one, one.reference),
    state(one.status),
    one.step,
    sum(one.currency, one.amount),
    `${one.acc_name} ${one.acc_no}`,
    one.scenario,
    ago(one.created_at, now),
  ])
}

const TRANSACTION_HEADS = ['Reference', 'Status', 'Step', 'Amount', 'Payer', 'Scenario', 'Created']

export function transactionsPage({ transactions, now }: ConsoleParts, page: number): Html {
  const list = transactions.list(PAGE_SIZE, (page - 1) * PAGE_SIZE)
  return html`<h1>Transactions</h1>
    <p class="soft">
      The newest first. Times are on the sandbox’s clock. What has ended is deleted ${KEPT_IN_DAYS} days later.
    </p>
    ${tally(transactions.counts())}
    <form class="row buttons" action="/console/find">
      <label>Reference or transaction_id<input name="id" required maxlength="128" /></label><button>Find</button>
    </form>
    ${table('Transactions', TRANSACTION_HEADS, transactionRows(list, now()), 'No deposit was created yet. Buy something in the shop or create one through the API: it appears here by itself.')}
    ${pager('/console', page, transactions.count())}`
}

/** What became of all of them. */
function tally(counts: ReadonlyMap<string, number>): Html {
  const of = (...statuses: string[]): number => statuses.reduce((all, status) => all + (counts.get(status) ?? 0), 0)
  return facts([
    ['Under way', of('PENDING', 'PROCESSING')],
    ['Paid', of('SUCCESS')],
    ['Not paid', of('FAILED')],
  ])
}

/** The name that the customer saw. */
function agentName({ agent, country, operator }: Transaction): string {
  const agents = agentsOf(country ?? '', operator ?? '', MARKETS.get(country ?? '')?.callingCode ?? '')
  return agents.find(({ id }) => id === agent)?.name ?? agent ?? ''
}

export function inboxPage({ transactions, now }: ConsoleParts): Html {
  const rows = transactions
    .inbox()
    .map((one) => [
      transactionLink(one, one.reference),
      one.step === 'paid' ? 'says paid' : 'has not paid yet',
      agentName(one),
      sum(one.currency, one.amount),
      ago(one.locked_at, now()),
      html`<span class="buttons"
        >${button(`transactions/${one.transaction_id}/confirm`, ACTION_NAMES.confirm, 'main')}${button(`transactions/${one.transaction_id}/decline`, ACTION_NAMES.decline, 'stop')}</span
      >`,
    ])
  return html`<h1>Agents’ inbox</h1>
    <p class="soft">Locked orders that wait for an agent’s word.</p>
    ${table('Inbox', ['Reference', 'Customer', 'Agent', 'Amount', 'Locked', 'Decide'], rows, 'No order waits for an agent.')}`
}

export function transactionPage({ transactions, deliveries, publicUrl, now }: ConsoleParts, one: Transaction): Html {
  const id = one.transaction_id
  const page = `${publicUrl}/checkout/${one.session}`
  const kinds: Record<string, string> = { confirm: 'main', decline: 'stop', cancel: 'stop', expire: 'stop' }
  return html`<h1>${one.reference} ${copy(one.reference, 'the reference')}</h1>
    <p>${state(one.status)} · ${one.status_description}</p>
    ${facts(
      [
        ['transaction_id', id],
        ['third_party_id', one.third_party_id],
        ['Amount', sum(one.currency, one.amount)],
        ['Agent', one.agent === null ? '—' : agentName(one)],
        ['Fees', one.fees],
        ['Payer', one.acc_name],
        ['acc_no', one.acc_no || '—'],
        ['email', one.email || 'receipt goes to the wallet holder'],
        ['Wallet', one.wallet_no],
        ['Scenario', one.scenario],
        ['Step', one.step],
        ['Created (UTC)', at(one.created_at)],
        ['Without a locked order until', at(one.expires_at)],
      ],
      [
        ['redirect_url', html`<a href="${page}" rel="noopener"><code>${page}</code></a>`],
        ['result_url', html`<code>${one.result_url}</code>`],
      ],
    )}
    <div class="buttons">
      ${possible(one).map((action) => button(`transactions/${id}/${action}`, ACTION_NAMES[action], kinds[action]))}
    </div>
    ${
      one.step === 'ended'
        ? ''
        : html`<form class="row" method="post" action="/console/transactions/${id}/scenario">
            <label
              >Play a scenario from now on
              <select name="scenario">
                ${SCENARIOS.filter(isForExisting).map(({ name, title }) => html`<option value="${name}">${title}</option>`)}
              </select></label
            ><button>Play</button>
          </form>`
    }
    <h2>Timeline</h2>
    ${table(
      'Timeline',
      ['At (UTC)', 'What', 'Detail'],
      transactions.timeline(id).map((row) => [at(row.at), row.what, row.detail]),
      'Nothing yet.',
    )}
    <h2>Callbacks</h2>
    ${deliveryTable(deliveries.of(id), now())}`
}

/** The actions possible in the transaction's present state. */
function possible({ step, status }: Transaction): TransactionAction[] {
  if (step === 'ended') return status === 'FAILED' ? ['confirm', 'recut', 'forge'] : ['forge']
  return TRANSACTION_ACTIONS.filter(
    (action) =>
      action !== 'recut' && (action !== 'lock' || step === 'open') && (action !== 'paid' || step === 'locked'),
  )
}

function deliveryTable(list: Delivery[], now: number): Html {
  const rows = list.map((one) => [
    html`<a href="/console/deliveries/${one.id}">#${one.id}</a>`,
    transactionLink(one, bodyOf(one).reference),
    one.kind,
    state(one.state),
    one.attempts,
    ago(one.next_at, now),
    button(`deliveries/${one.id}/resend`, 'Send again'),
  ])
  return table(
    'Callbacks',
    ['Callback', 'Reference', 'Kind', 'State', 'Attempts', 'Next', 'Action'],
    rows,
    'No callback was sent yet.',
  )
}

export function deliveriesPage({ deliveries, now }: ConsoleParts, page: number): Html {
  return html`<h1>Callbacks</h1>
    <p class="soft">
      Anything but HTTP 200 within 10 seconds is tried again after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h; then it
      is dead and can be sent by hand.
    </p>
    ${deliveryTable(deliveries.list(PAGE_SIZE, (page - 1) * PAGE_SIZE), now())}
    ${pager('/console/deliveries', page, deliveries.count())}`
}

export function deliveryPage({ deliveries }: ConsoleParts, one: Delivery): Html {
  const rows = deliveries
    .attempts(one.id)
    .map((row) => [
      row.number,
      at(row.at),
      row.status ?? html`<span class="no">${row.error ?? 'no answer'}</span>`,
      `${row.took_ms}\u00a0ms`,
      html`<code>${row.answer}</code>`,
      html`<code>${row.request_headers}</code>`,
    ])
  return html`<h1>Callback #${one.id}</h1>
    <p>${state(one.state)} · ${one.kind} · ${transactionLink(one, bodyOf(one).reference)} · <code>${one.url}</code></p>
    <pre>${readable(one.body)}</pre>
    <details>
      <summary>As it was sent, to the letter</summary>
      <pre>${one.body}</pre>
      <p>${copy(one.body, 'the body')}</p>
    </details>
    <div class="buttons">${button(`deliveries/${one.id}/resend`, 'Send again')}</div>
    <h2>Attempts</h2>
    ${table('Attempts', ['No.', 'At (UTC)', 'Answer', 'Took', 'Body', 'Headers sent'], rows, 'Not sent yet.')}`
}

/** It is in each Node that the sandbox runs on, and not yet in the types of TypeScript. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** For people: a member on each line. The numbers keep their text, which the hash is over. */
function readable(body: string): string {
  const asWritten = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value
  return JSON.stringify(JSON.parse(body, asWritten), undefined, 2)
}
