// The verified agents whom the hosted checkout offers: made up, and the same for one operator each time.
export interface Agent {
  id: string
  name: string
  /** Percent of the amount, which the merchant bears. */
  rate: number
  /** Completed orders, for the customer's trust. */
  orders: number
  /** The mobile-money number that the customer pays to. */
  number: string
}

const NAMES = [
  'Amani',
  'Baraka',
  'Faraja',
  'Imani',
  'Jamii',
  'Neema',
  'Pamoja',
  'Salama',
  'Tumaini',
  'Upendo',
  'Zawadi',
  'Karibu',
]
const RATES = [2, 2.5, 1.5]

/** Three agents for an operator of a country. The first has the rate that fits the published sample: 50 of 2500. */
export function agentsOf(country: string, operator: string, callingCode: string): Agent[] {
  let seed = 7
  for (const character of `${country}/${operator}`) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return RATES.map((rate, index) => {
    const name = NAMES[(seed + index * 5) % NAMES.length] ?? 'Amani'
    return {
      id: `${country}-${(seed % 900) + 100}-${index + 1}`,
      name: `${name} Agency`,
      rate,
      orders: 180 + ((seed + index * 977) % 2400),
      // 00 in front of the last digits: no network gives out such a number.
      number: `+${callingCode} 700 00${index} ${String((seed % 900) + 100)}`,
    }
  })
}

/** The agent's share of an amount, in whole units, at least 1. */
export function feesOf(amount: string, rate: number): string {
  return String(Math.max(1, Math.round((Number(amount) * rate) / 100)))
}
