// What the forms of the console's pages do: the same as /console/api, then back to the page with a
// sentence.
import { Hono, type Context } from 'hono'
import { Bodies, createConsoleActions, parseBody, TRANSACTION_ACTIONS, type ConsoleParts } from './actions.ts'
import { ACTION_NAMES } from './payments.ts'
import { ServiceError } from '../engine/envelope.ts'
import { NO_FAULTS } from '../engine/faults.ts'
import { readBody } from '../service/request-body.ts'

export function consoleForms(parts: ConsoleParts): Hono {
  const { merchants, tokens, deliveries, faults, advance } = parts
  const actions = createConsoleActions(parts)
  const app = new Hono()

  /** Handles a form: does the work, then redirects to the page it came from with a message. */
  const form = (
    path: string,
    back: (c: Context) => string,
    work: (c: Context, fields: URLSearchParams) => string | Promise<string>,
  ): void =>
    void app.post(path, async (c) => {
      const fields = new URLSearchParams(Buffer.from(await readBody(c)).toString('utf8'))
      let said: string
      try {
        said = await work(c, fields)
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        said = saidOf(error)
      }
      return c.redirect(`/console${back(c)}?said=${encodeURIComponent(said)}`, 303)
    })
  const id = (c: Context): string => c.req.param('id') ?? ''
  const toTransaction = (c: Context): string => `/transactions/${encodeURIComponent(id(c))}`

  for (const action of TRANSACTION_ACTIONS) {
    form(`/transactions/:id/${action}`, toTransaction, (c) => {
      actions.act(id(c), action)
      return `Done: ${ACTION_NAMES[action]}.`
    })
  }
  form('/transactions/:id/scenario', toTransaction, (c, fields) => {
    actions.play(id(c), fields.get('scenario') ?? '')
    return 'The scenario plays.'
  })
  form(
    '/deliveries/:id/resend',
    (c) => `/deliveries/${encodeURIComponent(id(c))}`,
    (c) => {
      deliveries.resend(Number(id(c)) || 0)
      return 'It is being sent again.'
    },
  )
  const toMerchants = (): string => '/merchants'
  form(
    '/merchants',
    toMerchants,
    (_c, fields) =>
      `Created ${merchants.create(fields.get('name') ? { name: fields.get('name') ?? '' } : {}).business_id}.`,
  )
  form('/merchants/:id/rotate', toMerchants, (c) => {
    actions.rotate(id(c))
    return 'New keys: give them to your companion. The old ones and their tokens no longer work.'
  })
  form('/merchants/:id/disable', toMerchants, (c) => `Disabled: ${actions.enable(id(c), false).name}.`)
  form('/merchants/:id/enable', toMerchants, (c) => `Enabled: ${actions.enable(id(c), true).name}.`)
  form('/merchants/:id/public-key', toMerchants, (c, fields) => {
    merchants.uploadPublicKey(id(c), fields.get('public_key') ?? '')
    return 'The public key is in use.'
  })
  form('/wallets', toMerchants, (_c, fields) => {
    const wish = Object.fromEntries(
      [...fields].map(([name, value]) => [name, name === 'allocated' ? value === 'yes' : value]),
    )
    return `Wallet ${actions.putWallet(parseBody(Bodies.wallet, wish)).wallet_no} is saved.`
  })
  form('/tokens/:id/revoke', toMerchants, (c) => {
    tokens.revoke(id(c))
    return 'The token is revoked.'
  })
  form(
    '/clock',
    () => '/clock',
    async (_c, fields) => {
      const seconds = parseBody(Bodies.clock, { advance: Number(fields.get('advance') || Number.NaN) }).advance
      await advance(seconds)
      return `The clock was moved ${seconds} seconds forward.`
    },
  )
  form(
    '/faults/clear',
    () => '/faults',
    () => {
      faults.set(NO_FAULTS)
      return 'All faults are off.'
    },
  )
  form(
    '/faults',
    () => '/faults',
    (_c, fields) => {
      faults.set(parseBody(Bodies.faults, faultsOf(fields)))
      return 'The faults are set.'
    },
  )
  return app
}

/**
 * The message and what is wrong with each field; one that names a single fault is not said twice.
 */
function saidOf({ message, errors = {} }: ServiceError): string {
  const faults = Object.entries(errors).flatMap(([field, texts]) => texts.map((text) => `${field}: ${text}`))
  return Object.values(errors).flat().includes(message) ? message : [message, ...faults].join(' ')
}

function faultsOf(fields: URLSearchParams): Record<string, unknown> {
  const text = (name: string): string => (fields.get(name) ?? '').trim()
  const hits = (name: string): unknown => (text(name) === 'all' ? true : Number(text(name) || 0))
  return {
    latency_ms: Number(text('latency_ms') || 0),
    server_error: hits('server_error'),
    rate_limited: hits('rate_limited'),
    timeout: hits('timeout'),
    cut: hits('cut'),
    on: fields.getAll('on'),
    query_path_missing: text('query_path_missing') === 'no' ? false : Number(text('query_path_missing')),
    rate: text('rate') ? Number(text('rate')) : null,
    ip_allow_list: text('ip_allow_list')
      .split(/[\s,]+/)
      .filter(Boolean),
    extra_field: fields.has('extra_field'),
    decimal_amount: fields.has('decimal_amount'),
    date_24_hours: fields.has('date_24_hours'),
    strict_session: fields.has('strict_session'),
  }
}
