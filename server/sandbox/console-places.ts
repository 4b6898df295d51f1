// What the console's pages show: transactions and their timeline, agents' inbox, callbacks, merchants, scenarios, faults, clock.
import { html } from 'hono/html'
import { TRANSACTION_ACTIONS, type ConsoleParts, type TransactionAction } from './console-actions.ts'
import { at, button, facts, state, table, type Html } from './console-page.ts'
import type { Delivery } from './deliveries.ts'
import { NO_FAULTS, type Faults } from './faults.ts'
import { CURRENCIES } from './markets.ts'
import type { Merchant } from './merchants.ts'
import { phoneOf, SCENARIOS } from './scenarios.ts'
import type { Transaction } from './transactions.ts'

const SHOWN = 100

function transactionLink({ transaction_id, reference }: { transaction_id: string; reference?: string }): Html {
  return html`<a href="/console/transactions/${transaction_id}">${reference ?? transaction_id}</a>`
}

function transactionRows(list: Transaction[]): (Html | string)[][] {
  return list.map((one) => [
    transactionLink(one),
    state(one.status),
    one.step,
    `${one.currency} ${one.amount}`,
    `${one.acc_name} ${one.acc_no}`,
    one.scenario,
    at(one.created_at),
  ])
}
const TRANSACTION_HEADS = ['Reference', 'Status', 'Step', 'Amount', 'Payer', 'Scenario', 'Created (UTC)']

export function transactionsPlace({ transactions }: ConsoleParts): Html {
  return html`<h1>Transactions</h1>
    <p class="soft">The newest ${SHOWN}. Times are UTC, on the sandbox’s clock.</p>
    ${table('Transactions', TRANSACTION_HEADS, transactionRows(transactions.list(SHOWN)), 'No deposit was created yet. Create one through the API, and it appears here.')}`
}

export function inboxPlace({ transactions }: ConsoleParts): Html {
  const rows = transactions
    .inbox()
    .map((one) => [
      transactionLink(one),
      one.step === 'paid' ? 'says paid' : 'locked',
      one.agent ?? '',
      `${one.currency} ${one.amount}`,
      at(one.locked_at),
      html`<span class="buttons"
        >${button(`transactions/${one.transaction_id}/confirm`, 'Confirm', 'main')}${button(`transactions/${one.transaction_id}/decline`, 'Decline', 'stop')}</span
      >`,
    ])
  return html`<h1>Agents’ inbox</h1>
    <p class="soft">Locked orders that wait for an agent’s word.</p>
    ${table('Inbox', ['Reference', 'Customer', 'Agent', 'Amount', 'Locked (UTC)', 'Decide'], rows, 'No order waits for an agent.')}`
}

export function transactionPlace({ transactions, deliveries, publicUrl }: ConsoleParts, one: Transaction): Html {
  const id = one.transaction_id
  const page = `${publicUrl}/checkout/${one.session}`
  const kinds: Record<string, string> = { confirm: 'main', decline: 'stop', cancel: 'stop', expire: 'stop' }
  return html`<h1>${one.reference}</h1>
    <p>${state(one.status)} · ${one.status_description}</p>
    ${facts([
      ['transaction_id', id],
      ['third_party_id', one.third_party_id],
      ['Amount', `${one.currency} ${one.amount}`],
      ['Fees', one.fees],
      ['Payer', one.acc_name],
      ['acc_no', one.acc_no || '—'],
      ['email', one.email || 'receipt goes to the wallet holder'],
      ['Wallet', one.wallet_no],
      ['Scenario', one.scenario],
      ['Step', one.step],
      ['Created (UTC)', at(one.created_at)],
      ['Without a locked order until', at(one.expires_at)],
      ['result_url', html`<code>${one.result_url}</code>`],
      ['redirect_url', html`<a href="${page}" rel="noopener">${page}</a>`],
    ])}
    <div class="buttons">
      ${possible(one).map((action) => button(`transactions/${id}/${action}`, action, kinds[action]))}
    </div>
    ${
      one.step === 'ended'
        ? ''
        : html`<form class="row" method="post" action="/console/transactions/${id}/scenario">
            <label
              >Play a scenario from now on
              <select name="scenario">
                ${SCENARIOS.filter(({ steps }) => steps.length > 0).map(({ name, title }) => html`<option value="${name}">${title}</option>`)}
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
    ${deliveryTable(deliveries.of(id))}`
}

/** What can be done to a transaction as it stands. */
function possible({ step, status }: Transaction): TransactionAction[] {
  if (step === 'ended') return status === 'FAILED' ? ['confirm', 'recut', 'forge'] : ['forge']
  return TRANSACTION_ACTIONS.filter(
    (action) =>
      action !== 'recut' && (action !== 'lock' || step === 'open') && (action !== 'paid' || step === 'locked'),
  )
}

function deliveryTable(list: Delivery[]): Html {
  const rows = list.map((one) => [
    html`<a href="/console/deliveries/${one.id}">#${one.id}</a>`,
    transactionLink(one),
    one.kind,
    state(one.state),
    one.attempts,
    at(one.next_at),
    button(`deliveries/${one.id}/resend`, 'Send again'),
  ])
  return table(
    'Callbacks',
    ['Callback', 'Transaction', 'Kind', 'State', 'Attempts', 'Next (UTC)', 'Action'],
    rows,
    'No callback was sent yet.',
  )
}

export function deliveriesPlace({ deliveries }: ConsoleParts): Html {
  return html`<h1>Callbacks</h1>
    <p class="soft">
      Anything but HTTP 200 within 10 seconds is tried again after 5 s, 30 s, 2 min, 10 min, 1 h, 6 h and 24 h; then it
      is dead and can be sent by hand.
    </p>
    ${deliveryTable(deliveries.list(SHOWN))}`
}

export function deliveryPlace({ deliveries }: ConsoleParts, one: Delivery): Html {
  const rows = deliveries
    .attempts(one.id)
    .map((row) => [
      row.number,
      at(row.at),
      row.status ?? html`<span class="no">${row.error ?? 'no answer'}</span>`,
      `${row.took_ms} ms`,
      html`<code>${row.answer}</code>`,
      html`<code>${row.request_headers}</code>`,
    ])
  return html`<h1>Callback #${one.id}</h1>
    <p>${state(one.state)} · ${one.kind} · ${transactionLink(one)} · <code>${one.url}</code></p>
    <pre>${one.body}</pre>
    <div class="buttons">${button(`deliveries/${one.id}/resend`, 'Send again')}</div>
    <h2>Attempts</h2>
    ${table('Attempts', ['No.', 'At (UTC)', 'Answer', 'Took', 'Body', 'Headers sent'], rows, 'Not sent yet.')}`
}

export function merchantsPlace(parts: ConsoleParts): Html {
  return html`<h1>Merchants and keys</h1>
    ${parts.merchants.list().map((one) => merchantSheet(parts, one))}
    <h2>Another merchant</h2>
    <form class="row" method="post" action="/console/merchants">
      <label>Name<input name="name" maxlength="100" /></label><button>Create</button>
    </form>`
}

function merchantSheet({ merchants, tokens, now }: ConsoleParts, one: Merchant): Html {
  const id = one.business_id
  const wallets = merchants
    .wallets(id)
    .map((wallet) => [
      wallet.wallet_no,
      wallet.currency,
      wallet.allocated ? html`<span class="yes">allocated</span>` : html`<span class="no">not allocated</span>`,
      html`<form method="post" action="/console/wallets">
        <input type="hidden" name="wallet_no" value="${wallet.wallet_no}" /><input
          type="hidden"
          name="allocated"
          value="${wallet.allocated ? 'no' : 'yes'}"
        /><button>${wallet.allocated ? 'Take channel 420001 away' : 'Allocate channel 420001'}</button>
      </form>`,
    ])
  const rows = tokens
    .list()
    .filter(({ business_id }) => business_id === id)
    .slice(0, 10)
    .map((token) => {
      const live = token.revoked_at === null && token.expires_at > now()
      return [
        token.id,
        at(token.issued_at),
        at(token.expires_at),
        live ? state('live') : token.revoked_at === null ? 'over' : 'revoked',
        live ? button(`tokens/${token.id}/revoke`, 'Revoke') : '',
      ]
    })
  return html`<h2>${one.name}</h2>
    ${facts([
      ['Business id', html`<code>${id}</code>`],
      ['Consumer key', html`<code>${one.consumer_key}</code>`],
      [
        'Consumer secret',
        html`<details>
          <summary>Show</summary>
          <code>${one.consumer_secret}</code>
        </details>`,
      ],
      ['State', one.enabled ? html`<span class="yes">enabled</span>` : html`<span class="no">disabled</span>`],
      ['Wallet holder', one.email],
    ])}
    <div class="buttons">
      ${button(`merchants/${id}/rotate`, 'Rotate keys')}${one.enabled ? button(`merchants/${id}/disable`, 'Disable', 'stop') : button(`merchants/${id}/enable`, 'Enable', 'main')}
    </div>
    <details>
      <summary>Public key</summary>
      <form method="post" action="/console/merchants/${id}/public-key">
        <label
          >PEM, RSA of at least 2048 bits<textarea name="public_key" spellcheck="false">
${one.public_key ?? ''}</textarea>
        </label>
        <div class="buttons"><button>Upload</button></div>
      </form>
    </details>
    <h3>Wallets</h3>
    ${table(`Wallets of ${one.name}`, ['Wallet', 'Currency', 'Channel 420001', 'Action'], wallets, 'No wallet yet.')}
    <form class="row buttons" method="post" action="/console/wallets">
      <input type="hidden" name="business_id" value="${id}" /><label
        >Currency<select name="currency">
          ${CURRENCIES.map((currency) => html`<option>${currency}</option>`)}
        </select></label
      ><button>Add a wallet</button>
    </form>
    <h3>Tokens</h3>
    ${table(`Tokens of ${one.name}`, ['Token', 'Issued (UTC)', 'Until', 'State', 'Action'], rows, 'Nobody has logged in yet.')}`
}

export function scenariosPlace(): Html {
  const rows = SCENARIOS.map((one) => [
    html`<code>…0000${one.number}</code>`,
    html`<code>${phoneOf(one)}</code>`,
    html`<b>${one.title}</b><br />${one.does}`,
    one.name,
    one.ending,
  ])
  return html`<h1>Scenarios</h1>
    <p class="soft">
      A payer’s phone (acc_no) that ends with 0000 and a number of this table plays by itself. Any other phone is played
      by a person at the hosted checkout.
    </p>
    ${table('Scenarios', ['Phone ends with', 'For example', 'What happens', 'Name', 'Ending'], rows, '')}`
}

export function faultsPlace({ faults }: ConsoleParts): Html {
  const now = faults.get()
  const check = (name: keyof Faults, text: string): Html =>
    html`<label class="check"
      ><input type="checkbox" name="${name}" ${now[name] ? html` checked` : ''} />${text}</label
    >`
  const hits = (name: 'server_error' | 'rate_limited' | 'timeout' | 'cut', text: string): Html =>
    html`<label
      >${text}<input
        name="${name}"
        inputmode="numeric"
        pattern="[0-9]*|all"
        value="${now[name] === true ? 'all' : now[name] === false ? '0' : now[name]}"
    /></label>`
  const on = JSON.stringify(now) !== JSON.stringify(NO_FAULTS)
  return html`<h1>Faults</h1>
    <p class="soft">
      ${on ? html`<span class="no">Some faults are on.</span>` : 'No fault is on.'} A number is how many of the coming
      calls are hit; “all” hits every call.
    </p>
    <form method="post" action="/console/faults">
      <div class="sheet pad grid">
        <label
          >Latency of every call, in milliseconds<input name="latency_ms" inputmode="numeric" value="${now.latency_ms}"
        /></label>
        ${hits('server_error', '500, nothing processed')}${hits('rate_limited', '429 with Retry-After: 2, nothing processed')}
        ${hits('timeout', 'Processed, then 30 seconds of silence and 504')}${hits('cut', 'Processed, then the connection is cut')}
        <label
          >The status query is missing<select name="query_path_missing">
            ${['no', '404', '405', '501'].map((value) => html`<option${String(now.query_path_missing || 'no') === value ? html` selected` : ''}>${value}</option>`)}
          </select></label
        >
        <label
          >Requests a minute (empty: as started)<input name="rate" inputmode="numeric" value="${now.rate ?? ''}"
        /></label>
        <label
          >Addresses that may call (empty: all)<input name="ip_allow_list" value="${now.ip_allow_list.join(' ')}"
        /></label>
        ${check('extra_field', 'Callbacks carry an extra field')}${check('decimal_amount', 'Callbacks write amounts as 2500.00')}
        ${check('date_24_hours', 'Dates in 24 hours with a marker')}${check('strict_session', 'redirect_url opens once (then 410)')}
      </div>
      <div class="buttons"><button class="main">Set</button></div>
    </form>
    ${button('faults/clear', 'Switch all off')}`
}

export function clockPlace({ now }: ConsoleParts): Html {
  const jumps: [number, string][] = [
    [5, '5 seconds'],
    [60, '1 minute'],
    [900, '15 minutes'],
    [3600, '1 hour'],
    [86_400, '24 hours'],
  ]
  return html`<h1>Clock</h1>
    <p>
      It is <b>${at(now())}</b> UTC in the sandbox. Moving it forward runs all that falls due on the way; it never goes
      back.
    </p>
    <div class="buttons">
      ${jumps.map(([seconds, text]) => html`<form method="post" action="/console/clock"><input type="hidden" name="advance" value="${seconds}" /><button>Forward ${text}</button></form>`)}
    </div>
    <form class="row" method="post" action="/console/clock">
      <label>Seconds<input name="advance" inputmode="numeric" pattern="[0-9]+" required /></label
      ><button>Forward</button>
    </form>`
}
