// A hundred names that people in nine countries say of their banks, over the whole path: the
// service's list, the companion's short names, the card's search.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { CountryCode } from '../../server/contract/index.ts'
import { aliasesOf } from '../../server/deposits/create/bank-aliases.ts'
import { bankMeant, searchBanks } from '../../widget/base/bank-search.ts'

const { countries } = JSON.parse(
  readFileSync(new URL('../../demo/sandbox/engine/banks.json', import.meta.url), 'utf8'),
) as {
  countries: Record<CountryCode, { banks: { name: string; code: string }[] }>
}

const listOf = (country: CountryCode) =>
  countries[country].banks.map(({ name, code }) => ({ name, code, aliases: aliasesOf(country, name) }))

/** What is said, and how the name of the bank begins that is meant. */
const said: Partial<Record<CountryCode, Record<string, string>>> = {
  KE: {
    KCB: 'Kenya Commercial',
    DTB: 'Diamond Trust',
    GTBank: 'Guaranty Trust',
    Stanchart: 'Standard Chartered',
    'I and M': 'I&M',
    'I&M': 'I&M',
    HF: 'Housing Finance',
    BOA: 'Bank of Africa',
    NBK: 'National Bank of Kenya',
    Postbank: 'Kenya Post Office',
    KWFT: 'Kenya Women',
    Equity: 'Equity',
    'Co-op': 'Co-operative',
    coop: 'Co-operative',
    Absa: 'Absa',
    Barclays: 'Absa',
    UBA: 'UBA',
    CBA: 'NCBA',
    NIC: 'NCBA',
    Citi: 'Citibank',
    ABC: 'African Banking',
    SBM: 'SBM',
    Faulu: 'Faulu',
    Stanbic: 'Stanbic',
  },
  ET: {
    CBE: 'Commercial Bank of Ethiopia',
    BOA: 'Bank of Abyssinia',
    Abyssinia: 'Bank of Abyssinia',
    Awash: 'Awash',
    Dashen: 'Dashen',
    Coopbank: 'Cooperative Bank of Oromia',
    OIB: 'Oromia International',
    Nib: 'Nib',
    DBE: 'Development Bank of Ethiopia',
    Wegagen: 'Wegagen',
    AIB: 'Addis International',
    Zemen: 'Zemen',
  },
  NG: {
    GTBank: 'Guaranty Trust',
    GTB: 'Guaranty Trust',
    UBA: 'United Bank for Africa',
    FCMB: 'First City Monument',
    Zenith: 'Zenith',
    'First Bank': 'First Bank',
    Access: 'Access Bank',
    Fidelity: 'Fidelity Bank',
    Sterling: 'Sterling',
    Wema: 'Wema',
    Kuda: 'Kuda',
    OPay: 'O',
    Stanbic: 'Stanbic',
    Polaris: 'Polaris',
    'Union Bank': 'Union Bank',
    Keystone: 'Keystone',
  },
  GH: {
    GCB: 'GCB',
    UBA: 'United Bank for Africa',
    GTBank: 'Guaranty Trust',
    ADB: 'Agricultural',
    SG: 'Societe Generale',
    NIB: 'National Investment',
    UMB: 'Universal Merchant',
    CBG: 'Consolidated',
    Cal: 'CalBank',
    Stanchart: 'Standard Chartered',
    Fidelity: 'Fidelity',
  },
  TZ: {
    UBA: 'United Bank for Africa',
    DTB: 'Diamond Trust',
    PBZ: "People's Bank of Zanzibar",
    TCB: 'Tanzania Commercial',
    NMB: 'NMB',
    CRDB: 'CRDB',
    NBC: 'National Bank of Commerce',
    KCB: 'KCB',
    'I&M': 'I&M',
    Exim: 'Exim',
    Stanbic: 'Stanbic',
  },
  UG: {
    DTB: 'Diamond Trust',
    UBA: 'United Bank for Africa',
    GTBank: 'Guaranty Trust',
    BOA: 'Bank of Africa',
    Centenary: 'Centenary',
    dfcu: 'dfcu',
    Stanbic: 'Stanbic',
    'Post bank': 'PostBank',
    Orient: 'I&M',
    Absa: 'Absa',
  },
  RW: {
    BK: 'Bank of Kigali',
    IM: 'I&M',
    GT: 'Guaranty Trust',
    BPR: 'BPR',
    Equity: 'Equity',
    BRD: 'Development Bank of Rwanda',
    Zigama: 'Zigama',
  },
  CI: {
    SGBCI: 'Société Générale',
    SGCI: 'Société Générale',
    SIB: 'Société Ivoirienne',
    BOA: 'Bank of Africa',
    BNI: 'Banque Nationale',
    UBA: 'United Bank for Africa',
    GTBank: 'Guaranty Trust',
    BHCI: "Banque de l'Habitat",
    BICICI: 'BICICI',
    NSIA: 'NSIA',
    Coris: 'Coris',
  },
  SN: {
    SGBS: 'Société Générale',
    BHS: "Banque de l'Habitat",
    BIS: 'Banque Islamique',
    BOA: 'Bank of Africa',
    UBA: 'United Bank for Africa',
    LBA: 'La Banque Agricole',
    CBAO: 'CBAO',
    BICIS: 'Sunu',
    CDS: 'Crédit du Sénégal',
  },
}

const cases = Object.entries(said).flatMap(([country, names]) =>
  Object.entries(names).map(([name, start]) => ({ country: country as CountryCode, name, start })),
)

it('at least 95 of a hundred everyday names find their bank first', () => {
  const missed = cases.filter(({ country, name, start }) => {
    const [first] = searchBanks(listOf(country), name)
    return !first?.name.startsWith(start)
  })
  expect(cases.length).toBeGreaterThanOrEqual(100)
  expect(missed.map(({ country, name }) => `${country} ${name}`).join()).toBe('')
})

it('what is said for one bank alone is taken when the field is left', () => {
  expect(bankMeant(listOf('KE'), 'kcb ')?.name).toBe('Kenya Commercial Bank Limited')
  expect(bankMeant(listOf('ET'), 'CBE')?.name).toBe('Commercial Bank of Ethiopia')
  expect(bankMeant(listOf('KE'), 'equity bank ltd')?.name).toBe('Equity Bank Ltd')
  expect(bankMeant(listOf('KE'), 'absa')?.name).toBe('Absa Bank Kenya Plc')
  // Two banks of Kenya begin like this.
  expect(bankMeant(listOf('KE'), 'bank of')).toBeUndefined()
})

it('a short word that nobody says finds nothing', () => {
  for (const name of ['xqz', 'KCX', 'zzzz']) expect(searchBanks(listOf('KE'), name)).toEqual([])
})
