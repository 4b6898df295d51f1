// What a newcomer reads first: one minimum of Node, commands that work today, and the way to what
// the page does not say itself.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

const readme = readFileSync(join(root, 'README.md'), 'utf8')

it('names the minimum of Node that the packages have, and another one only for the repository', () => {
  for (const place of ['server', 'server/client', 'demo/sandbox']) {
    const { engines } = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')) as { engines: object }
    expect(engines, place).toEqual({ node: '>=22.14' })
  }
  expect([...new Set(readme.match(/Node \d[\d.]*\d/g))]).toEqual(['Node 22.14', 'Node 20'])
  expect(readme).toMatch(
    /What is published needs Node 22\.14 or newer\. In this repository `npm ci` also runs on Node 20/,
  )
})

it('installs nothing from npm that is not there, until it says so', () => {
  const [, five = ''] = /## Five minutes to your own\n([^]*?)\n## /.exec(readme) ?? []
  const commands = [...five.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block).join('')
  const installs = commands.match(/npm (?:install|i) [^\n#]*/g) ?? []
  expect(installs).toHaveLength(1)
  expect(installs[0]).toContain('.tgz')
})

it.each(['Docker', 'PostgreSQL', 'systemd', 'WordPress', 'PHP'])('says where %s is', (word) => {
  expect(readme).toContain(word)
})

it('leads only to what is there', () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
