// The fictional verified agents that the hosted checkout offers: always the same ones for an
// operator.
export interface Agent {
  readonly id: string
  readonly name: string
  /** Percent of the amount, paid by the merchant. */
  readonly rate: number
  /** Number of completed orders, shown to build trust. */
  readonly orders: number
  /** How long a payment usually waits for the agent. */
  readonly minutes: number
  /** The mobile-money number that the customer pays to. */
  readonly number: string
}

/** As shops are named there. */
const NAMES: Readonly<Record<string, string>> = {
  KE: 'Amani,Baraka,Faraja,Jamii,Neema,Pamoja,Tumaini,Upendo,Zawadi',
  TZ: 'Amani,Baraka,Furaha,Imani,Karibu,Salama,Tumaini,Upendo',
  UG: 'Akello,Kato,Mirembe,Nakato,Okello,Ssanyu,Wasswa',
  ET: 'Abebe,Almaz,Bekele,Hana,Kebede,Meron,Tigist',
  SO: 'Asha,Barre,Cabdi,Hodan,Jamac,Sahra,Warsame',
  RW: 'Gasana,Ineza,Kamanzi,Keza,Mugisha,Ntwali,Uwase',
  BI: 'Bukuru,Irakoze,Kaneza,Ndayisenga,Nininahazwe,Nkurunziza',
  NG: 'Adebayo,Chidi,Emeka,Folake,Ngozi,Sani,Tunde',
  GH: 'Abena,Akosua,Kofi,Kwame,Mensah,Owusu,Yaa',
  BJ: 'Adjovi,Dossou,Gbaguidi,Houngbo,Kossi',
  BF: 'Ilboudo,Kaboré,Ouédraogo,Sawadogo,Zongo',
  CI: 'Aya,Coulibaly,Konan,Kouassi,Yao',
  GW: 'Cá,Djaló,Embaló,Mané,Sanhá',
  ML: 'Cissé,Coulibaly,Diarra,Keïta,Traoré',
  NE: 'Abdou,Garba,Issoufou,Mahamadou,Oumarou',
  SN: 'Diop,Fall,Ndiaye,Sarr,Sow',
  TG: 'Afi,Agbeko,Amegan,Koffi,Mawuli',
}
/** The fastest first: that is what a customer chooses by. */
const TERMS = [
  { rate: 2, minutes: 2 },
  { rate: 2.5, minutes: 3 },
  { rate: 1.5, minutes: 5 },
]

/**
 * Three agents for an operator of a country. The first one's rate matches the published sample: 50
 * of 2500.
 */
export function agentsOf(country: string, operator: string, callingCode: string): Agent[] {
  let seed = 7
  for (const character of `${country}/${operator}`) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  const names = (NAMES[country] ?? 'Amani,Baraka,Imani').split(',')
  return TERMS.map(({ rate, minutes }, index) => {
    const name = names[(seed + index) % names.length] ?? ''
    return {
      id: `${country}-${(seed % 900) + 100}-${index + 1}`,
      name: `${name} Agency`,
      rate,
      orders: 180 + ((seed + index * 977) % 2400),
      minutes,
      // 00 before the last digits: no network assigns such a number.
      number: `+${callingCode} 700 00${index} ${String((seed % 900) + 100)}`,
    }
  })
}

/** The agent's share of an amount, in whole units, at least 1. */
export function feesOf(amount: string, rate: number): string {
  return String(Math.max(1, Math.round((Number(amount) * rate) / 100)))
}
