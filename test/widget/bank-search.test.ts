// Bank search: without accents, by any word, with one typo.
import { expect, it } from 'vitest'
import { searchBanks } from '../../widget/base/bank-search.ts'

const banks = ['Trust Bank', 'Équity Bank', 'Bank of Kigali', 'Sahel Microfinance', 'Family Bank', 'Banque du Nil'].map(
  (name, at) => ({ name, code: String(at) }),
)
const found = (query: string) => searchBanks(banks, query).map(({ name }) => name)

it('shows the whole list while nothing is typed', () => {
  expect(found('')).toHaveLength(6)
  expect(found('  ')).toHaveLength(6)
})

it('puts names that begin with it before words that begin with it, and those before the rest', () => {
  expect(found('ban')).toEqual(['Bank of Kigali', 'Banque du Nil', 'Trust Bank', 'Équity Bank', 'Family Bank'])
  expect(found('i')).toEqual(['Équity Bank', 'Bank of Kigali', 'Sahel Microfinance', 'Family Bank', 'Banque du Nil'])
})

it('forgives accents and capitals on either side', () => {
  expect(found('EQUITY')).toEqual(['Équity Bank'])
  expect(found('sahèl')).toEqual(['Sahel Microfinance'])
})

it.each([
  ['co-operative bank', 'Co-operative Bank of Kenya Ltd'],
  ['cooperative bank', 'Co-operative Bank of Kenya Ltd'],
  ["banque de l'h", "Banque de l'Habitat"],
  ['banque de l’h', "Banque de l'Habitat"],
  ['banque de lh', "Banque de l'Habitat"],
  ["côte d'ivoire", 'Ecobank Côte d’Ivoire'],
])('finds with or without apostrophe and hyphen, whichever the phone types: %s', (typed, name) => {
  const those = ['Co-operative Bank of Kenya Ltd', "Banque de l'Habitat", 'Ecobank Côte d’Ivoire', 'Trust Bank']
  expect(
    searchBanks(
      those.map((each) => ({ name: each, code: each })),
      typed,
    ),
  ).toEqual([{ name, code: name }])
})

it.each([
  ['a wrong letter', 'equoty'],
  ['a letter too many', 'equuity'],
  ['a missing letter', 'eqity'],
  ['two letters swapped', 'eqiuty'],
])('forgives %s, when nothing fits as typed', (_, typed) => {
  expect(found(typed)).toEqual(['Équity Bank'])
})

it('does not guess at less than four letters, nor at two slips', () => {
  expect(found('xqu')).toEqual([])
  expect(found('eqoutyy')).toEqual([])
})
