// What the widget may weigh on its way to a phone, compressed by brotli. Run after a build (npm run check does).
import { existsSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

const folder = 'widget/dist/bundle'

/** A module with everything it imports before it runs. */
function eager(name, found = new Set()) {
  const path = `${folder}/${name}`
  if (found.has(path) || !existsSync(path)) return found
  found.add(path)
  for (const node of parseSync(path, readFileSync(path, 'utf8')).program.body) {
    const from = node.source?.value
    if (typeof from === 'string' && from.startsWith('./')) eager(from.slice(2), found)
  }
  return found
}

export default [
  { name: 'until the form is usable', path: [...eager('hc-checkout.js')], limit: '14336 B', brotli: true },
  {
    name: 'one file for browsers without modules',
    path: `${folder}/hc-checkout-legacy.js`,
    limit: '24 kB',
    brotli: true,
  },
]
