// The package in a program without a browser, as imported by a shop that renders its pages on a
// server.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from '../helpers/run-quietly.ts'

const run = promisify(execFile)

/** @returns what the program says, as JSON; throws what it throws */
async function underNode(program: string): Promise<unknown> {
  const flags = ['--conditions=hc-source', '--input-type=module', '--eval', program]
  return JSON.parse((await run(process.execPath, flags, { cwd: root })).stdout)
}

test('importing the element under Node throws nothing and registers nothing', async () => {
  const said = await underNode(`const { HcCheckout } = await import('hc-checkout')
    console.log(JSON.stringify([typeof HcCheckout, globalThis.customElements?.get('hc-checkout') === undefined, typeof globalThis.document]))`)
  expect(said).toEqual(['function', true, 'undefined'])
})

test('importing what registers the tag throws nothing under Node either, twice', async () => {
  const said = await underNode(`await import('hc-checkout/define')
    await import('hc-checkout/define')
    console.log('"fine"')`)
  expect(said).toBe('fine')
})

test('where there are no custom elements, as in the oldest browsers, what registers the tag throws nothing: it may be in one file with the page’s own code', async () => {
  // Lit brings a registry of its own to Node.
  const said = await underNode(`await import('hc-checkout')
    delete globalThis.customElements
    await import('hc-checkout/define')
    console.log(JSON.stringify(typeof customElements))`)
  expect(said).toBe('undefined')
})
