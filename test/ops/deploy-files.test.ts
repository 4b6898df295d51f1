// What lies beside the companion for who runs it: alert rules and dashboard name metrics that
// exist,
// the script makes usable secrets, and the backup's units are ones that systemd takes.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../server/platform/metrics.ts'
import { readSettings } from '../../server/settings/settings.ts'
import { root } from '../helpers/run-quietly.ts'

const deploy = (name: string) => join(root, 'server/deploy', name)
const folder = mkdtempSync(join(tmpdir(), 'hc-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { alert: string; expr: string; annotations: Record<string, string> }[]
  }[]
}
interface Dashboard {
  readonly panels: readonly { id: number; title: string; targets: readonly { expr: string }[] }[]
}

/** With what Prometheus makes of a histogram. */
async function metricNames(): Promise<ReadonlySet<string>> {
  const text = await createMetrics().read()
  return new Set(
    [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

const namesIn = (expression: string): string[] => expression.match(/\bhc_\w+/g) ?? []

describe('what Prometheus and Grafana read', () => {
  it('the rules name metrics that there are, and say what happened', async () => {
    const { groups } = parse(readFileSync(deploy('alerts.yaml'), 'utf8')) as Rules
    const rules = groups.flatMap((group) => group.rules)
    const known = await metricNames()
    expect(rules.length).toBeGreaterThan(6)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { alert, expr, annotations } of rules) {
      expect(namesIn(expr).length, alert).toBeGreaterThan(0)
      expect(
        namesIn(expr).filter((name) => !known.has(name)),
        alert,
      ).toEqual([])
      expect(annotations['summary'], alert).toMatch(/\.$|\)/)
    }
  })

  it('each metric that the documentation calls worth an alert has a rule', () => {
    const [, table = ''] =
      /Worth an alert of your own[^]*?\n\n(\|[^]*?)\n\n/.exec(
        readFileSync(join(root, 'demo/docs/monitor.md'), 'utf8'),
      ) ?? []
    const worth = [...table.matchAll(/^\| `(hc_\w+)/gm)].map(([, name = '']) => name)
    const rules = readFileSync(deploy('alerts.yaml'), 'utf8')
    expect(worth.length).toBeGreaterThan(4)
    expect(worth.filter((name) => !rules.includes(name))).toEqual([])
  })

  it('the dashboard draws metrics that there are', async () => {
    const { panels } = JSON.parse(readFileSync(deploy('grafana.json'), 'utf8')) as Dashboard
    const known = await metricNames()
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { title, targets } of panels)
      for (const { expr } of targets) {
        expect(namesIn(expr).length, title).toBeGreaterThan(0)
        expect(
          namesIn(expr).filter((name) => !known.has(name)),
          title,
        ).toEqual([])
      }
  })
})

describe('the script for the secrets of compose.yaml', () => {
  const compose = parse(readFileSync(deploy('compose.yaml'), 'utf8')) as { secrets: Record<string, { file: string }> }
  const make = () => spawnSync('sh', [join(folder, 'make-secrets.sh')], { encoding: 'utf8', cwd: '/' })
  const secret = (name: string) => readFileSync(join(folder, compose.secrets[name]?.file ?? ''), 'utf8')

  it('makes each secret that the contract does not bring, and overwrites none', () => {
    cpSync(deploy('make-secrets.sh'), join(folder, 'make-secrets.sh'))
    expect(make()).toMatchObject({ status: 0, stderr: '' })
    const made = readdirSync(join(folder, 'secrets')).map((name) => `./secrets/${name}`)
    const wanted = Object.values(compose.secrets).map(({ file }) => file)
    expect(wanted.filter((file) => !made.includes(file)).toSorted()).toEqual([
      './secrets/consumer_key',
      './secrets/consumer_secret',
    ])
    const settings = readSettings({
      HC_AUTH_URL: 'https://auth.example',
      HC_BASE_URL: 'https://api.example',
      HC_BUSINESS_ID: 'BIZ-1',
      HC_WALLETS: 'KES:1234567',
      HC_CHECKOUT_ORIGINS: 'https://checkout.example',
      HC_PUBLIC_URL: 'https://pay.example',
      HC_CONSUMER_KEY: 'ck_live_1',
      HC_CONSUMER_SECRET: 'cs_live_1',
      HC_NOTIFY_URL: 'https://shop.example/notices',
      HC_DATABASE_URL: secret('database_url'),
      HC_PRIVATE_KEY: secret('private_key'),
      HC_SECRET: secret('installation_secret'),
      HC_MERCHANT_KEY: secret('merchant_key'),
      HC_NOTIFY_SECRET: secret('notify_secret'),
      HC_OPS_TOKEN: secret('ops_token'),
    })
    expect(settings.databaseUrl).toContain(secret('database_password').trim())
    expect(statSync(join(folder, 'secrets')).mode & 0o077).toBe(0)
    const before = secret('merchant_key')
    expect(make().stdout).not.toContain('made')
    expect(secret('merchant_key')).toBe(before)
  })

  it('makes no password for a database whose address is there already', () => {
    rmSync(join(folder, 'secrets/database_password'))
    expect(make()).toMatchObject({ status: 1, stderr: expect.stringContaining('belong together') })
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

it.skipIf(!hasSystemd)('systemd takes the units of the backup', () => {
  // The command is not installed here.
  const service = readFileSync(deploy('hc-checkout-backup.service'), 'utf8')
  writeFileSync(join(folder, 'hc-checkout-backup.service'), service.replace(/^EnvironmentFile=.*$/m, ''))
  cpSync(deploy('hc-checkout-backup.timer'), join(folder, 'hc-checkout-backup.timer'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'hc-checkout-backup.timer')], {
    encoding: 'utf8',
  })
  expect({ status, said: stderr.includes('hc-checkout-backup') ? stderr : '' }).toEqual({ status: 0, said: '' })
})
