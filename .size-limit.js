// What the widget may weigh on its way to a phone, compressed by brotli. Run after a build (npm run
// check does).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

const folder = 'widget/dist/bundle'

/** A module with everything it imports before it runs. */
function eager(name, found = new Set()) {
  const path = `${folder}/${name}`
  if (found.has(path)) return found
  found.add(path)
  // Listed all the same: size-limit fails on a file that is not there.
  if (!existsSync(path)) return found
  for (const node of parseSync(path, readFileSync(path, 'utf8')).program.body) {
    const from = node.source?.value
    if (typeof from === 'string' && from.startsWith('./')) eager(from.slice(2), found)
  }
  return found
}

/** What is loaded later has its build in its name. */
function ofBuild(name) {
  return readdirSync(folder).find((file) => new RegExp(`^${name}-[0-9a-f]{8}\\.js$`).test(file)) ?? `${name}.js`
}

/** The form, then what is loaded while the customer types, with the words of one language. */
const payment = (words) => [
  ...new Set([...eager('hc-checkout.js'), ...eager(ofBuild('hc-flow')), ...eager(ofBuild(`hc-${words}`))]),
]

/**
 * The demo's first page with all that it loads before it is drawn, but for the widget: of the files
 * for browsers of today.
 */
function demoPage() {
  const pages = 'demo/dist/shop'
  const html = readFileSync(`${pages}/index.html`, 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/(?!.*legacy)[^"]+)"/g)].map(
    ([, file]) => `${pages}/${file}`,
  )
  return [`${pages}/index.html`, ...files]
}

/**
 * The form's words are in the first script in English. The others come on top, and an Ethiopic
 * letter takes three bytes.
 */
const languages = [
  ['en', 29140],
  ...['fr', 'sw'].map((words) => [words, 29640]),
  ...['am', 'ha', 'rn', 'rw', 'so'].map((words) => [words, 29770]),
]

export default [
  { name: 'until the form is usable', path: [...eager('hc-checkout.js')], limit: '17260 B', brotli: true },
  ...languages.map(([words, limit]) => ({
    name: `a whole payment, words of ${words}`,
    path: payment(words),
    limit: `${limit} B`,
    brotli: true,
  })),
  {
    name: 'one file for browsers without modules',
    path: `${folder}/hc-checkout-legacy.js`,
    limit: '28480 B',
    brotli: true,
  },
  { name: 'the first view of the demo, without the widget', path: demoPage(), limit: '25856 B', brotli: true },
]
