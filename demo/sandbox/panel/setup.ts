// The console's set-up pages: merchants and their keys, scenarios, faults, clock.
import { html } from 'hono/html'
import type { ConsoleParts } from './actions.ts'
import { at, button, type Cell, copy, facts, PAGE_SIZE, state, table, type Html } from './page.ts'
import { ENDPOINTS, isAnyOn, type Faults } from '../engine/faults.ts'
import { CURRENCIES } from '../engine/markets.ts'
import type { Merchant } from '../engine/merchants.ts'
import { isForExisting, phoneOf, type Scenario, SCENARIOS } from '../engine/scenarios.ts'
import type { Transaction } from '../engine/transaction.ts'

export function merchantsPage(parts: ConsoleParts): Html {
  return html`<h1>Merchants and keys</h1>
    ${parts.merchants.list().map((one) => merchantSheet(parts, one))}
    <h2>Another merchant</h2>
    <form class="row" method="post" action="/console/merchants">
      <label>Name<input name="name" maxlength="100" /></label><button>Create</button>
    </form>`
}

function merchantSheet(parts: ConsoleParts, one: Merchant): Html {
  const id = one.business_id
  return html`<h2>${one.name}</h2>
    ${facts([
      ['Business id', html`<code>${id}</code>${copy(id, 'the business id')}`],
      ['Consumer key', html`<code>${one.consumer_key}</code>${copy(one.consumer_key, 'the consumer key')}`],
      [
        'Consumer secret',
        html`<details>
            <summary>Show</summary>
            <code>${one.consumer_secret}</code>
          </details>
          ${copy(one.consumer_secret, 'the consumer secret')}`,
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
    ${walletTable(parts, one)}
    <form class="row buttons" method="post" action="/console/wallets">
      <input type="hidden" name="business_id" value="${id}" /><label
        >Currency<select name="currency">
          ${CURRENCIES.map((currency) => html`<option>${currency}</option>`)}
        </select></label
      ><button>Add a wallet</button>
    </form>
    <h3>Tokens</h3>
    ${tokenTable(parts, one)}`
}

function walletTable({ merchants }: ConsoleParts, one: Merchant): Html {
  const rows = merchants
    .wallets(one.business_id)
    .map((wallet) => [
      wallet.wallet_no,
      wallet.currency,
      wallet.allocated ? html`<span class="yes">allocated</span>` : html`<span class="no">not allocated</span>`,
      html`<form method="post" action="/console/wallets">
        <input type="hidden" name="wallet_no" value="${wallet.wallet_no}" /><input
          type="hidden"
          name="allocated"
          value="${wallet.allocated ? 'no' : 'yes'}"
        /><button
          aria-label="${wallet.allocated ? 'Take away channel 420001 of' : 'Allocate channel 420001 to'} ${wallet.currency}"
        >
          ${wallet.allocated ? 'Take away' : 'Allocate'}
        </button>
      </form>`,
    ])
  return table(`Wallets of ${one.name}`, ['Wallet', 'Currency', 'Channel 420001', 'Action'], rows, 'No wallet yet.')
}

const TOKENS_SHOWN = 10

function tokenTable({ tokens, now }: ConsoleParts, one: Merchant): Html {
  const newest = tokens.list(TOKENS_SHOWN + 1, one.business_id)
  const rows = newest.slice(0, TOKENS_SHOWN).map((token) => {
    const live = token.revoked_at === null && token.expires_at > now()
    return [
      token.id,
      at(token.issued_at),
      at(token.expires_at),
      live ? state('live') : token.revoked_at === null ? 'over' : 'revoked',
      live ? button(`tokens/${token.id}/revoke`, 'Revoke') : '',
    ]
  })
  const heads = ['Token', 'Issued (UTC)', 'Until', 'State', 'Action']
  return html`${table(`Tokens of ${one.name}`, heads, rows, 'Nobody has logged in yet.')}
  ${
    newest.length > TOKENS_SHOWN
      ? html`<p class="more">
          The newest ${TOKENS_SHOWN}.
          <a href="/console/api/tokens?business_id=${one.business_id}&limit=1000">Older ones too, as JSON</a>
        </p>`
      : ''
  }`
}

/** The newest payment that a scenario can still be played on. */
function playable({ transactions }: ConsoleParts): Transaction | undefined {
  return transactions.list(PAGE_SIZE).find(({ step }) => step !== 'ended')
}

function playButton(one: Scenario, on: Transaction | undefined): Cell {
  if (on === undefined || !isForExisting(one)) return ''
  return html`<form method="post" action="/console/transactions/${on.transaction_id}/scenario">
    <input type="hidden" name="scenario" value="${one.name}" /><button aria-label="Play this: ${one.title}">
      Play this
    </button>
  </form>`
}

export function scenariosPage(parts: ConsoleParts): Html {
  const on = playable(parts)
  const rows = SCENARIOS.map((one) => [
    html`<code>…0000${one.number}</code>`,
    html`<code>${phoneOf(one)}</code>${copy(phoneOf(one), 'the phone number')}`,
    html`<div class="prose"><b>${one.title}</b><br />${one.does}</div>`,
    one.name,
    one.ending,
    playButton(one, on),
  ])
  return html`<h1>Scenarios</h1>
    <p class="soft">
      A payer’s phone (acc_no) that ends with 0000 and a number of this table plays by itself. Any other phone is played
      by a person at the hosted checkout.
    </p>
    <p>
      ${
        on === undefined
          ? 'Start a payment in the shop: a scenario can then be played on it from here.'
          : html`“Play this” plays it on the newest payment under way,
              <a class="ref" href="/console/transactions/${on.transaction_id}">${on.reference}</a>.`
      }
    </p>
    ${table('Scenarios', ['Phone ends with', 'For example', 'What happens', 'Name', 'Ending', 'Action'], rows, '')}`
}

export function faultsPage({ faults }: ConsoleParts): Html {
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
  return html`<h1>Faults</h1>
    <p class="soft">
      ${isAnyOn(now) ? html`<span class="no">Some faults are on.</span>` : 'No fault is on.'} A number is how many of
      the coming calls are hit; “all” hits every call.
    </p>
    <form method="post" action="/console/faults">
      <div class="sheet pad grid">
        ${hits('server_error', '500, nothing processed')}${hits('rate_limited', '429 with Retry-After: 2, nothing processed')}
        ${hits('timeout', 'Processed, then 30 seconds of silence and 504')}${hits('cut', 'Processed, then the connection is cut')}
        <fieldset>
          <legend>The calls that these four hit</legend>
          <div>
            ${ENDPOINTS.map(
              (name) =>
                html`<label class="check"
                  ><input
                    type="checkbox"
                    name="on"
                    value="${name}"
                    ${now.on.includes(name) ? html` checked` : ''}
                  />${name}</label
                >`,
            )}
          </div>
        </fieldset>
        <label
          >Latency of every call, in milliseconds<input name="latency_ms" inputmode="numeric" value="${now.latency_ms}"
        /></label>
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
      <div class="buttons">
        <button class="main">Set</button
        ><button formaction="/console/faults/clear" formnovalidate>Switch all off</button>
      </div>
    </form>`
}

export function clockPage({ now }: ConsoleParts): Html {
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
