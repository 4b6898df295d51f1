// No example configuration of a proxy writes a link that opens a payment, or the webhook's address,
// into a log.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

const PAY_LINK = '/pay/d0123456789'
const WEBHOOK = '/v1/webhook/0123456789'

/**
 * For each language of a configuration: the lines of it, without comments, that would log a
 * capability link.
 */
const leaks: Readonly<Record<string, (lines: readonly string[]) => string[]>> = {
  nginx: (lines) => [
    ...lines.filter((line) => /^access_log (?!off;)/.test(line)),
    ...lines.filter((line) => /^error_log (?!\S+ (crit|alert|emerg);)/.test(line)),
    ...missing(lines, /^access_log off;$/),
    ...missing(lines, /^error_log \S+ (crit|alert|emerg);$/),
  ],
  apache: (lines) => {
    const marked = /^SetEnvIf Request_URI "([^"]+)" capability$/
    const pattern = lines.map((line) => marked.exec(line)?.[1]).find((found) => found !== undefined)
    const catches = (path: string) => pattern !== undefined && new RegExp(pattern).test(path)
    return [
      ...[PAY_LINK, WEBHOOK].filter((path) => !catches(path)),
      // `common` has no Referer; any other format may.
      ...lines.filter(
        (line) => /^(Custom|Transfer|Global)Log /.test(line) && !line.endsWith(' common env=!capability'),
      ),
      ...missing(lines, /^LogLevel (crit|alert|emerg)$/),
    ]
  },
  haproxy: (lines) => {
    const silent = lines.find((line) => line.startsWith('http-request set-log-level silent if { path_beg '))
    const prefixes = silent?.match(/\/\S+/g) ?? []
    return [
      ...[PAY_LINK, WEBHOOK].filter((path) => !prefixes.some((prefix) => path.startsWith(prefix))),
      ...lines.filter((line) => /capture|log-format/.test(line)),
    ]
  },
  caddyfile: (lines) => [
    ...lines.filter((line) => /^log\b(?! default \{$)/.test(line)),
    ...missing(lines, /^exclude .*\bhttp\.log\.error\b/),
    ...missing(lines, /^exclude .*\bhttp\.handlers\.reverse_proxy\b/),
  ],
  lighttpd: (lines) => [
    ...lines.filter((line) => /mod_accesslog|accesslog\./.test(line)),
    ...missing(lines, /^server\.errorlog = "\/dev\/null"$/),
  ],
}

const missing = (lines: readonly string[], wanted: RegExp): string[] =>
  lines.some((line) => wanted.test(line)) ? [] : [`nothing like ${String(wanted)}`]

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

/** Every configuration of a proxy: blocks of the pages, and files of server/deploy. */
function examples(): { readonly name: string; readonly language: string; readonly text: string }[] {
  const folder = join(root, 'demo/docs')
  const blocks = globSync('**/*.md', { cwd: folder }).flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8')
    return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', block = '']) => ({
      name: `${page}, ${language}`,
      language,
      text: block,
    }))
  })
  const deploy = join(root, 'server/deploy')
  const files = readdirSync(deploy)
    .filter((file) => /nginx|apache|haproxy|caddy|lighttpd|traefik/i.test(file))
    .map((file) => ({
      name: file,
      language: file.split('.')[0] ?? '',
      text: readFileSync(join(deploy, file), 'utf8'),
    }))
  const looksLikeProxy = /proxy_pass|ProxyPass|reverse_proxy|proxy\.server|^backend /m
  return [...blocks, ...files].filter(({ language, text }) => language in leaks || looksLikeProxy.test(text))
}

describe('no configuration logs a capability link:', () => {
  test.each(examples())('$name', ({ language, text }) => {
    // A proxy that is not known here needs a rule of its own.
    expect(Object.keys(leaks)).toContain(language)
    expect(leaks[language]?.(linesOf(text))).toEqual([])
  })

  test('each kind of proxy has an example', () => {
    expect(new Set(examples().map(({ language }) => language))).toEqual(new Set(Object.keys(leaks)))
  })
})
