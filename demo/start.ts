// `npm start`: from a fresh machine to a working shop. Reads the ports, builds the widget if stale,
// starts all servers, prints what to click.
import { networkInterfaces } from 'node:os'
import { parseArgs } from 'node:util'
import { buildConsoleIfStale } from './console-pages.ts'
import { buildDocsIfStale, docsSite, type DocsState } from './docs-site.ts'
import { type LocalSetup, startLocalSetup, stateDirectory } from './local-setup.ts'
import { buildPagesIfStale } from './page-build.ts'
import { welcome } from './welcome.ts'
import { buildWidgetIfStale } from './widget-bundle.ts'

class StartError extends Error {
  override readonly name = 'StartError'
}

const directory = stateDirectory(process.env['HC_DIRECTORY'])
let setup: LocalSetup | undefined
let stopping = false
let docs: DocsState = 'being built'

async function stop(signal: string): Promise<void> {
  if (stopping) process.exit(1)
  stopping = true
  console.log(`\n${signal}: stopping. Payments are kept in ${directory} and go on at the next start.`)
  await setup?.close()
  process.exit(0)
}
process.on('SIGINT', () => void stop('Ctrl-C'))
process.on('SIGTERM', () => void stop('SIGTERM'))
// Ignore write errors when the terminal is gone; the servers are still closed.
process.stdout.on('error', () => undefined)
// Killing npm ends its shell but not this process, which would keep the ports that the next start
// needs.
const starter = process.ppid
if (process.env['npm_lifecycle_event'] !== undefined)
  setInterval(() => process.ppid === starter || stopping || void stop('npm has ended'), 1000).unref()

try {
  const flags = readFlags()
  const ports = {
    sandbox: port('HC_SANDBOX_PORT', 8788),
    companion: port('HC_PORT', 8787),
    shop: port('HC_DEMO_PORT', 8080),
  }
  const host = flags.lan ? lanAddress() : '127.0.0.1'
  if (!flags['no-build']) {
    await buildWidgetIfStale((line) => console.log(line))
    await buildPagesIfStale((line) => console.log(line))
    await buildConsoleIfStale((line) => console.log(line))
  }
  if (!stopping) {
    // All languages there are, so that a customer of each market can be shown theirs.
    const HC_LOCALES = process.env['HC_LOCALES'] || 'en,fr,sw,am,ha,rn,rw,so'
    setup = await startLocalSetup({ directory, host, ports, docs: docsSite(() => docs), settings: { HC_LOCALES } })
    console.log(welcome(setup, { lan: flags.lan, directory }))
    // After the shop is up: it needs some seconds of a core, and nobody reads before.
    await buildDocsIfStale().then(
      () => (docs = 'built'),
      (error: Error) => {
        docs = 'not built'
        console.error(error.message)
      },
    )
  }
} catch (error) {
  console.error(error instanceof Error && isPlain(error) ? error.message : error)
  process.exit(1)
}

function readFlags(): { lan: boolean; 'no-build': boolean } {
  try {
    return parseArgs({
      options: {
        /** For a phone on the same network. */
        lan: { type: 'boolean', default: false },
        /** Don't build widget and pages: `npm run dev` does. */
        'no-build': { type: 'boolean', default: false },
      },
    }).values
  } catch {
    throw new StartError(
      'npm start takes one flag: npm start -- --lan, for a phone on the same network. Ports: HC_DEMO_PORT, HC_PORT, HC_SANDBOX_PORT.',
    )
  }
}

function port(name: string, fallback: number): number {
  const text = process.env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 65_535)
    throw new StartError(`${name} must be a port from 1 to 65535.`)
  return value
}

/** This machine's first private IPv4 address. */
function lanAddress(): string {
  for (const address of Object.values(networkInterfaces()).flat()) {
    const isPrivate = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address?.address ?? '')
    if (address?.family === 'IPv4' && !address.internal && isPrivate) return address.address
  }
  throw new StartError(
    'This machine has no address on a local network (10.x, 172.16–31.x, 192.168.x), so --lan cannot be used.',
  )
}

/** Errors of the user's machine, not of the program: shown as a message without a stack trace. */
function isPlain(error: Error): boolean {
  return ['StartError', 'PortTakenError', 'SettingsError', 'CredentialsError', 'BuildError', 'ListenError'].includes(
    error.name,
  )
}
