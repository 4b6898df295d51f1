// The documentation matches the code: its tables are generated from it, and every setting, error,
// metric and section it names exists.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { PLAIN_ALERT_KINDS } from '../../server/deposits/machine/alerts.ts'
import { runCommand } from '../../server/cli/run-command.ts'
import { Decision, DepositPhase, Notice, NoticeType, Problem } from '../../server/contract/index.ts'
import { problems } from '../../server/contract/problem.ts'
import { statusOf } from '../../server/deposits/machine/phases.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import * as server from '../../server/index.ts'
import * as node from '../../server/node.ts'
import * as sandbox from '../../demo/sandbox/index.ts'
import { settingsTable } from '../../server/settings/table.ts'
import * as widget from '../../widget/index.ts'
import * as locales from '../../widget/locales/index.ts'
import { pictures } from '../gallery/docs-pictures.ts'
import { blocks, readBlock } from '../helpers/docs-tables.ts'

const root = join(import.meta.dirname, '../..')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...globSync(
    ['widget/README.md', 'server/README.md', 'server/client/README.md', 'demo/examples/README.md', 'demo/docs/**/*.md'],
    { cwd: root },
  ),
]
const deployment = globSync('server/deploy/*', { cwd: root })

/** Cells are compared, not the spaces that a formatter puts between them. */
const cells = (text = '') =>
  text.split('\n').map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/^-+$/, '---')))

test.each(blocks.map((block) => [block.name, block] as const))(
  'the table of %s is the code’s own (else: npm run docs)',
  async (_, { file, name, text }) => {
    expect(cells(readBlock(file, name))).toEqual(cells(await text()))
  },
)

test('the limits in proxies.md are those of the code', () => {
  const limit = (file: string, name: string) =>
    Number(
      new RegExp(`^const ${name} = (\\d+)$`, 'm').exec(readFileSync(join(root, 'server/http', file), 'utf8'))?.[1],
    ).toLocaleString('en')
  const ofAddress = limit('caller-limits.ts', 'MOST_PER_ADDRESS')
  const reads = limit('caller-limits.ts', 'MOST_READS')
  const table = /^\| limit, per minute .*\n(?:\|.*\n)+/m.exec(
    readFileSync(join(root, 'demo/docs/proxies.md'), 'utf8'),
  )?.[0]
  const rows = cells(table).flatMap(([, what = '', address, session]) =>
    /^(new|reads|"Check)/.test(what) ? [[what.split(' ')[0], address, session]] : [],
  )
  expect(rows).toEqual([
    ['new', ofAddress, limit('caller-limits.ts', 'MOST_PER_SESSION')],
    ['reads', reads, reads],
    ['"Check', ofAddress, limit('caller-limits.ts', 'MOST_PER_CUSTOMER')],
  ])
})

/** What the tests themselves read, such as how many forgeries to send. */
function settingsOfTests(): string[] {
  return globSync('test/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/process\.env(?:\['|\.)(HC_[A-Z_]+)/g)].map(
      ([, name = '']) => name,
    ),
  )
}

test.each([...pages, ...deployment])('%s names only settings that exist', (page) => {
  const known = new Set<string>([
    ...settingsTable.flatMap(({ name }) => [name, `${name}_FILE`]),
    'HC_SANDBOX_PORT',
    'HC_DEMO_COMPANION',
    'HC_DEMO_PORT',
    'HC_CHROMIUM',
    'HC_DIRECTORY',
    'HC_CONFORMANCE_URL',
    'HC_CONFORMANCE_AUTH_URL',
    ...(page === 'CONTRIBUTING.md' ? settingsOfTests() : []),
  ])
  const named = readFileSync(join(root, page), 'utf8').match(/\bHC_[A-Z_]+\b/g) ?? []
  expect([...new Set(named)].filter((name) => !known.has(name) && !name.endsWith('_'))).toEqual([])
})

test.each(pages)('every link of %s inside the repository leads somewhere', (page) => {
  const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|mailto:)([^)\s]+)/g)]
  const missing = links.filter(([, link = '']) => {
    const [path = '', section] = link.split('#')
    const file = path === '' ? page : join(page, '..', path)
    return !existsSync(join(root, file)) || (section !== undefined && !sections(file).includes(section))
  })
  expect(missing.map(([, link]) => link)).toEqual([])
})

test('each picture of a page is taken by npm run docs:pictures, and said in words', () => {
  const shown = pages.flatMap((page) => [
    ...readFileSync(join(root, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g),
  ])
  const there = globSync('demo/docs/**/*.{png,jpg,gif,svg,webp}', { cwd: root })
  const taken = Object.keys(pictures).map((name) => `${name}.png`)
  expect(shown.map(([, , path = '']) => path.replace('pictures/', '')).toSorted()).toEqual(taken.toSorted())
  expect(there.map((path) => path.replace('demo/docs/pictures/', '')).toSorted()).toEqual(taken.toSorted())
  expect(shown.filter(([, words = '']) => words.length < 20)).toEqual([])
})

/** The anchors of a page: of its headings, as GitHub makes them, and those that it names itself. */
function sections(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[^]*?^```/gm, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)]
}

test('every command that the pages name exists, with its options', async () => {
  const text = [...pages, ...deployment].map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const commands = new Set([...text.matchAll(/hc-checkout-server ([a-z]+)/g)].map(([, name = '']) => name))
  expect(commands.size).toBeGreaterThan(8)
  for (const command of commands) {
    const help = await helpOf(command)
    const uses = [...text.matchAll(new RegExp(`(?:hc-checkout-server |\`)${command} ([^\`\\n#]+)`, 'g'))]
    const options = uses.flatMap(([, rest = '']) => rest.match(/--[a-z-]+/g) ?? [])
    expect(
      [...new Set(options)].filter((option) => !help.includes(`${option} `)),
      command,
    ).toEqual([])
  }
})

test('every option of a command is named in a page', async () => {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  const commands = [...(await helpOf()).matchAll(/^  ([a-z]+)  /gm)].map(([, name = '']) => name)
  expect(commands.length).toBeGreaterThan(8)
  for (const command of commands) {
    const options = [...(await helpOf(command)).matchAll(/^ +(--[a-z-]+)/gm)].map(([, option = '']) => option)
    expect(
      options.filter((option) => !new RegExp(`${option}\\b`).test(text)),
      command,
    ).toEqual([])
  }
})

async function helpOf(command?: string): Promise<string> {
  const said: string[] = []
  const out = (line: string) => void said.push(line)
  const log = vi.spyOn(console, 'log').mockImplementation(out)
  const io = { env: {}, out, err: out, fetch, now: Date.now, stopped: () => new Promise<never>(() => {}) }
  expect(await runCommand([...(command === undefined ? [] : [command]), '--help'], io), command).toBe(0)
  log.mockRestore()
  return said.join('\n').replaceAll(/[,\]]/g, ' ')
}

test('examples of bodies fit the contract, without fields that it does not have', () => {
  const read = (file: string, example: RegExp): unknown =>
    JSON.parse(example.exec(readFileSync(join(root, 'demo/docs', file), 'utf8'))?.[1] ?? '')
  const examples: readonly [z.ZodType, unknown][] = [
    [Notice, read('receivers.md', /```json\n([^]*?)```/)],
    [Problem, read('errors.md', /```json\n([^]*?)```/)],
    [Decision, read('support.md', /-d '(\{"outcome.*\})'/)],
  ]
  for (const [schema, example] of examples) expect(schema.parse(example)).toEqual(example)
})

test.each(['receivers.md', 'integrate.md'])('%s explains every type of notice', (file) => {
  const page = readFileSync(join(root, 'demo/docs', file), 'utf8')
  const rows = page.split('\n').filter((line) => line.startsWith('| `payment.'))
  const explained = rows.flatMap((row) => row.split('|')[1]?.match(/payment\.[a-z]+/g) ?? [])
  expect(explained.toSorted()).toEqual(NoticeType.options.toSorted())
})

test.each([
  ['hc-checkout', widget],
  ['hc-checkout/locales', locales],
  ['hc-checkout-server', server],
  ['hc-checkout-server/node', node],
  ['hc-checkout-sandbox', sandbox],
])('all that %s exports is named in a page', (_, exported) => {
  const text = pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n')
  // Languages are named by their code.
  const names = Object.keys(exported).filter((name) => name.length > 2)
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
})

test('the page of the sandbox names each option of createSandbox', () => {
  const [, options = ''] =
    /interface SandboxOptions \{([^]*?)\n\}/.exec(readFileSync(join(root, 'demo/sandbox/sandbox.ts'), 'utf8')) ?? []
  const names = [...options.matchAll(/readonly (\w+)\?:/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(9)
  const [, told = ''] =
    /`createSandbox` takes([^]*?)It gives/.exec(readFileSync(join(root, 'demo/docs/sandbox.md'), 'utf8')) ?? []
  expect(names.filter((name) => !told.includes(`\`${name}\``))).toEqual([])
})

test('every metric that the pages name exists', async () => {
  const exported = await createMetrics().read()
  const named = pages.flatMap((page) => readFileSync(join(root, page), 'utf8').match(/\bhc_[a-z0-9_]+/g) ?? [])
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !exported.includes(`# HELP ${name} `))).toEqual([])
})

test('every reason for a review is explained', () => {
  const code = readFileSync(join(root, 'server/deposits/machine/deposit.ts'), 'utf8')
  const [, kinds = ''] = /type ReviewReason =([^]*?)\n\n/.exec(code) ?? []
  const reasons = [...kinds.matchAll(/'([a-z0-9_]+)'/g)].map(([, reason]) => reason)
  expect(reasons.length).toBeGreaterThan(5)
  const page = readFileSync(join(root, 'demo/docs/support.md'), 'utf8')
    .split('## Deciding a review')[1]
    ?.split('```')[0]
  const explained = [...(page ?? '').matchAll(/^\| `([a-z0-9_]+)`/gm)].map(([, reason]) => reason)
  expect(new Set(explained)).toEqual(new Set(reasons))
})

test('every kind of alert is explained', () => {
  const page = readFileSync(join(root, 'demo/docs/monitor.md'), 'utf8')
  const [, table = ''] = /\n\| kind +\| reported when[^\n]*\n([^]*?)\n\n/.exec(page) ?? []
  const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[a-z_]{3,}/g) ?? [])
  expect(explained.length).toBeGreaterThan(20)
  expect(explained.toSorted()).toEqual(PLAIN_ALERT_KINDS.toSorted())
})

test('every code of a result is explained', () => {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const refusals = /type RefusalCode =([^]*?)\n\n/.exec(read('server/deposits/ports/upstream.ts'))?.[1] ?? ''
  // In a field, or in a row of the map by the reason of the call.
  const code = /\b(?:resultCode|code): (?:[^,'\n]* \?\? )?'[a-z_]+'|(?<=^ {2}\['\w+', )'[a-z_]+'(?=\],$)/gm
  const ours = ['endings', 'steps'].flatMap((file) => read(`server/deposits/machine/${file}.ts`).match(code) ?? [])
  // These two are settled by query: no payment is rejected for them.
  const settled = ['duplicate_reference', 'conflict']
  const codes = [refusals, ...ours].flatMap((text) => [...text.matchAll(/'([a-z_]+)'/g)].map(([, code = '']) => code))
  const table = /\n\| `result.code`[^\n]*\n([^]*?)\n\n/.exec(read('demo/docs/states.md'))?.[1] ?? ''
  const explained = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/[a-z_]{3,}/g) ?? [])
  expect(codes.length).toBeGreaterThan(12)
  expect(new Set(explained)).toEqual(new Set([...codes.filter((code) => !settled.includes(code)), 'failed', 'expired']))
})

test('the exit codes of start are those of its help', async () => {
  const page = readFileSync(join(root, 'demo/docs/deploy.md'), 'utf8')
  const plain = (text = '') =>
    text
      .replaceAll(/^- /gm, '')
      .replaceAll(/[`,\s]+/g, ' ')
      .trim()
  const [, told] = /Exit codes of `start`:\s+([^.]*\.)/.exec(page) ?? []
  expect(plain(await helpOf('start'))).toContain(`Exit codes: ${plain(told)}`)
})

test('every error code that the error page explains exists', () => {
  const explained = [...readFileSync(join(root, 'demo/docs/errors.md'), 'utf8').matchAll(/^\*\*`([a-z_]+)`\*\*/gm)].map(
    ([, code]) => code,
  )
  expect(explained.length).toBeGreaterThan(5)
  expect(explained.filter((code) => code === undefined || !(code in problems))).toEqual([])
})

test('comments cite only money rules that there are, and documents that are here', () => {
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const rules = /## The money rules\n([^]*?)\n## /.exec(contributing)?.[1] ?? ''
  const numbers = [...rules.matchAll(/^(\d+)\. /gm)].map(([, number]) => number)
  const here = globSync('{*,{widget,server,demo,test}/**/*}.{md,txt}', { cwd: root, exclude: ['**/node_modules'] })
  const code = globSync('{*,{widget,server,demo,test}/**/*}.{ts,js}', {
    cwd: root,
    exclude: ['**/dist', '**/node_modules'],
  })
  const cited = code.flatMap((file) =>
    (readFileSync(join(root, file), 'utf8').match(/^ *(\/\/|\/?\*).*|\/\*\*.*\*\/$/gm) ?? []).flatMap((comment) => [
      ...(/\bmoney rules? (\d+(?:(?:, | and )\d+)*)/i.exec(comment)?.[1]?.match(/\d+/g) ?? []),
      ...(comment.match(/(?<![\w.:/*-])[A-Za-z][\w/-]*\.(?:md|txt)\b/g) ?? []),
    ]),
  )
  const known = [...numbers, ...here, ...here.map((path) => basename(path))]
  expect(numbers.length).toBe(12)
  expect(cited.length).toBeGreaterThan(100)
  expect([...new Set(cited)].filter((name) => !known.includes(name))).toEqual([])
})

test('comments cite only sections and rows that the pages on the payment service have', () => {
  const pageOf = (name: string) =>
    readFileSync(join(root, 'demo/docs/protocol', `${name}.md`), 'utf8')
      .replaceAll('`', '')
      .toLowerCase()
  const texts = new Map(['service', 'open-points'].map((name) => [name, pageOf(name)]))
  const code = globSync('{widget,server,demo,test}/**/*.ts', { cwd: root, exclude: ['**/dist', '**/node_modules'] })
  const cited = code.flatMap((file) => {
    const comments = readFileSync(join(root, file), 'utf8').replaceAll(/\n *(?:\/\/|\*) /g, ' ')
    return [...comments.matchAll(/\b(service|open-points)\.md(?:,| rows?)? "([^"\n]+)"/g)].map(
      ([, page = '', section = '']) => ({
        file,
        page,
        section,
      }),
    )
  })
  expect(cited.length).toBeGreaterThan(30)
  expect(cited.filter(({ page, section }) => !texts.get(page)?.includes(section.toLowerCase()))).toEqual([])
})

test('every phase of a payment is explained, with its status', () => {
  const page = readFileSync(join(root, 'demo/docs/states.md'), 'utf8')
  const explained = [...page.matchAll(/^\| `([a-z]+)` +\| `([A-Z]+)` +\|/gm)].map(([, ...pair]) => pair.join(' '))
  expect(new Set(explained)).toEqual(new Set(DepositPhase.options.map((phase) => `${phase} ${statusOf(phase)}`)))
})

test('CONTRIBUTING.md names no file that does not exist', () => {
  const named = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').matchAll(
    /`((?:widget|server|demo|test)[/][\w./-]+)`/g,
  )
  const paths = [...named].map(([, path = '']) => path.replace('XX', 'fr'))
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

/** All paths that the map names. A line is within the line above it that is less indented. */
function mapped(): string[] {
  const map = /## The map\n\n```\n([^]*?)```/.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'))?.[1] ?? ''
  const way: { indent: number; path: string }[] = []
  return map.split('\n').flatMap((line) => {
    const [, { length: indent } = '', names = ''] = /^( *)(\S+(?: \S+[/])*)  /.exec(line) ?? []
    if (names === '') return []
    while (way.length > 0 && way.at(-1)!.indent >= indent) way.pop()
    const paths = names.split(' ').map((name) => (way.at(-1)?.path ?? '') + name)
    way.push({ indent, path: paths[0] ?? '' })
    return paths
  })
}

test('the map of CONTRIBUTING.md has every folder, and nothing that does not exist', () => {
  const named = mapped()
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const folders = globSync(['{widget,server,demo,test}/*/', 'server/*/*/'], {
    cwd: root,
    exclude: ['**/dist', '**/node_modules'],
  })
  expect(folders.map((path) => `${path.replace(/[/]$/, '')}/`).filter((path) => !named.includes(path))).toEqual([])
})

test('the server shows a visitor at most 8 files of code and 14 folders', () => {
  const code = globSync('server/*.{ts,js}', { cwd: root })
  const folders = globSync('server/*/', { cwd: root, exclude: ['**/dist', '**/node_modules'] })
  expect([code.length <= 8, folders.length <= 14], `${code.length} files, ${folders.length} folders`).toEqual([
    true,
    true,
  ])
})
