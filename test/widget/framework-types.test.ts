// The types for frameworks follow the manifest, and the React component has each of its events.
// `npm run check` compiles the examples against them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { frameworkTypes } from '../../widget/build/framework-types.ts'
import { root } from '../helpers/run-quietly.ts'

const element = {
  tagName: 'hc-checkout',
  attributes: [
    { name: 'theme', type: { text: "'light' | 'dark'" } },
    { name: 'companion', type: { text: 'string' }, fieldName: 'companion', description: 'Where it\nis.' },
    { name: 'bank-choice', type: { text: 'string' }, fieldName: 'bankChoice' },
  ],
  members: [
    { kind: 'field', privacy: 'public', name: 'companion', attribute: 'companion' },
    { kind: 'field', privacy: 'public', name: 'texts' },
    { kind: 'field', privacy: 'public', name: 'validity', readonly: true },
    { kind: 'field', name: 'formAssociated' },
    { kind: 'method', privacy: 'public', name: 'reset' },
  ],
  events: [{ name: 'hc-status-change', type: { text: 'DepositEvent' } }],
}

it('what the element takes has both of its names, and only the companion is required', () => {
  const { 'props.d.ts': text = '' } = frameworkTypes(element)
  expect(text.match(/^  [\w']\S*: .*$/gm)).toEqual([
    "  theme?: 'light' | 'dark' | undefined",
    "  companion: HcCheckout['companion']",
    "  'bank-choice'?: HcCheckout['bankChoice'] | undefined",
    "  bankChoice?: HcCheckout['bankChoice'] | undefined",
    "  texts?: HcCheckout['texts'] | undefined",
    "  'hc-status-change': DepositEvent",
  ])
  expect(text).toContain('/** Where it is. */')
})

it('Vue has a listener under its own name of each event', () => {
  expect(frameworkTypes(element)['vue.d.ts']).toContain("onHcStatusChange?: ((event: Events['hc-status-change'])")
})

it('each framework has a module that a page can import', () => {
  const files = Object.keys(frameworkTypes(element)).filter((name) => name.endsWith('.js'))
  expect(files.toSorted()).toEqual(['preact.js', 'react.js', 'solid.js', 'svelte.js', 'vue.js'])
})

it('the React component has each event of the element, and is of the browser alone', () => {
  const read = (name: string) => readFileSync(join(root, 'widget', name), 'utf8')
  const events = [...read('hc-checkout.ts').matchAll(/@event \{(\w+)\} (hc-[\w-]+)/g)].map(([, type, name]) => [
    name,
    type,
  ])
  const props = [...read('react.ts').matchAll(/'(hc-[\w-]+)' as EventName<(\w+)>/g)].map(([, name, type]) => [
    name,
    type,
  ])
  expect(events.length).toBeGreaterThan(5)
  expect(props).toEqual(events)
  expect(read('react.ts').replaceAll(/^\/\/.*\n/gm, '')).toMatch(/^'use client'\n/)
})
