// The servers of `npm start`, from one start to the next.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Credentials, openCredentials } from '../../demo/credentials.ts'
import { type LocalSetup, startLocalSetup, stateDirectory } from '../../demo/local-setup.ts'
import { kenyanDeposit, newKey } from '../helpers/create-test-system.ts'
import { welcome } from '../../demo/welcome.ts'
import { freePorts } from '../helpers/free-port.ts'

let directory: string
let setup: LocalSetup | undefined
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hc-local-'))
})
afterEach(async () => {
  await setup?.close()
  rmSync(directory, { recursive: true, force: true })
})

it('keys and databases lie in .hc, which git ignores, unless a folder is named: an empty HC_DIRECTORY names none', () => {
  const own = resolve(import.meta.dirname, '../../.hc')
  expect([undefined, '', '/srv/house'].map(stateDirectory)).toEqual([own, own, '/srv/house'])
})

it('prints each address that can be opened, and calls the companion an API', async () => {
  const [sandbox = 0, companion = 0, shop = 0] = await freePorts(3)
  setup = await startLocalSetup({ directory, host: '127.0.0.1', ports: { sandbox, companion, shop } })
  const printed = welcome(setup, { lan: false, directory })
  const opened = [...printed.matchAll(/^ {2}[A-Z][\w ]+? {2,}(http\S+)/gm)].map(([, address = '']) => address)
  expect(opened).toEqual([
    setup.keys.shopUrl,
    `${setup.keys.shopUrl}/docs/`,
    `${setup.keys.companionUrl}/console`,
    `${setup.keys.sandboxUrl}/console`,
  ])
  expect((await fetch(setup.keys.companionUrl)).status).toBe(404)
  expect(printed).toMatch(/an API at http:\/\/127\.0\.0\.1:\d+: .* no page at that address/)
})

it('where the folder is none that can be written to, one sentence says so, and which setting names another', () => {
  const letter = join(directory, 'letter.txt')
  writeFileSync(letter, 'no folder')
  const url = 'http://127.0.0.1:1'
  const addresses = { companionUrl: url, sandboxUrl: url, shopUrl: url }
  expect(() => openCredentials(letter, addresses)).toThrow(
    `${letter} cannot be read or written (EEXIST). Keys and databases need a folder that is yours: HC_DIRECTORY names another than ${letter}.`,
  )
  // As another user's would be.
  const unreadable = join(directory, 'credentials.json')
  mkdirSync(unreadable)
  expect(() => openCredentials(directory, addresses)).toThrow(/^(?!.*JSON).*cannot be read or written \(EISDIR\)/)
})

it('after a rotation in the console the next start pays with the new keys, and tells them', async () => {
  const [sandbox, companion, shop] = (await freePorts(3)) as [number, number, number]
  const start = () => startLocalSetup({ directory, host: '127.0.0.1', ports: { sandbox, companion, shop } })
  const told = () => JSON.parse(readFileSync(join(directory, 'credentials.json'), 'utf8')) as Credentials
  setup = await start()
  const before = told()
  const rotation = `${before.sandboxUrl}/console/api/merchants/${before.businessId}/rotate`
  const { data } = (await (await fetch(rotation, { method: 'POST' })).json()) as {
    data: { consumer_key: string; consumer_secret: string }
  }
  await setup.close()

  setup = await start()
  const { consumer_key: consumerKey, consumer_secret: consumerSecret } = data
  expect(consumerKey).not.toBe(before.consumerKey)
  expect(told()).toEqual({ ...before, consumerKey, consumerSecret })
  const answer = await fetch(`${before.companionUrl}/v1/deposits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': newKey(), origin: before.shopUrl },
    body: JSON.stringify(kenyanDeposit()),
  })
  expect(await answer.json()).toMatchObject({ phase: 'open', mode: 'test' })
})

it('where other machines reach it, nobody can have the companion restarted', async () => {
  const [sandbox, companion, shop] = (await freePorts(3)) as [number, number, number]
  const ports = { sandbox, companion, shop }
  const breakages = async (host: string) => {
    setup = await startLocalSetup({ directory, host, ports })
    const offer = (await (await fetch(`http://${host}:${shop}/api/shop`)).json()) as { breakages: string[] }
    await setup.close()
    return offer.breakages
  }
  expect(await breakages('127.0.0.1')).toContain('restart')
  // All addresses, as with --lan.
  const others = await breakages('127.0.0.2')
  expect(others).toContain('forge')
  expect(others).not.toContain('restart')
})
