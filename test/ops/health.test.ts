// The one list of health checks: what each finds, and that readiness, alerts and doctor say the
// same of it.
import { describe, expect, it } from 'vitest'
import { PLAIN_ALERT_KINDS } from '../../server/deposits/machine/alerts.ts'
import { type Seen, healthChecks } from '../../server/operations/health.ts'
import { TROUBLES } from '../../server/operations/troubles.ts'
import { adviceFor } from '../../server/operations/alerts/advice.ts'
import type { UpstreamHealth } from '../../server/deposits/ports/upstream.ts'

const SOUND: UpstreamHealth = {
  login: 'ok',
  hasToken: true,
  breaker: 'closed',
  queryPath: 'ok',
  addressRefused: false,
  signatureRefused: false,
  paused: false,
}

function look(upstream: Partial<UpstreamHealth>, seen: Partial<Seen> = {}) {
  const all = { settings: { confirm: 'query', queryPath: '/q' }, upstream: { ...SOUND, ...upstream }, ...seen } as const
  return healthChecks.flatMap((check) => {
    const finding = check.look(all)
    return finding === undefined || finding.state === 'ok' ? [] : [{ name: check.name, ...finding }]
  })
}

describe('the list of health checks', () => {
  it('finds nothing in a sound system', () => {
    const notices = { isBegun: true, receiver: 'ok', unheard: [] } as const
    expect(look({}, { store: 'ok', isRestoreUnfinished: false, notices })).toEqual([])
  })

  it.each([
    ['login', 'fail', 'login_refused', { login: 'refused', hasToken: false, detail: 'No.' }],
    ['login', 'warn', 'login_refused', { login: 'refused', detail: 'No.' }],
    ['login', 'warn', 'login_unanswered', { login: 'unreachable', detail: 'HTTP 502' }],
    ['upstream', 'fail', 'upstream_down', { breaker: 'open', fault: 'timeout' }],
    ['upstream', 'warn', 'upstream_down', { breaker: 'half_open', fault: 'timeout' }],
    ['upstream', 'warn', 'upstream_paused', { paused: true, pausedUntil: 0 }],
    ['upstream', 'warn', undefined, { pausedUntil: 0 }],
    ['query', 'fail', 'query_path_missing', { queryPath: 'missing' }],
    ['address', 'fail', 'address_not_allowed', { addressRefused: true }],
    ['signature', 'fail', 'create_refused', { signatureRefused: true }],
    ['account', 'fail', undefined, { tokenRefused: true }],
  ] as const)('finds at %s the state %s with the alert %s', (name, state, kind, upstream) => {
    expect(look(upstream)).toMatchObject([{ name, state }])
    expect(look(upstream)[0]?.alert?.kind).toBe(kind)
  })

  it.each([
    ['creates', 'create_unanswered', 'KES: 5 in a row; now timeout.'],
    ['queries', 'query_unanswered', 'KES: no state since 2026-01-01T00:00:00.000Z; now timeout.'],
  ] as const)('warns of %s without an answer in the words of the alert %s', (name, kind, trouble) => {
    const [finding, ...more] = look({}, { [name]: [trouble] })
    expect(more).toEqual([])
    const says = `${TROUBLES[kind].title}. ${trouble}`
    expect(finding).toMatchObject({ name, state: 'warn', says, alert: { kind, detail: trouble } })
    expect(look({}, { [name]: [] })).toEqual([])
  })

  it('raises one alert for a login that is refused by address, and advises about the address alone', () => {
    const found = look({ login: 'refused', hasToken: false, addressRefused: true, detail: 'IP address not allowed.' })
    expect(found.map(({ name, alert }) => [name, alert?.kind])).toEqual([
      ['login', undefined],
      ['address', 'address_not_allowed'],
    ])
    // A merchant who makes another key pair mends nothing.
    for (const { todo } of found) {
      expect(todo).toMatch(/address/i)
      expect(todo).not.toMatch(/key|secret|HC_CONSUMER/i)
    }
    expect(look({ login: 'refused', hasToken: false, detail: 'No.' })[0]?.todo).toMatch(/HC_CONSUMER_KEY/)
  })

  it('leaves out what nobody looked at', () => {
    const seen = { settings: { confirm: 'query', queryPath: '/q' }, upstream: SOUND } as const
    const silent = healthChecks.filter((check) => check.look(seen) === undefined).map(({ name }) => name)
    expect(silent).toEqual(['store', 'restore', 'account', 'creates', 'queries', 'notices', 'companions'])
  })

  it('gives each trouble the words of its alert', () => {
    const shared = PLAIN_ALERT_KINDS.filter((kind) => Object.hasOwn(TROUBLES, kind))
    expect(shared.length).toBeGreaterThan(7)
    for (const kind of shared) expect(adviceFor(kind)).toEqual(TROUBLES[kind as keyof typeof TROUBLES])
  })

  it('adds no second advice to the database’s own', () => {
    const failing = { failsSince: 0, why: 'The disk is full.' }
    const [found] = look({}, { store: failing })
    expect(found?.todo).toBe('The disk is full.')
    expect(found?.alert?.detail).toBe(
      'Writing to the database has failed since 1970-01-01T00:00:00.000Z. The disk is full.',
    )
  })
})
