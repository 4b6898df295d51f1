// Shops as their developers write them, from the packed packages and outside the repository: in one
// terminal `hc-checkout-server dev`, in the other the shop. Each is paid in a browser and receives
// its notice.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import type { Browser, BrowserContext, Page, Response } from 'playwright-core'
import { createClient } from '../../server/client/index.ts'
import { customer, openChromium, widgetOf } from '../browser/customer.ts'
import { endWithUs } from '../helpers/end-with-us.ts'
import { freePorts } from '../helpers/free-port.ts'
import { root } from '../helpers/run-quietly.ts'

/** What the developer of a shop writes at most. */
const MOST_LINES = 60
/** Ten times what the slowest of them takes to start. */
const PATIENCE_MS = 120_000
const THANKS = 'Thank you for the lamp!'

export interface Packed {
  /** Where everything happens. */
  readonly folder: string
  /** Paths of the packed packages. */
  readonly tarballs: readonly string[]
  must(command: string, args: readonly string[], cwd: string, env?: Record<string, string>): Promise<string>
}

interface Terminal {
  readonly program: ChildProcess
  said(): string
  end(signal?: NodeJS.Signals): void
}

interface Running {
  readonly url: string
  /** Environment of the shop. */
  readonly env: Record<string, string>
}

/** Vite, React and Express. */
export async function reactShop(packed: Packed): Promise<string> {
  const cwd = copyOf('shop-react', packed)
  const lines = globSync('**/*.{js,ts,tsx,html}', { cwd })
    .flatMap((name) => readFileSync(join(cwd, name), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '').length
  if (lines === 0 || lines > MOST_LINES) throw new Error(`The shop has ${lines} lines.`)
  const others = ['@lit/react@1.0.8', '@vitejs/plugin-react@6.3.0', 'express@5.3.0', 'react@19.3.1', 'react-dom@19.3.1']
  await install(cwd, [...packed.tarballs, ...others, 'vite@8.3.8'], packed)
  await paid(cwd, 'npm', ['start'], async ({ url, env }, context) => {
    const page = await openedAt(url, context)
    const other = await openedAt(url, context)
    for (let reloads = 0; reloads < 10; reloads++) await page.reload()
    const answers = await Promise.all(
      Array.from({ length: 3 }, async () => (await fetch(`${url}/api/orders/A-1`)).json()),
    )
    const tokens = new Set((answers as { token: string }[]).map(({ token }) => token))
    if (tokens.size !== 1) throw new Error(`One order has ${tokens.size} sessions.`)
    await pay(page)
    // The other tab finds the same payment, and offers no second one.
    await other.reload()
    await widgetOf(other).element.locator('[part~=success]').waitFor()
    await oneCharge(env)
    await until('the notice is credited', () => stateOf(join(cwd, 'shop.db')) === 'paid')
  })
  return `${lines} lines`
}

/** The page is loaded twice and paid once: the second load has the session of the first. */
const reloadedAndPaid = (cwd: string): Promise<void> =>
  paid(cwd, 'npm', ['start'], async ({ url, env }, context) => {
    const page = await openedAt(url, context)
    await page.reload()
    await pay(page)
    await oneCharge(env)
    await until('the notice is credited', () => stateOf(join(cwd, 'shop.db')) === 'paid')
  })

/** A session that is made on the server, and the receiver as a route. */
export async function nextShop(packed: Packed): Promise<void> {
  const cwd = copyOf('next', packed)
  await install(cwd, packed.tarballs, packed)
  // It checks the types, too.
  await packed.must('npm', ['run', 'build'], cwd, { NEXT_TELEMETRY_DISABLED: '1' })
  await reloadedAndPaid(cwd)
}

/** Express, and a page of plain HTML. */
export async function expressShop(packed: Packed): Promise<void> {
  const cwd = copyOf('shop-express', packed)
  await install(cwd, [...packed.tarballs, 'express@5.3.0'], packed)
  await reloadedAndPaid(cwd)
}

/** The page of the examples, and the receiver of the documentation. */
export async function phpShop(packed: Packed): Promise<void> {
  const cwd = copyOf('shop-php', packed)
  await installPackedAlone(cwd, packed)
  cpSync(join(cwd, 'node_modules/hc-checkout-client/php/HcCheckout.php'), join(cwd, 'HcCheckout.php'))
  const page = readFileSync(join(root, 'demo/docs/receivers.md'), 'utf8')
  const [, receiver = ''] = /```php \[PHP\]\n([^]*?)\n```/.exec(page) ?? []
  mkdirSync(join(cwd, 'notices'))
  writeFileSync(join(cwd, 'notices/index.php'), receiver)
  await paid(cwd, 'php', ({ port }) => ['-S', `127.0.0.1:${port}`], payOnce(/credit dep_\w+ 2300 KES A-1/))
}

/** The standard library alone. */
export async function pythonShop(packed: Packed): Promise<void> {
  const cwd = copyOf('shop-python', packed)
  await installPackedAlone(cwd, packed)
  cpSync(join(cwd, 'node_modules/hc-checkout-client/python/hccheckout.py'), join(cwd, 'hccheckout.py'))
  await paid(cwd, 'python3', ['shop.py'], payOnce(/credit A-1 dep_/))
}

type Visit = (running: Running, context: BrowserContext, shop: Terminal) => Promise<void>

const payOnce = (credit: RegExp): Visit =>
  async function visit({ url, env }, context, shop) {
    const page = await openedAt(url, context)
    await page.reload()
    await pay(page)
    await oneCharge(env)
    await until('the notice is credited', () => credit.test(shop.said()))
  }

function copyOf(example: string, { folder }: Packed): string {
  const cwd = join(folder, example)
  cpSync(join(root, 'demo/examples', example), cwd, { recursive: true })
  return cwd
}

async function install(cwd: string, packages: readonly string[], { must }: Packed): Promise<void> {
  await must('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...packages], cwd)
}

let packedAlone: Promise<void> | undefined

/** Once for the shops that need no other packages. */
async function installPackedAlone(cwd: string, packed: Packed): Promise<void> {
  const place = join(packed.folder, 'packed-alone')
  mkdirSync(place, { recursive: true })
  packedAlone ??= install(place, packed.tarballs, packed)
  await packedAlone
  cpSync(join(place, 'package.json'), join(cwd, 'package.json'))
  symlinkSync(join(place, 'node_modules'), join(cwd, 'node_modules'))
}

/** Runs both terminals, and a customer's browser. */
async function paid(
  cwd: string,
  command: string,
  args: readonly string[] | ((at: { readonly port: number }) => readonly string[]),
  visit: Visit,
): Promise<void> {
  const [port = 0, companion = 0, sandbox = 0] = await freePorts(3)
  const url = `http://127.0.0.1:${port}`
  const ports = ['--port', String(companion), '--sandbox-port', String(sandbox)]
  const terminals: Terminal[] = []
  let browser: Browser | undefined
  try {
    const dev = open('npx', ['hc-checkout-server', 'dev', '--notify', `${url}/notices`, ...ports], cwd, {})
    terminals.push(dev)
    await until('dev has begun', () => dev.said().includes('End it with Ctrl+C.'), dev)
    const settings = parseEnv(readFileSync(join(cwd, '.hc/dev/backend.env'), 'utf8')) as Record<string, string>
    const env = { ...settings, PORT: String(port), DATABASE: join(cwd, 'shop.db'), NEXT_TELEMETRY_DISABLED: '1' }
    const shop = open(command, typeof args === 'function' ? args({ port }) : args, cwd, env)
    terminals.push(shop)
    await until('the shop answers', async () => (await fetch(url).catch(() => undefined))?.ok === true, shop)
    browser = await openChromium()
    await visit({ url, env }, await customer(browser), shop).catch((error: unknown) => {
      const said = terminals.map((terminal) => terminal.said()).join('\n')
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${said}`)
    })
  } finally {
    await browser?.close()
    for (const terminal of terminals.toReversed()) await close(terminal)
  }
}

function open(command: string, args: readonly string[], cwd: string, env: Record<string, string>): Terminal {
  const { PATH, HOME, TMPDIR } = process.env
  const program = spawn(command, args, {
    cwd,
    env: { PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME, TMPDIR, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // With all that npm starts.
    detached: true,
  })
  let said = ''
  for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  program.once('error', (error) => (said += error.message))
  return { program, said: () => said, end: endWithUs(program) }
}

async function close({ program, end }: Terminal): Promise<void> {
  if (program.pid === undefined || program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'close')
  end('SIGTERM')
  const hangs = setTimeout(end, 20_000)
  await ended
  clearTimeout(hangs)
}

async function until(what: string, isSo: () => Promise<boolean> | boolean, terminal?: Terminal): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    const hasEnded = terminal !== undefined && terminal.program.exitCode !== null
    if (hasEnded || performance.now() > end) throw new Error(`Not reached: ${what}.\n${terminal?.said() ?? ''}`)
    await wait(100)
  }
}

async function openedAt(url: string, context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const asked: Promise<string | undefined>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).origin === url) asked.push(cacheableToken(response))
  })
  await page.goto(url)
  await widgetOf(page).payButton.waitFor()
  const cacheable = (await Promise.all(asked)).filter((found) => found !== undefined)
  if (cacheable.length > 0) throw new Error(`A cache may give the token to another customer: ${cacheable.join()}`)
  return page
}

/** The address of an answer with a session's token, if a cache may keep it. */
async function cacheableToken(response: Response): Promise<string | undefined> {
  const text = await response.text().catch(() => '')
  const isKept = !(response.headers()['cache-control'] ?? '').includes('no-store')
  return isKept && /\bses_[0-9a-z]+\./.test(text) ? response.url() : undefined
}

/** By a phone number for which the sandbox plays the whole payment by itself. */
async function pay(page: Page): Promise<void> {
  const widget = widgetOf(page)
  await widget.payButton.waitFor()
  // Where the amount is fixed, the name alone is asked in the open.
  const { element } = widget
  const fold = element.locator('details').filter({ has: page.locator('#phone') })
  if (!(await element.locator('#phone').isVisible())) await fold.locator('summary').click()
  await element.locator('#name').fill('Achieng Otieno')
  await element.locator('#phone').fill('0700000001')
  await widget.payButton.click()
  await page.getByText(THANKS).filter({ visible: true }).waitFor()
}

async function oneCharge(env: Record<string, string>): Promise<void> {
  const client = createClient({ url: env['COMPANION'], key: env['HC_MERCHANT_KEY'] })
  const { payments } = await client.payments.page({ orderId: 'A-1' })
  const sessions = new Set(payments.map(({ sessionId }) => sessionId))
  if (payments.length !== 1 || sessions.size !== 1 || payments[0]?.phase !== 'succeeded')
    throw new Error(`The order has these payments: ${JSON.stringify(payments)}`)
}

function stateOf(file: string): unknown {
  // The shop may be writing.
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return db.prepare('SELECT state FROM orders').get()?.['state']
  } finally {
    db.close()
  }
}
