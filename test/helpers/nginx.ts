// Runs the distribution's nginx with its packaged configuration, for tests with a real proxy. Uses
// the installed one; otherwise downloads Debian's packages to a cache folder, without root and
// without installing anything; otherwise says why there is none.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { unpackDebian } from './debian-packages.ts'
import { run } from './run-quietly.ts'
import { freePorts } from './free-port.ts'

/** Paths of the program and of its packaged configuration. */
interface Found {
  readonly program: string
  readonly configuration: string
}

export interface Nginx {
  /** `http://127.0.0.1:port` of the first address it listens on. */
  readonly url: string
  readonly secondPort: number
  /** Its output so far. */
  output(): string
  stop(): Promise<void>
}

const PATIENCE_MS = 60_000
let looked: Promise<Found | string> | undefined

/** Why there is no nginx to test with, or undefined. Downloads it the first time. */
export async function nginxMissing(): Promise<string | undefined> {
  const found = await find()
  return typeof found === 'string' ? found : undefined
}

/**
 * Starts nginx with its packaged configuration as a proxy of `to` (an origin): only proxy_pass, so
 * buffering has its default.
 */
export async function startDefaultNginx(to: string): Promise<Nginx> {
  const { configuration } = await must()
  const packaged = readFileSync(configuration, 'utf8')
  return startNginx((port) =>
    packaged
      .replace(/^\s*(user|pid|error_log)\s.*$/gm, '')
      .replace(/^\s*(include \/etc\/nginx\/(modules-enabled|conf\.d|sites-enabled)|access_log).*$/gm, '')
      .replace('/etc/nginx/mime.types', join(configuration, '../mime.types'))
      .replace(/\}\s*$(?![\s\S]*^\})/m, `server { listen 127.0.0.1:${port}; location / { proxy_pass ${to}; } }\n}\n`),
  )
}

/**
 * Makes a configuration for two free ports, the first of which is that of `url`, and a folder of
 * its own.
 */
export type Configure = (port: number, secondPort: number, folder: string) => string

/**
 * Starts nginx with a whole configuration; its temporary files go into a folder of its own. @throws
 * with its output.
 */
export async function startNginx(configure: Configure): Promise<Nginx> {
  const { program } = await must()
  const folder = mkdtempSync(join(tmpdir(), 'hc-nginx-'))
  const [port = 0, secondPort = 0] = await freePorts(2)
  const configuration = configure(port, secondPort, folder)
  write(folder, configuration)
  let output = ''
  const orphan = () => void child.kill('SIGTERM')
  const child = spawn(program, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  // A test run that is killed must not leave it running.
  process.once('exit', orphan)
  const url = `http://127.0.0.1:${port}`
  try {
    await answering(port, child, () => output)
    // It opens one after the other.
    if (configuration.includes(`:${secondPort}`)) await answering(secondPort, child, () => output)
  } catch (error) {
    child.kill('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  return {
    url,
    secondPort,
    output: () => output,
    async stop() {
      await ended(child, 'SIGTERM')
      process.off('exit', orphan)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Adds what a configuration needs to run beside others, as this user and in the foreground. */
function write(folder: string, configuration: string): void {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  )
  const http = `http { ${temporary.join(' ')} ${/access_log/.test(configuration) ? '' : 'access_log off;'}`
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user}daemon off;\npid ${folder}/nginx.pid;\n${/^error_log/m.test(configuration) ? '' : 'error_log stderr;\n'}${configuration.replace(/^http \{/m, http)}`,
  )
}

async function answering(port: number, child: ChildProcess, output: () => string): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${output()}`)
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (reached) return
  }
  throw new Error(`nginx does not answer:\n${output()}`)
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}

async function must(): Promise<Found> {
  const found = await find()
  if (typeof found === 'string') throw new Error(found)
  return found
}

function find(): Promise<Found | string> {
  return (looked ??= look())
}

async function look(): Promise<Found | string> {
  const installed = { program: '/usr/sbin/nginx', configuration: '/etc/nginx/nginx.conf' }
  if (existsSync(installed.program) && existsSync(installed.configuration)) return installed
  const unpacked = await unpackDebian('nginx', ['nginx', 'nginx-common'])
  if ('why' in unpacked) return `no nginx is installed, and it cannot be fetched: ${unpacked.why}`
  const { folder } = unpacked
  const fetched = { program: join(folder, 'usr/sbin/nginx'), configuration: join(folder, 'etc/nginx/nginx.conf') }
  const { code, output } = await run(fetched.program, ['-v'])
  return code === 0 ? fetched : `the fetched nginx does not run here: ${output.trim()}`
}
