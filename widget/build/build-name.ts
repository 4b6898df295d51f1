// Adds a build hash to the names of files that are loaded later, so that files of two builds are
// never mixed.
import { createHash } from 'node:crypto'

/**
 * Names by which the files import each other. `hc-checkout.js` and `hc-checkout-legacy.js`, named
 * in shops' pages, keep their names; `"+e+"` is where the name is put in (`askAgain` in
 * build-plugins.ts).
 */
const later = /\bhc-(?!checkout\b)([a-z-]+|"\+\w+\+")\.js\b/g

/**
 * The exports of a build have minified names, which the next build assigns differently. A page open
 * during an upgrade, a cache, or a second companion that is not upgraded yet would mix two builds;
 * with the build hash in its name such a file is missing (404), and the widget retries.
 *
 * @param files the text of each file of the build, by its name
 * @returns the same files: `hc-flow.js` is `hc-flow-1a2b3c4d.js`, the same eight digits for all of
 *   one build
 */
export function nameBuild(files: Readonly<Record<string, string>>): Record<string, string> {
  const hash = createHash('sha256')
  for (const name of Object.keys(files).toSorted()) hash.update(`${name}\0${files[name]}\0`)
  const build = hash.digest('hex').slice(0, 8)
  const named = (text: string): string => text.replace(later, `hc-$1-${build}.js`)
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [named(name), named(text)]))
}
