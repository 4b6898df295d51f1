// A command's access to the outside (output, environment, clock, fetch), handed in so that tests
// can replace it.
import { parseEnv } from 'node:util'
import { readFileSync, statSync } from 'node:fs'
import { codeOf } from '../platform/error-code.ts'

export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>
  out(line: string): void
  err(line: string): void
  readonly fetch: typeof fetch
  readonly now: () => number
  /** Resolves when the user or the system asks the program to end. */
  stopped(): Promise<string>
}

export function processIo(): CommandIo {
  // `… | head` closes the pipe when it has seen enough; ignore the error.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      // `… > file` on a full disk.
      if (stream === process.stdout) process.stderr.write(`The output cannot be written (${error.code}).\n`)
      process.exit(1)
    })
  return {
    env: process.env,
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    fetch: globalThis.fetch,
    now: Date.now,
    stopped: () =>
      new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal))
        whenNpmEnds(() => resolve('npm has ended'))
      }),
  }
}

/** Killing npx ends its shell, not this process, which would keep its port. */
function whenNpmEnds(call: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const starter = process.ppid
  const looking = setInterval(() => {
    if (process.ppid === starter) return
    clearInterval(looking)
    call()
  }, 1000).unref()
}

/** Wrong usage of a command: the message is shown above the help, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * The text of a file in UTF-8. Node alone would put U+FFFD in place of each byte that it cannot
 * read, and say nothing.
 *
 * @param option names the file in the message, for example `--statement: payments.csv`.
 * @throws UsageError for text in another encoding.
 */
export function utf8Of(bytes: Uint8Array, option: string): string {
  // Every other byte of a Latin letter is NUL in UTF-16. Binary spreadsheet files have NULs too.
  if (bytes.includes(0))
    throw new UsageError(`${option} is not UTF-8 text (UTF-16, or no text at all): save it as UTF-8.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lines = new TextDecoder('utf-8').decode(bytes).split(/\r\n|\r|\n/)
    const line = lines.findIndex((text) => text.includes('\uFFFD')) + 1
    throw new UsageError(
      `${option} is not UTF-8 text but most likely Windows-1252 (ANSI, Latin-1), for the first time in line ${line}: ` +
        'save it as UTF-8 (a spreadsheet calls it "CSV UTF-8"), or convert it by iconv -f WINDOWS-1252 -t UTF-8.',
    )
  }
}

/**
 * The environment, overridden by the file of `--env-file`.
 *
 * @throws UsageError when the file cannot be read or is not UTF-8, or has a line that says nothing
 * or contradicts another.
 */
export function withEnvFile(io: CommandIo, file: string | undefined): CommandIo['env'] {
  if (file === undefined) return io.env
  let text: string
  try {
    // For example `<(sops -d …)`. Node has read the file of an option with this name before us, and
    // then a pipe is empty.
    if (statSync(file).isFIFO())
      throw new UsageError(
        `--env-file: ${file} is a pipe, and Node has emptied it already: name a file, or put the ` +
          'settings into the environment.',
      )
    text = utf8Of(readFileSync(file), `--env-file: ${file}`)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--env-file: ${file} cannot be read (${codeOf(error) || 'unreadable'}).`)
  }
  // Some editors begin UTF-8 with a byte order mark, which would belong to the first name.
  const content = text.replace(/^\uFEFF/, '')
  const fault = faultIn(content, file)
  if (fault !== undefined) throw new UsageError(`--env-file: ${fault}`)
  return { ...io.env, ...parseEnv(content) }
}

/**
 * The error for the first line that `parseEnv` silently ignores (`HC_MODE: sessions`) or misreads
 * (a key of several lines without quotes), or that overrides an earlier value. It shows no value,
 * because that may be a secret.
 */
function faultIn(content: string, file: string): string | undefined {
  const lines = content.split('\n')
  const given = new Map<string, { readonly line: number; readonly value: string }>()
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? ''
    // systemd takes ; for a comment too.
    if (line === '' || /^[#;]/.test(line)) continue
    const [, name, rest] = /^(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/.exec(line) ?? []
    if (name === undefined || rest === undefined)
      return `line ${at + 1} of ${file} is no NAME=value, no comment, and would be passed over.`
    const start = at
    const quote = /^["'`]/.exec(rest)?.[0]
    if (quote !== undefined && !rest.includes(quote, 1)) {
      // It ends on a later line, or was not meant as a quote.
      const end = lines.findIndex((later, n) => n > at && later.includes(quote))
      if (end > 0) at = end
    }
    const value = parseEnv(lines.slice(start, at + 1).join('\n'))[name] ?? ''
    const earlier = given.get(name)
    // A template's empty line above the value is none; an empty one below it is.
    if (earlier !== undefined && earlier.value !== '' && earlier.value !== value)
      return (
        `lines ${earlier.line} and ${start + 1} of ${file} both set ${name}, and differ: ` +
        'remove the one that should not count.'
      )
    given.set(name, { line: start + 1, value })
  }
  return undefined
}
