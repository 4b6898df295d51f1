// Names what is loaded later after its build, so that files of two builds never meet.
import { createHash } from 'node:crypto'

/** As the files name each other. What a shop's page names itself, `hc-checkout.js` and `hc-checkout-legacy.js`, keeps its name. */
const later = /\bhc-(?!checkout\b)([a-z-]+)\.js\b/g

/**
 * The files of a build call each other's parts by letters that the next build gives to other parts. A page that is open during an upgrade, a
 * cache, or a second companion that is not upgraded yet would bring two builds together; with the build in its name, such a file is not there
 * (404), and the widget asks again.
 *
 * @param files the text of each file of the build, by its name
 * @returns the same files: `hc-flow.js` is `hc-flow-1a2b3c4d.js`, the same eight digits for all of one build
 */
export function nameBuild(files: Readonly<Record<string, string>>): Record<string, string> {
  const hash = createHash('sha256')
  for (const name of Object.keys(files).toSorted()) hash.update(`${name}\0${files[name]}\0`)
  const build = hash.digest('hex').slice(0, 8)
  const named = (text: string): string => text.replace(later, `hc-$1-${build}.js`)
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [named(name), named(text)]))
}
