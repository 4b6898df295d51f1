// Finds a bank by what people call it: its name, its initials, a short or former name, without
// accents, with one typo in a long word.
import type { Bank } from '../../server/contract/index.ts'
import type { FormValues } from './form-values.ts'

/**
 * The text without accents, case, apostrophes and hyphens, for a tolerant search: an iPhone types
 * ’, and "cooperative" is Co-operative.
 */
function plain(text: string): string {
  return text
    .trim()
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’-]/g, '')
    .toLowerCase()
}

/**
 * Plain names of each list, the full one first, cached: normalising at each keystroke is too slow
 * on a slow phone.
 */
const plainNames = new WeakMap<readonly Bank[], readonly (readonly string[])[]>()

function namesOf(banks: readonly Bank[]): readonly (readonly string[])[] {
  const names = plainNames.get(banks) || banks.map(({ name, aliases = [] }) => [name, ...aliases].map(plain))
  plainNames.set(banks, names)
  return names
}

/**
 * How well a bank fits, 0 best; undefined where it does not. What people call it counts as its name
 * does.
 */
function rank([name = '', ...aliases]: readonly string[], wanted: string): number | undefined {
  const all = [name, ...aliases]
  if (all.includes(wanted)) return 0
  if (name.startsWith(wanted)) return 1
  if (all.some((one) => one.startsWith(wanted))) return 2
  if (name.includes(` ${wanted}`) || name.includes(`(${wanted}`)) return 3
  return name.includes(wanted) ? 4 : undefined
}

/** Matching banks, best first; if none, those of which a word begins like this with one typo. */
export function searchBanks(banks: readonly Bank[], query: string): readonly Bank[] {
  const wanted = plain(query)
  if (wanted === '') return banks
  const names = namesOf(banks)
  const ranked: Bank[][] = [[], [], [], [], []]
  banks.forEach((bank, i) => {
    const at = rank(names[i]!, wanted)
    if (at !== undefined) ranked[at]!.push(bank)
  })
  // Chromium 64 has no Array.flat.
  const found = ([] as Bank[]).concat(...ranked)
  // Four letters are initials or a short name: nearly all banks are near to some.
  if (found[0] || wanted.length < 5) return found
  return banks.filter((_, i) => names[i]![0]!.split(' ').some((word) => nearly(word, wanted)))
}

/**
 * Whether a word begins with `wanted` with one typo: a letter added, missing or replaced, or two
 * swapped.
 */
function nearly(word: string, wanted: string): boolean {
  for (let i = 0; i < wanted.length; i++) {
    if (word[i] === wanted[i]) continue
    const rest = wanted.slice(i + 1)
    return (
      word.startsWith(rest, i + 1) ||
      word.startsWith(wanted.slice(i), i + 1) ||
      word.startsWith(rest, i) ||
      word.startsWith(wanted[i + 1]! + wanted[i] + wanted.slice(i + 2), i)
    )
  }
  return true
}

/**
 * The bank that a text means: the one of exactly that name, else the one with that name or alias,
 * else the only one that the search finds.
 */
export function bankMeant(banks: readonly Bank[], text: string): Bank | undefined {
  const wanted = plain(text)
  if (!wanted) return undefined
  const names = namesOf(banks)
  const readings = [
    () => banks.filter(({ name }) => name.trim() === text.trim()),
    () => banks.filter((_, i) => names[i]![0] === wanted),
    () => banks.filter((_, i) => names[i]!.includes(wanted)),
    () => searchBanks(banks, text),
  ]
  for (const reading of readings) {
    const found = reading()
    // Several banks of one name: only the customer knows which.
    if (found[0]) return found[1] ? undefined : found[0]
  }
  return undefined
}

/**
 * Whether a bank must still be chosen: banks match the text of its field, but none is meant for
 * certain.
 */
export function isBankOpen({ page, offer, entry }: FormValues): boolean {
  const { banks } = offer
  if (page.bank || !entry.query.trim() || !Array.isArray(banks)) return false
  return Boolean(searchBanks(banks, entry.query)[0])
}
