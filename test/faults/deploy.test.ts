// The deployment files work: nginx accepts our nginx.conf and passes a companion's streams, pages
// and errors; the container's commands and settings fit the package; systemd accepts the unit.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request as overHttp, type Server } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nodeListener } from '../../server/node.ts'
import { readSettings } from '../../server/settings/settings.ts'
import {
  createTestSystem,
  type TestSystem,
  kenyanDeposit,
  keys,
  newKey,
  SHOP_URL,
} from '../helpers/create-test-system.ts'
import { freePort } from '../helpers/free-port.ts'
import { type Nginx, nginxMissing, startNginx } from '../helpers/nginx.ts'
import { makeCertificate, opensslMissing } from '../helpers/certificate.ts'
import { root, run } from '../helpers/run-quietly.ts'

const deploy = (name: string) => readFileSync(join(root, 'server/deploy', name), 'utf8')
const NAME = 'pay.shop.example'
const missing = (await nginxMissing()) ?? opensslMissing()

async function serve(listener: Parameters<typeof createServer>[1]): Promise<[Server, number]> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return [server, (server.address() as AddressInfo).port]
}

/** As the comment in nginx.conf says. */
function forOldNginx(file: string): string {
  return file.replace(/^ +# Before nginx .* are one: (listen .*;)\n.*\n.*$/m, '$1')
}

describe.skipIf(missing)(`behind nginx with our nginx.conf${missing ? ` (${missing})` : ''}`, () => {
  let folder: string
  let system: TestSystem
  let server: Server
  let nginx: Nginx
  let browser: ClientHttp2Session

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hc-deploy-'))
    makeCertificate(NAME, { key: join(folder, 'privkey.pem'), certificate: join(folder, 'fullchain.pem') })
    system = await createTestSystem()
    const [made, port] = await serve((request, response) => void nodeListener(system.companion)(request, response))
    server = made
    // The second companion is down: nobody listens there.
    const nobody = await freePort()
    const configured = (file: string) => (plain: number, secure: number) =>
      file
        .replace('companion-1:8787', `127.0.0.1:${port}`)
        .replace('companion-2:8787', `127.0.0.1:${nobody}`)
        .replace('listen 80;', `listen 127.0.0.1:${plain};`)
        .replace('listen 443 ssl', `listen 127.0.0.1:${secure} ssl`)
        .replaceAll('/etc/nginx/certificates', folder)
        // So that no test has to be quick.
        .replace('rate=300r/s', 'rate=1r/s')
    nginx = await startNginx(configured(deploy('nginx.conf'))).catch(async (error: unknown) => {
      if (!String(error).includes('unknown directive "http2"')) throw error
      return startNginx(configured(forOldNginx(deploy('nginx.conf'))))
    })
    browser = connect(`https://127.0.0.1:${nginx.secondPort}`, {
      ca: readFileSync(join(folder, 'fullchain.pem')),
      servername: NAME,
    })
  })
  afterAll(async () => {
    browser?.destroy()
    await nginx?.stop()
    server?.closeAllConnections()
    server?.close()
    await system?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /**
   * A request as a browser makes it, over HTTP/2; `until` reads the answer as far as the text is
   * found, or to its end.
   */
  function ask(
    headers: Record<string, string>,
    body?: string,
  ): { status: Promise<number>; until: (text?: RegExp) => Promise<string> } {
    const stream = browser.request(
      { ':authority': NAME, origin: SHOP_URL, ...headers },
      { endStream: body === undefined },
    )
    stream.setEncoding('utf8')
    stream.on('error', () => {})
    if (body !== undefined) stream.end(body)
    let text = ''
    return {
      status: new Promise((resolve, reject) => {
        stream.once('response', (answer) => resolve(Number(answer[':status'])))
        stream.once('error', reject)
      }),
      until: (wanted) =>
        new Promise((resolve, reject) => {
          const look = () => {
            if (wanted?.test(text) === true) resolve(text)
          }
          stream.on('data', (chunk: string) => {
            text += chunk
            look()
          })
          stream.once('end', () => (wanted === undefined ? resolve(text) : reject(new Error(`It ended after ${text}`))))
          look()
        }),
    }
  }

  async function create(): Promise<{ id: string; token: string }> {
    const answer = ask(
      { ':method': 'POST', ':path': '/v1/deposits', 'content-type': 'application/json', 'idempotency-key': newKey() },
      JSON.stringify(kenyanDeposit({ payer: { name: 'Achieng Otieno', phone: '0700000001' } })),
    )
    const text = answer.until()
    expect(await answer.status).toBe(201)
    return JSON.parse(await text) as { id: string; token: string }
  }

  test('events arrive while the stream is open', async () => {
    const { id, token } = await create()
    const stream = ask({ ':path': `/v1/deposits/${id}/events`, authorization: `Bearer ${token}` })
    await stream.until(/"phase":"open"/)
    await system.advance(10)
    await stream.until(/"phase":"succeeded"/)
  })

  test('a companion that is down is passed over, for a payment that begins too, and nothing is begun twice', async () => {
    for (let i = 0; i < 6; i++) await create()
    const made = ((await (await system.service('/console/api/transactions?limit=100')).json()) as { data: unknown[] })
      .data
    const ours = (await (await system.backend('/v1/payments?limit=100')).json()) as { payments: unknown[] }
    expect(made).toHaveLength(ours.payments.length)
  })

  test('http leads to https, figures stay inside, and a customer counts by the address that nginx saw', async () => {
    // Whatever host is asked for: a cache on the way would lead others there.
    for (const host of [NAME, 'stranger.example']) {
      const [plain] = (await once(overHttp(`${nginx.url}/pay?x=1`, { headers: { host } }).end(), 'response')) as [
        IncomingMessage,
      ]
      plain.resume()
      expect(plain.statusCode).toBe(308)
      expect(plain.headers.location).toBe(`https://${NAME}/pay?x=1`)
    }
    expect(await ask({ ':path': '/metrics' }).status).toBe(403)
    expect(await ask({ ':path': '/healthz' }).status).toBe(200)
  })

  test('whether it is ready can be asked from outside, but not without end', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask({ ':path': '/readyz' }).status))
    expect(answers[0]).toBe(200)
    expect(answers.filter((status) => status === 429).length).toBeGreaterThan(20)
    expect(await ask({ ':path': '/healthz' }).status).toBe(200)
  })

  test('a flood of callbacks from one address is cut, and the first of it are answered', async () => {
    const forged = () => ask({ ':method': 'POST', ':path': '/v1/webhook/made-up-key' }, '{}').status
    const answers = await Promise.all(Array.from({ length: 700 }, forged))
    expect(answers.filter((status) => status !== 429).length).toBeGreaterThan(600)
    expect(answers).toContain(429)
    expect(await ask({ ':path': '/healthz' }).status).toBe(200)
  })

  test('a statement of the portal passes up to 8 MB, and nothing else is as large', async () => {
    const sent = async (path: string, megabytes: number) => {
      const key = { authorization: `Bearer ${keys.merchantKey}`, 'content-type': 'text/csv' }
      return ask({ ':method': 'POST', ':path': path, ...key }, 'x'.repeat(megabytes * 1024 ** 2)).status
    }
    // By the companion: it has no such columns.
    expect(await sent('/v1/reconciliations?from=2026-01-01&to=2026-01-31', 7)).not.toBe(413)
    expect(await sent('/v1/reconciliations?from=2026-01-01&to=2026-01-31', 9)).toBe(413)
    expect(await sent('/v1/deposits', 1)).toBe(413)
  })
})

describe('the container', () => {
  const dockerfile = deploy('Dockerfile')
  const list = (instruction: string) =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]') as string[]

  test('starts the program of the package, with files that exist', () => {
    const { bin } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as {
      bin: Record<string, string>
    }
    expect(list('ENTRYPOINT')).toEqual(['node', `server/${bin['hc-checkout-server']}`])
    expect(list('CMD').at(-1)).toBe('start')
    for (const [, source = ''] of dockerfile.matchAll(/^COPY --from=build \/build\/(\S+)/gm))
      expect(existsSync(join(root, source))).toBe(true)
    for (const kept of ['.hc', '**/node_modules']) expect(deploy('Dockerfile.dockerignore').split('\n')).toContain(kept)
  })

  test('its health check is green for a companion that lives and red for one that does not', async () => {
    const [command = '', ...rest] = JSON.parse(/HEALTHCHECK[^[]*(\[.*\])/.exec(dockerfile)?.[1] ?? '[]') as string[]
    const system = await createTestSystem()
    const [server, port] = await serve((request, response) => void nodeListener(system.companion)(request, response))
    const health = () => run(command, rest, { env: { HC_PORT: String(port) } })
    expect((await health()).code).toBe(0)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect((await health()).code).toBe(1)
    await system.close()
  })

  test('compose.yaml gives it settings that it takes, once the example is filled in', () => {
    const env: Record<string, string> = {}
    for (const [, line = ''] of dockerfile.matchAll(/^ENV (.*)$/gm))
      for (const pair of line.split(' ')) env[pair.split('=')[0] ?? ''] = pair.split('=')[1] ?? ''
    for (const [, name = '', value = ''] of deploy('companion.env.example').matchAll(/^(\w+)=(.*)$/gm))
      env[name] = value
    Object.assign(env, {
      HC_AUTH_URL: 'https://auth.example',
      HC_BASE_URL: 'https://api.example',
      HC_BUSINESS_ID: 'BIZ-1',
      HC_WALLETS: 'KES:1234567',
      HC_CHECKOUT_ORIGINS: 'https://checkout.example',
    })
    const given = /environment: &companion-environment\n((?: {4}.*\n)+)/.exec(deploy('compose.yaml'))?.[1] ?? ''
    for (const [, name = '', value = ''] of given.matchAll(/^ {4}(HC_\w+): (.*?)(?: #.*)?$/gm))
      env[name] = value === "''" ? '' : value
    const secrets: Record<string, string> = {
      database_url: 'postgres://hc:secret@postgres:5432/hc?sslmode=disable',
      consumer_key: 'ck_live_1',
      consumer_secret: keys.consumerSecret,
      private_key: keys.privateKey,
      installation_secret: keys.secret,
      merchant_key: keys.merchantKey,
      ops_token: 'an-ops-token-of-the-shop-7f3a9c1e5b2d8064',
      notify_secret: keys.notifySecret,
    }
    const [, handed = ''] = /^ {2}secrets:\s*\[([^\]]*)\]/m.exec(deploy('compose.yaml')) ?? []
    expect(handed.match(/\w+/g)?.toSorted()).toEqual(Object.keys(secrets).toSorted())
    for (const name of Object.keys(secrets)) expect(deploy('compose.yaml')).toMatch(`  ${name}: { file: ./secrets/`)
    const settings = readSettings(env, (path) => secrets[path.split('/').at(-1) ?? ''] ?? '')
    expect(settings).toMatchObject({
      host: '0.0.0.0',
      databaseUrl: secrets['database_url'],
      opsToken: secrets['ops_token'],
      paymentMode: 'live',
      trustedProxies: ['172.30.0.0/24'],
    })
  })
})

test('no log of compose.yaml grows without end', () => {
  const compose = deploy('compose.yaml')
  expect(compose).toMatch(/^x-logging: &logging \{ driver: local \}$/m)
  const [, companion = '', services = ''] =
    /^x-companion: &companion\n([^]*?)^services:\n([^]*?)^\S/m.exec(compose) ?? []
  const blocks = services.split(/^(?= {2}\S)/m).map((block) => block.replace('*companion', companion))
  expect(blocks.map((block) => block.trim().split(':')[0])).toEqual(['companion-1', 'companion-2', 'postgres', 'nginx'])
  for (const block of blocks) expect(block).toMatch(/^ +logging: \*logging$/m)
})

test('docker and systemd wait longer for a stop than it takes at most', () => {
  const atMost = Number(
    /process ends after (\d+) s at most/.exec(readFileSync(join(root, 'demo/docs/deploy.md'), 'utf8'))?.[1],
  )
  for (const [file, given] of [
    ['compose.yaml', /^ {2}stop_grace_period: (\d+)s$/m],
    ['Dockerfile', /docker stop -t (\d+)/],
    ['hc-checkout.service', /^TimeoutStopSec=(\d+)$/m],
  ] as const)
    expect({ file, waits: Number(given.exec(deploy(file))?.[1]) > atMost }).toEqual({ file, waits: true })
})

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).status === 0 ? undefined : 'no systemd-analyze on this machine'

test('systemd never gives up on a companion whose database comes later', () => {
  const [unit = ''] = deploy('hc-checkout.service').split('[Service]')
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m)
})

test('systemd writes no core file, which would hold the keys', () => {
  expect(deploy('hc-checkout.service')).toMatch(/^LimitCORE=0$/m)
})

test('systemd: file:companion.db, as the guide has it, is the file that the unit names', () => {
  const unit = deploy('hc-checkout.service')
  const kept = /^Environment=HC_DATABASE_URL=file:(\S+)\/companion\.db$/m.exec(unit)?.[1]
  expect(kept).toBe(`/var/lib/${/^StateDirectory=(\S+)$/m.exec(unit)?.[1]}`)
  expect(/^WorkingDirectory=(\S+)$/m.exec(unit)?.[1]).toBe(kept)
})

test.skipIf(noSystemd)(`systemd takes the unit without a word${noSystemd ? ` (${noSystemd})` : ''}`, async () => {
  const { code, output } = await run('systemd-analyze', ['verify', join(root, 'server/deploy/hc-checkout.service')])
  expect({ code, output }).toEqual({ code: 0, output: '' })
})
