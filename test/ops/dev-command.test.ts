// `dev`: sandbox and companion in one process, what it prints and writes, and that the next start
// goes on with the same keys.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createClient,
  createNoticeReceiver,
  expressNotices,
  memoryNoticeStore,
  type Client,
} from '../../server/client/index.ts'
import { envLines } from '../../server/cli/sandbox-files.ts'
import { freePort } from '../helpers/free-port.ts'
import { root } from '../helpers/run-quietly.ts'
import { run } from './run-in-process.ts'

let directory: string
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'hc-dev-'))))
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const fileOf = (name: string) => parseEnv(readFileSync(join(directory, name), 'utf8'))

/** Runs `work` while dev runs. */
async function developing(argv: string[], work: (printed: string) => Promise<void>, env: NodeJS.Dict<string> = {}) {
  let stop = (_signal: string): void => {}
  const stopped = new Promise<string>((resolve) => (stop = resolve))
  let begun = (_printed: string): void => {}
  const printed = new Promise<string>((resolve) => (begun = resolve))
  const asked: (() => Promise<string>)[] = [async () => stopped]
  const ended = run(['dev', '--directory', directory, ...argv], env, {
    out: (line) => begun(line),
    stopped: () => asked.shift()?.() ?? new Promise(() => {}),
  })
  try {
    await Promise.race([printed.then(work), ended])
  } finally {
    stop('SIGINT')
  }
  return ended
}

const clientOf = (settings: NodeJS.Dict<string>): Client =>
  createClient({ url: settings['COMPANION'], key: settings['HC_MERCHANT_KEY'] })

const order = { amount: 2300, currency: 'KES', orderId: 'A-1', description: 'Lamp' } as const

describe('dev', () => {
  it('takes a payment to a credited notice with its own lines, and goes on from there', async () => {
    const ports = { dev: String(await freePort()), sandbox: String(await freePort()) }
    const credited: string[] = []
    let backend: ReturnType<typeof expressNotices> | undefined
    const shop = createServer((request, response) => void backend?.(request, response)).listen(0, '127.0.0.1')
    await once(shop, 'listening')
    const notify = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/notices`
    const argv = ['--port', ports.dev, '--sandbox-port', ports.sandbox, '--notify', notify]
    let first = ''
    const { code } = await developing(argv, async (printed) => {
      const settings = fileOf('backend.env')
      for (const [name, value] of Object.entries(settings)) expect(printed).toContain(`${name}=${value}`)
      expect(printed).toContain(`<hc-checkout companion="${settings['COMPANION']}" session="TOKEN">`)
      expect(printed).toContain(`Notices go to ${notify}.`)
      expect(printed).toContain("import { createClient } from 'hc-checkout-client'")
      // Whatever is printed at the end of a line is opened: no such address is in vain.
      const [, described = ''] = /described in (\S+)$/m.exec(printed) ?? []
      expect((await fetch(described)).status).toBe(200)
      backend = expressNotices(
        createNoticeReceiver({
          secret: settings['HC_NOTIFY_SECRET'],
          mode: 'test',
          store: memoryNoticeStore(),
          expects: () => order,
          onPaid: ({ orderId = '' }) => void credited.push(orderId),
          onUncredited: () => void credited.push('uncredited'),
        }),
      )
      const session = await clientOf(settings).sessions.create(order)
      first = session.id
      const file = join(directory, 'companion.env')
      const paid = await run(['trigger', 'success', '--order', 'A-1', '--amount', '2300', '--env-file', file])
      expect(paid).toMatchObject({ code: 0, err: '' })
      await expect.poll(() => credited).toEqual(['A-1'])
      // A page on another port of this machine needs no setting.
      const page = await fetch(`${settings['COMPANION']}/v1/markets`, { headers: { origin: 'http://localhost:5173' } })
      expect(page.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
      for (const name of ['companion.env', 'backend.env']) expect(statSync(join(directory, name)).mode & 0o077).toBe(0)
    })
    expect(code).toBe(0)
    const before = fileOf('backend.env')
    const again = await developing(argv.slice(0, 4), async (printed) => {
      expect(fileOf('backend.env')).toEqual(before)
      expect(printed).toContain('Notices wait')
      expect(await clientOf(before).sessions.get(first)).toMatchObject({ state: 'paid' })
    })
    expect(again.code).toBe(0)
    shop.close()
  })

  it('takes no database, key, backend or service from the shell of a live companion', async () => {
    const live = join(directory, 'live')
    const shell = {
      HC_DATABASE_URL: `file:${live}.db`,
      HC_NOTIFY_URL: 'https://shop.example/notices',
      HC_PUBLIC_URL: 'https://pay.shop.example',
      HC_AUTH_URL: 'https://auth.service.example',
      HC_UPSTREAM_PROXY: 'http://proxy.shop.example:3128',
      HC_PAYMENT_MODE: 'live',
      HC_PRIVATE_KEY: 'live-private-key',
      HC_CONSUMER_SECRET_FILE: `${live}-consumer-secret`,
      HC_SECRET: 'live-secret-0123456789-0123456789-abc',
      HC_MERCHANT_KEY: 'mk_live_0123456789-0123456789-abcdef',
      HC_ALERT_URL: 'https://chat.shop.example/live',
      HC_SHOP_NAME: 'Nuru',
    }
    const file = join(directory, 'more.env')
    writeFileSync(file, `HC_DATABASE_URL=file:${join(directory, 'mine.db')}\n`)
    const argv = ['--port', String(await freePort()), '--sandbox-port', String(await freePort()), '--env-file', file]
    const { code } = await developing(
      argv,
      async (printed) => {
        expect(printed).toContain('Notices wait')
        const written = fileOf('companion.env')
        const taken = Object.entries(shell).filter(([name, value]) => written[name] === value)
        expect(taken).toEqual([['HC_SHOP_NAME', 'Nuru']])
        expect(existsSync(`${live}.db`)).toBe(false)
        expect(existsSync(join(directory, 'mine.db'))).toBe(true)
      },
      shell,
    )
    expect(code).toBe(0)
  })

  it('writes values with #, quotes and spaces that Node reads back', async () => {
    const given = {
      HC_SHOP_ACCENT: '#b5432a',
      HC_SHOP_NAME: `Nuru's "#1" shop`,
      HC_DESCRIPTION: 'Light  #2',
      HC_MERCHANT_KEY: 'mk_dev_0123456789-0123456789~abc==',
    }
    const file = join(directory, 'more.env')
    const lines = Object.entries(given).map(([name, value]) => `${name}=\`${value}\`\n`)
    writeFileSync(file, lines.join(''))
    const argv = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())]
    const { code } = await developing([...argv, '--env-file', file], async () => {
      expect(fileOf('companion.env')).toMatchObject(given)
      expect(fileOf('backend.env')).toMatchObject({ HC_MERCHANT_KEY: given.HC_MERCHANT_KEY })
      const show = `console.log(JSON.stringify(process.env))`
      const node = spawn(process.execPath, [`--env-file=${join(directory, 'companion.env')}`, '-e', show])
      expect(JSON.parse(await text(node.stdout))).toMatchObject(given)
    })
    expect(code).toBe(0)
    // What it has written, given back to it.
    const again = await developing([...argv, '--env-file', join(directory, 'companion.env')], async () => {
      expect(fileOf('companion.env')).toMatchObject(given)
    })
    expect(again).toMatchObject({ code: 0, err: '' })
  })

  it('an env file holds every value between other lines, or it is refused', () => {
    const values = [
      '#b',
      'a#b',
      "it's #1",
      ' a b ',
      '"',
      "'",
      '`',
      `a"b`,
      `"a' #`,
      'a\\nb',
      'one\ntwo',
      '$x',
      `a'b"c\`d`,
      '',
    ]
    for (const value of values) {
      const settings = { BEFORE: `'"`, VALUE: value, AFTER: '`"' }
      expect(parseEnv(envLines(settings).join('')), value).toEqual(settings)
    }
    expect(() => envLines({ HC_DESCRIPTION: `'a"b\`#c` })).toThrow(/^HC_DESCRIPTION cannot be written/)
  })

  it('says that a port is taken, with the option that changes it', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const port = String((taken.address() as AddressInfo).port)
    const free = String(await freePort())
    const never = async () => {
      throw new Error('It has begun.')
    }
    expect(await developing(['--port', free, '--sandbox-port', port], never)).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        new RegExp(`Port ${port} is taken.* another --sandbox-port and another --port,.* another --directory`),
      ),
    })
    expect(await developing(['--port', port, '--sandbox-port', free], never)).toMatchObject({
      code: 1,
      err: expect.stringMatching(new RegExp(`port ${port} is taken.* another --port\\.$`, 'm')),
    })
    taken.close()
  })

  it('names another folder where a sandbox runs already', async () => {
    const argv = async () => ['--port', String(await freePort()), '--sandbox-port', String(await freePort())]
    const first = await developing(await argv(), async () => {
      expect(await run(['dev', '--directory', directory, ...(await argv())])).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^--directory: a sandbox runs already .* another --port,.* another --directory\.$/m),
      })
    })
    expect(first.code).toBe(0)
  })

  it('refuses a wrong origin by the name of its option, and says which of several it is', async () => {
    const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())]
    const origins = ['--origin', 'https://shop.example', '--origin', 'http://myshop.example:3000']
    const refused = await run(['dev', '--directory', directory, ...ports, ...origins])
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/--origin has an entry .* It is entry 2\./) })
    expect(refused.err).not.toContain('HC_ALLOWED_ORIGINS')
    // Of the environment: by its own name.
    const shell = { HC_ALLOWED_ORIGINS: 'http://myshop.example:3000' }
    expect((await run(['dev', '--directory', directory, ...ports], shell)).err).toContain('HC_ALLOWED_ORIGINS has')
  })

  it('says which settings of the environment it passes over, and where its own are changed', async () => {
    const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())]
    const shell = { HC_CONSOLE_USERS: 'amina:owner:x', HC_NOTIFY_URL: '', HC_SHOP_NAME: 'Nuru' }
    const { err } = await developing(
      ports,
      async () => {
        const [first] = readFileSync(join(directory, 'companion.env'), 'utf8').split('\n')
        expect(first).toMatch(/^# Written anew at each start .* options.* --env-file\.$/)
        const answer = await fetch(`${fileOf('backend.env')['COMPANION']}/console`)
        expect(answer.status).toBe(404)
        expect(await answer.text()).toMatch(/no users.*hc-checkout-server user .*HC_CONSOLE_USERS.*--env-file/)
      },
      shell,
    )
    expect(err).toMatch(/^Not taken from the environment, .*: HC_CONSOLE_USERS\. .* --env-file\.$/m)
  })

  it.each([
    [['--port', '0'], /--port must be a number/],
    [['--sandbox-port', 'x'], /--sandbox-port must be a number/],
  ])('%j is refused', async (argv, says) => {
    expect(await run(['dev', '--directory', directory, ...argv])).toMatchObject({
      code: 2,
      err: expect.stringMatching(says),
    })
  })

  it('ends with the npx that has started it, which is killed alone', async () => {
    const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())]
    const args = ['--conditions=hc-source', join(root, 'server/cli/cli.ts'), 'dev', '--directory', directory, ...ports]
    const line = [process.execPath, ...args].map((part) => `'${part}'`).join(' ')
    const npx = spawn('sh', ['-c', `${line}; true`], {
      env: { ...process.env, npm_lifecycle_event: 'npx' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const said = text(npx.stdout)
    await once(npx.stdout, 'data')
    npx.kill('SIGKILL')
    // Its output ends when the last process that holds it has ended.
    expect(await said).toContain('End it with Ctrl+C.')
  })
})
