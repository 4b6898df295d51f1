// The command line by itself: what it says to whoever holds it wrongly, on which Node it runs, and
// the keys that it makes.
import { spawn } from 'node:child_process'
import { createPublicKey } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { DEFAULT_WAIT_SECONDS } from '../../server/cli/trigger.ts'
import { nextAskIn } from '../../server/deposits/machine/schedule.ts'
import { settingsTable } from '../../server/settings/table.ts'
import { nodeFault } from '../../server/platform/node-version.ts'
import { openStore } from '../../server/store/open.ts'
import { keys } from '../helpers/create-test-system.ts'
import { depositRecord } from '../helpers/deposit-record.ts'
import { freePort } from '../helpers/free-port.ts'
import { root, run as runProgram } from '../helpers/run-quietly.ts'
import { run } from './run-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hc-command-line-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function statementFile(content: string | Buffer): string {
  const file = join(folder, 'portal.csv')
  writeFileSync(file, content)
  return file
}

describe('the program', () => {
  it.each([
    'start',
    'sandbox',
    'doctor',
    'keygen',
    'migrate',
    'backup',
    'restore',
    'forget',
    'trigger',
    'payments',
    'listen',
    'reconcile',
  ])('%s explains itself with --help, and with help before it', async (name) => {
    const lines: string[] = []
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
    const { code, out } = await run([name, '--help'])
    const help = await run(['help', name])
    log.mockRestore()
    expect(code).toBe(0)
    expect(out + lines.join('\n')).toContain(`Usage: hc-checkout-server ${name}`)
    expect(out).toMatch(/^Exit codes: 0 /m)
    expect(help).toEqual({ code, out, err: '' })
  })

  it('start --help lists every setting: the package comes without the documentation', async () => {
    const { out } = await run(['start', '--help'])
    expect(settingsTable.filter(({ name, about }) => !out.includes(`${name} `) || !out.includes(about))).toEqual([])
    expect(out).toMatch(/^\* HC_AUTH_URL /m)
    expect(out).toMatch(/^  HC_PORT .* Default: PORT, .* or 8787\.$/m)
  })

  it('says which release it is, as its package does', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as { version: string }
    expect(await run(['--version'])).toEqual({ code: 0, out: version, err: '' })
  })

  it('backup of PostgreSQL prints a line whose dump nobody else can read', async () => {
    const { code, err } = await run(['backup', 'x.db'], { HC_DATABASE_URL: 'postgres://hc@127.0.0.1/hc' })
    expect(code).toBe(2)
    const line = err.split('\n').find((text) => text.includes('pg_dump --'))
    const place = mkdtempSync(join(folder, 'dump-'))
    writeFileSync(join(place, 'pg_dump'), '#!/bin/sh\n: > hc.dump\n', { mode: 0o755 })
    const shell = spawn('sh', ['-c', `umask 022; ${line}`], {
      cwd: place,
      env: { PATH: `${place}:${process.env['PATH']}`, HC_DATABASE_URL: 'postgres://hc@127.0.0.1/hc' },
    })
    expect(await once(shell, 'close')).toEqual([0, null])
    expect(statSync(join(place, 'hc.dump')).mode & 0o777).toBe(0o600)
  })

  it.each(['backup', 'restore'])(
    '%s of PostgreSQL prints lines that do nothing without an address: the tools would take the default server',
    async (name) => {
      const { err } = await run([name, 'x.db'], { HC_DATABASE_URL: 'postgres://hc@127.0.0.1/hc' })
      const place = mkdtempSync(join(folder, 'no-address-'))
      for (const tool of ['pg_dump', 'pg_restore', 'psql'])
        writeFileSync(join(place, tool), `#!/bin/sh\n: > ${tool}.ran\n`, { mode: 0o755 })
      const lines = err.split('\n').filter((text) => /^ +(\(umask|pg_restore|psql|ON CONFLICT)/.test(text))
      expect(lines.length).toBeGreaterThan(0)
      const shell = spawn('sh', ['-c', lines.join('\n')], {
        cwd: place,
        env: { PATH: `${place}:${process.env['PATH']}` },
      })
      expect(await once(shell, 'close')).not.toEqual([0, null])
      expect(readdirSync(place).filter((file) => file.endsWith('.ran'))).toEqual([])
    },
  )

  // pg_dump fails with the address of postgresql.md, and advises not to verify.
  it.each(['backup', 'restore'])('%s of PostgreSQL says how its tools verify a certificate', async (name) => {
    const { err } = await run([name, 'x.db'], { HC_DATABASE_URL: 'postgres://hc@db.example/hc?sslmode=verify-full' })
    expect(err).toMatch(/verify-full.* PGSSLROOTCERT names/)
  })

  it('what was written wrongly is named before anything else that is missing', async () => {
    expect(await run(['backup'])).toMatchObject({ code: 2, err: expect.stringMatching(/file/i) })
    expect((await run(['backup'])).err).not.toContain('HC_DATABASE_URL')
    expect(await run(['trigger', 'declined', '--amount', '1.5'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--amount must be a whole number'),
    })
    expect(await run(['reconcile', '--statement', statementFile('')])).toMatchObject({
      code: 2,
      err: expect.stringContaining('The statement is empty.'),
    })
    const letter = join(folder, 'letter.txt')
    writeFileSync(letter, 'no folder')
    expect(await run(['keygen', '--directory', letter])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`--directory: ${letter} cannot be made (EEXIST)`),
    })
  })

  it.each([
    ['a server that is away', 'postgres://hc:canary-7f3a@127.0.0.1:1/hc', /ECONNREFUSED/],
    ['a name with two addresses and no server', 'postgres://hc:canary-7f3a@two.example:1/hc', /ECONNREFUSED/],
  ])('forget, reconcile and migrate name the setting when it leads to %s', async (_what, url, why) => {
    const refused = (address: string) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}:1`), { code: 'ECONNREFUSED' })
    const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function refuse(this: Socket) {
      const both = ['127.0.0.1', '127.0.0.2'].map(refused)
      // As Node reports it: a code, and no message.
      const error = url.includes('two') ? Object.assign(new AggregateError(both), { code: 'ECONNREFUSED' }) : both[0]
      queueMicrotask(() => this.destroy(error))
      return this
    })
    const statement = statementFile('reference,status,amount,date\nHCT1,SUCCESS,2500,2026-03-01\n')
    for (const argv of [
      ['forget', '+254712000111'],
      ['reconcile', '--statement', statement],
      ['migrate'],
      ['migrate', '--check'],
    ]) {
      const { code, out, err } = await run(argv, { HC_DATABASE_URL: url })
      expect({ argv, code, out }).toEqual({ argv, code: 2, out: '' })
      expect(err).toMatch(/^The database of HC_DATABASE_URL cannot be used: /)
      expect(err).toMatch(why)
      expect(err).not.toContain('canary')
    }
    connect.mockRestore()
  })

  it.each([
    [
      'a page',
      () => new Response('<h1>Welcome</h1>'),
      /^What answers at http:\/\/shop\.example is no companion\. .*--companion/,
    ],
    ['a page that it has not', () => new Response('<h1>404</h1>', { status: 404 }), /is no companion/],
    ['some other JSON', () => Response.json({}), /is no companion/],
    [
      'the sandbox',
      () => Response.json({ success: false, message: 'Not found.' }, { status: 404 }),
      /^What answers at http:\/\/shop\.example is no companion\./,
    ],
    ['null', () => Response.json(null), /is no companion/],
    ['a companion with real money', () => Response.json({ mode: 'live', markets: [] }), /takes live payments/],
    [
      'a companion whose database is away',
      () => Response.json({ code: 'store_unavailable', detail: 'Try again.' }, { status: 503 }),
      /^GET \/v1\/markets was answered 503 store_unavailable: Try again\. "hc-checkout-server doctor" tells why\.\n/,
    ],
    [
      'half an answer',
      () => new Response(new ReadableStream({ start: (body) => body.error(new TypeError('terminated')) })),
      /^No companion answers/,
    ],
  ])('trigger pays nowhere where it meets %s', async (_what, answer, says) => {
    const asked: string[] = []
    const fetch = async (input: unknown) => (asked.push(String(input)), answer())
    const given = { fetch: fetch as typeof globalThis.fetch }
    const { code, out, err } = await run(['trigger', 'success', '--companion', 'http://shop.example/'], {}, given)
    expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(says) })
    expect(asked).toEqual(['http://shop.example/v1/markets'])
  })

  it('trigger does not wait without end for a companion that takes the connection and says nothing', async () => {
    const waits: number[] = []
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => (waits.push(ms), AbortSignal.abort()))
    const fetch = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        if (init?.signal?.aborted === true) reject(new Error('over'))
      })
    const given = { fetch: fetch as typeof globalThis.fetch }
    expect(await run(['trigger', 'success'], {}, given)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^No companion answers at http/),
    })
    timeout.mockRestore()
    // A create may take 20 s until the line is back, and then the service's answer.
    expect(waits).toEqual([60_000])
  })

  it('trigger takes the merchant key from the variable or from its file', async () => {
    const file = join(folder, 'merchant-key')
    writeFileSync(file, `${keys.merchantKey}\n`)
    const trigger = async (env: Record<string, string>) => {
      let authorization: string | null | undefined
      const fetch = async (input: unknown, init?: RequestInit) => {
        if (!String(input).endsWith('/v1/sessions')) {
          const market = { country: 'KE', currency: 'KES', callingCode: '+254', quickAmounts: [500], min: 10 }
          return Response.json({ mode: 'test', markets: [market], sessionsOnly: true })
        }
        authorization = new Headers(init?.headers).get('authorization')
        return Response.json({ code: 'bearer_wrong', detail: 'Stop here.' }, { status: 401 })
      }
      const { code, err } = await run(['trigger', 'success'], env, { fetch })
      expect(code).toBe(2)
      return authorization ?? err
    }
    expect(await trigger({ HC_MERCHANT_KEY: keys.merchantKey })).toBe(`Bearer ${keys.merchantKey}`)
    expect(await trigger({ HC_MERCHANT_KEY_FILE: file })).toBe(`Bearer ${keys.merchantKey}`)
    expect(await trigger({ HC_MERCHANT_KEY_FILE: join(folder, 'away') })).toContain(
      'HC_MERCHANT_KEY_FILE names a file that cannot be read (ENOENT)',
    )
    expect(await trigger({})).toContain('give HC_MERCHANT_KEY')
  })

  it('trigger follows a payment for longer than its first question takes when no callback comes', () => {
    const payment = depositRecord({ phase: 'open' })
    const asked = nextAskIn(payment, payment.createdAt, false) ?? Infinity
    expect(DEFAULT_WAIT_SECONDS * 1000 - asked).toBeGreaterThanOrEqual(20_000)
  })

  it('lists its commands, and answers 2 to what it does not know', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('reconcile') })
    expect(await run(['help', 'start'])).toEqual(await run(['start', '--help']))
    expect(await run([])).toMatchObject({ code: 2 })
    expect(await run(['toString'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('There is no command toString'),
    })
    expect(await run(['doctor', '--nonsense'])).toMatchObject({ code: 2, err: expect.stringContaining('--nonsense') })
    expect(await run(['trigger', 'nonsense'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name one scenario'),
    })
    expect(await run(['reconcile'])).toMatchObject({ code: 2, err: expect.stringContaining('--statement') })
    expect(await run(['start', '--env-file', '/nowhere/env'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('ENOENT'),
    })
  })

  it('reads the file of --env-file as Windows saves it, and refuses UTF-16 instead of finding nothing in it', async () => {
    const file = join(folder, 'windows.env')
    const written = `HC_DATABASE_URL=file:${join(folder, 'windows.db')}\r\n`
    const check = async (content: string | Buffer) => {
      writeFileSync(file, content)
      return run(['migrate', '--check', '--env-file', file])
    }
    expect(await check(`\uFEFF${written}`)).toMatchObject({ code: 1, out: expect.stringContaining('without a schema') })
    for (const mark of ['\uFEFF', ''])
      expect(await check(Buffer.from(`${mark}${written}`, 'utf16le'))).toMatchObject({
        code: 2,
        err: expect.stringContaining('is not UTF-8 text'),
      })
    expect(await check(Buffer.from(`${written}HC_DESCRIPTION=Canap\xe9\r\n`, 'latin1'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/windows\.env is not UTF-8 text but most likely Windows-1252.* in line 2:/),
    })
  })

  it.each([
    ['a colon for the equals sign', 'HC_MODE: sessions', 2],
    ['a colon, and an equals sign in the value', 'HC_NOTIFY_URL: https://shop.example/notices?of=canary', 2],
    ['a shell that is not this one', 'set HC_MODE=sessions', 2],
    ['a key of several lines without quotes', 'HC_PRIVATE_KEY=-----BEGIN PRIVATE KEY-----\ncanary+/w==', 3],
    ['a line after a value of several lines', 'HC_PRIVATE_KEY="-----BEGIN\nabc/+d==\n-----END" # key\ncanary', 5],
  ])('names the line of --env-file that nothing would read: %s', async (_, lines, number) => {
    const file = join(folder, 'stray.env')
    writeFileSync(file, `HC_DATABASE_URL=file:${join(folder, 'stray.db')}\r\n${lines}\n`)
    const { code, err } = await run(['migrate', '--check', '--env-file', file])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`--env-file: line ${number} of ${file} is no NAME=value`),
    })
    expect(err).not.toContain('canary')
  })

  it.each([
    ['another value', ['HC_WALLETS=canary1', 'HC_WALLETS=canary2'], 'HC_WALLETS', [1, 2]],
    ['none', ['# a', 'HC_WALLETS=canary', '', 'HC_WALLETS='], 'HC_WALLETS', [2, 4]],
    ['another of several lines', ["HC_A='canary\n1'", 'HC_B=1', "export HC_A='canary\n2'"], 'HC_A', [1, 4]],
    ['another after a repeat', ['HC_A=canary', 'HC_A="canary" # so', 'HC_A=b'], 'HC_A', [2, 3]],
  ])('names both lines of --env-file when a second one gives a name %s', async (_, lines, name, [first, second]) => {
    const file = join(folder, 'twice.env')
    writeFileSync(file, [...lines, `HC_DATABASE_URL=file:${join(folder, 'twice.db')}`].join('\n'))
    const { code, err } = await run(['migrate', '--check', '--env-file', file])
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining(`--env-file: lines ${first} and ${second} of ${file} both set ${name}, and differ`),
    })
    expect(err).not.toContain('canary')
  })

  it('takes a name that --env-file gives the same value twice, or none at first', async () => {
    const file = join(folder, 'repeated.env')
    const database = `HC_DATABASE_URL='file:${join(folder, 'repeated.db')}'`
    writeFileSync(file, ['HC_DATABASE_URL=', database, `export ${database} # again`].join('\n'))
    expect(await run(['migrate', '--check', '--env-file', file])).toMatchObject({
      code: 1,
      out: expect.stringContaining('without a schema'),
    })
  })

  it('reads comments, quotes, values of several lines and `export` in the file of --env-file', async () => {
    const file = join(folder, 'usual.env')
    writeFileSync(
      file,
      [
        '# a comment',
        '; one of systemd',
        '',
        'export HC_A=1',
        `  HC_B = "it's" # so`,
        "HC_C='a",
        "b c' # d",
        'HC_D=',
        `HC_DATABASE_URL='file:${join(folder, 'usual.db')}'`,
        "HC_E='no end",
      ].join('\n'),
    )
    expect(await run(['migrate', '--check', '--env-file', file])).toMatchObject({
      code: 1,
      out: expect.stringContaining('without a schema'),
    })
  })

  it.skipIf(process.platform !== 'linux')('refuses a pipe as --env-file, which Node has emptied by then', async () => {
    const settings = join(folder, 'piped.env')
    writeFileSync(settings, `HC_DATABASE_URL=file:${join(folder, 'piped.db')}\n`)
    const program = `'${process.execPath}' --conditions=hc-source server/cli/cli.ts migrate --check`
    expect(await runProgram('sh', ['-c', `cat '${settings}' | ${program} --env-file /dev/stdin`])).toMatchObject({
      code: 2,
      output: expect.stringContaining('--env-file: /dev/stdin is a pipe'),
    })
  })

  it('ends quietly with its own exit code when whoever reads it has left', async () => {
    const child = spawn(process.execPath, ['--conditions=hc-source', 'server/cli/cli.ts', '--help'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Long before it has anything to say.
    child.stdout.destroy()
    let err = ''
    child.stderr.on('data', (chunk) => (err += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  // In a process of its own, which can be ended: Node's recursive mkdir never comes back from
  // there.
  it.skipIf(process.platform !== 'linux').each([
    [['keygen', '--directory', '/proc/nowhere/keys'], '--directory: /proc/nowhere/keys cannot be made (ENOENT)'],
    [['migrate'], '/proc/nowhere/companion.db cannot be opened (ENOENT)'],
    [
      ['sandbox', '--database', '/proc/nowhere/sandbox.db'],
      '--database: /proc/nowhere/sandbox-private-key.pem cannot be written (ENOENT)',
    ],
  ])('%j ends where no folder can be made', async (argv, says) => {
    const child = spawn(process.execPath, ['--conditions=hc-source', 'server/cli/cli.ts', ...argv], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '', HC_DATABASE_URL: 'file:/proc/nowhere/companion.db' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 120_000,
    })
    let err = ''
    child.stderr.on('data', (chunk) => (err += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(says) })
  })

  it('npm start answers a flag that it does not know with the one it knows', async () => {
    const child = spawn(process.execPath, ['--conditions=hc-source', 'demo/start.ts', '--help'], {
      cwd: root,
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let err = ''
    child.stderr.on('data', (chunk) => (err += String(chunk)))
    const [code] = await once(child, 'close')
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^npm start takes one flag: .*--lan/) })
  })

  it('npm start ends with npm, and leaves its ports to the next start', async () => {
    const ports = { HC_DEMO_PORT: await freePort(), HC_PORT: await freePort(), HC_SANDBOX_PORT: await freePort() }
    const env = { ...process.env, NODE_OPTIONS: '', HC_DIRECTORY: join(folder, 'system') }
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: { ...env, ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (chunk) => (out += String(chunk)))
    await expect.poll(() => out).toContain('buy a lamp')
    const isTaken = (port: number) => fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false) // prettier-ignore
    const areTaken = () => Promise.all(Object.values(ports).map(isTaken))
    expect(await areTaken()).toEqual([true, true, true])
    child.kill('SIGTERM')
    child.stdout.destroy()
    await expect.poll(areTaken).toEqual([false, false, false])
  })

  it.each(['22.14.0', '24.21.0', '26.0.0'])('it runs on Node %s', (node) => {
    expect(nodeFault(node)).toBeUndefined()
  })

  it('reconcile compares with no database of its own making', async () => {
    const path = join(folder, 'mistyped.db')
    const statement = statementFile('reference,status,amount,date\nHCT1,SUCCESS,2500,2026-03-01\n')
    expect(await run(['reconcile', '--statement', statement], { HC_DATABASE_URL: `file:${path}` })).toMatchObject({
      code: 2,
      err: expect.stringContaining(path),
    })
    expect(existsSync(path)).toBe(false)
  })

  it.each([
    ['reconcile', () => ['--statement', statementFile('reference,status,amount,date\nHCT1,SUCCESS,2500,2026-03-01\n')]],
    ['forget', () => ['+254712000111']],
  ])('%s leaves a database of an earlier release to that release', async (name, args) => {
    const path = join(folder, `earlier-${name}.db`)
    await (await openStore(`file:${path}`)).close()
    const database = new Database(path)
    database.pragma('user_version = 1')
    expect(await run([name, ...args()], { HC_DATABASE_URL: `file:${path}` })).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('Run "hc-checkout-server migrate" first'),
    })
    expect(database.pragma('user_version', { simple: true })).toBe(1)
    database.close()
  })

  it('start says every missing setting and ends with 2', async () => {
    const { code, err } = await run(['start'])
    expect(code).toBe(2)
    expect(err).toContain('HC_AUTH_URL is missing')
    expect(err).toContain('HC_MERCHANT_KEY is missing')
  })

  it.each(['start', 'doctor'])('%s names a setting that is missing because it is misspelt, once', async (name) => {
    const { out, err } = await run([name], { HC_MERCHANTKEY: keys.merchantKey, HC_NOTHING_LIKE_IT: '1' })
    const hint = 'HC_MERCHANTKEY is not a setting; did you mean HC_MERCHANT_KEY?'
    const lines = (out + err).split('\n').filter((line) => line.includes(hint))
    expect(lines).toEqual([expect.stringMatching(/HC_MERCHANT_KEY is missing: .*\?$/)])
    expect(out + err).not.toContain(keys.merchantKey)
  })

  it('migrate names it, too, though it reads the address of the database alone', async () => {
    expect(await run(['migrate', '--check'], { HC_DATABSE_URL: 'file:/nowhere/x.db' })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/HC_DATABASE_URL is missing: .*HC_DATABSE_URL is not a setting; did you mean/),
    })
  })
})

describe('keygen', () => {
  it('makes a key pair that belongs together, for its owner only, and secrets that are settings', async () => {
    const directory = join(folder, 'keys')
    const { code, out } = await run(['keygen', '--directory', relative(process.cwd(), directory)])
    expect(code).toBe(0)
    const made = Object.fromEntries(out.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
    expect(Object.keys(made)).toEqual([
      'HC_PRIVATE_KEY_FILE',
      'HC_SECRET',
      'HC_MERCHANT_KEY',
      'HC_NOTIFY_SECRET',
      'HC_OPS_TOKEN',
    ])
    expect(made['HC_PRIVATE_KEY_FILE']).toBe(join(directory, 'privatekey.pem'))
    expect(statSync(made['HC_PRIVATE_KEY_FILE']!).mode & 0o777).toBe(0o600)
    const pem = readFileSync(made['HC_PRIVATE_KEY_FILE']!, 'utf8')
    expect(createPublicKey(pem).export({ type: 'spki', format: 'pem' })).toBe(
      readFileSync(join(directory, 'publickey.pem'), 'utf8'),
    )
    expect(out).not.toContain('PRIVATE KEY-----')

    const again = await run(['keygen', '--directory', directory])
    expect(again).toMatchObject({ code: 2, err: expect.stringContaining('is not overwritten') })
    expect(readFileSync(made['HC_PRIVATE_KEY_FILE']!, 'utf8')).toBe(pem)
    // Half a pair is not made either.
    rmSync(made['HC_PRIVATE_KEY_FILE']!)
    expect(await run(['keygen', '--directory', directory])).toMatchObject({ code: 2 })
    expect(existsSync(made['HC_PRIVATE_KEY_FILE']!)).toBe(false)
    expect((await run(['keygen', '--secrets-only'])).out).not.toBe((await run(['keygen', '--secrets-only'])).out)
  })

  it('leaves no private key behind when the public one cannot be written', async () => {
    const directory = mkdtempSync(join(folder, 'half-'))
    // Not there for whoever looks, and yet nothing can be made in its place.
    symlinkSync(join(directory, 'nowhere', 'key'), join(directory, 'publickey.pem'))
    expect(await run(['keygen', '--directory', directory])).toMatchObject({ code: 2, out: '' })
    expect(readdirSync(directory)).toEqual(['publickey.pem'])
  })
})

it.each([
  [['keygen', '--directory='], '--directory is empty'],
  [['keygen', '--directory', ''], 'An argument is empty'],
  [['reconcile', '--statement='], '--statement is empty'],
  [['forget', '+254712000111', '--env-file='], '--env-file is empty'],
  [['backup', ''], 'An argument is empty'],
])('%j, as a variable that is not set leaves it, is refused', async (argv, says) => {
  expect(await run(argv, {})).toMatchObject({ code: 2, out: '', err: expect.stringContaining(says) })
})
