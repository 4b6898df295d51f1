// What a merchant's own server can import by the package's name alone.
import { describe, expect, it } from 'vitest'
import * as entry from 'hc-checkout-server'
import { nodeListener, openCompanion, openStore, startCompanion } from 'hc-checkout-server/node'

describe("import 'hc-checkout-server'", () => {
  it('has the companion and the sandbox, and nothing that replaces what believes and decides', () => {
    expect(Object.keys(entry).toSorted()).toEqual(['createCompanion', 'createSandbox'])
  })

  it.each([[undefined], [{}], [{ settings: {} }], [{ store: {} }]])('says what a companion of %j lacks', (options) => {
    expect(() => entry.createCompanion(options as never)).toThrow(/needs \{ settings, store \}: .*openCompanion/)
  })

  it('says what is to be given where plain JavaScript gives no environment, or what was opened instead of its companion', async () => {
    for (const open of [openCompanion, startCompanion])
      await expect(open(undefined as never)).rejects.toThrow('give process.env')
    const opened = { companion: { app: {} }, close: async () => {} }
    for (const wrong of [undefined, opened, opened.companion.app, Promise.resolve(opened)])
      expect(() => nodeListener(wrong as never)).toThrow('const { companion } = await openCompanion(process.env)')
  })

  it('is enough for a sandbox', async () => {
    const { app, clock, close } = entry.createSandbox()
    expect((await app.request('/console/api/scenarios')).status).toBe(200)
    expect(clock.now()).toBeGreaterThan(0)
    await close()
  })

  it('says so where Node is too old for a sandbox or a store: the SQLite driver would end the process without a word', async () => {
    const { versions } = process
    const tooOld = /needs Node 22\.14 or newer, and this is Node 20\.20\.2/
    Object.defineProperty(process, 'versions', { value: { ...versions, node: '20.20.2' } })
    try {
      expect(() => entry.createSandbox()).toThrow(tooOld)
      await expect(openStore('file::memory:')).rejects.toThrow(tooOld)
    } finally {
      Object.defineProperty(process, 'versions', { value: versions })
    }
  })
})
