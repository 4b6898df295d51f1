// The fictional verified agents that the hosted checkout offers: always the same ones for an operator.
export interface Agent {
  readonly id: string
  readonly name: string
  /** Percent of the amount, paid by the merchant. */
  readonly rate: number
  /** Number of completed orders, shown to build trust. */
  readonly orders: number
  /** The mobile-money number that the customer pays to. */
  readonly number: string
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

/** Three agents for an operator of a country. The first one's rate matches the published sample: 50 of 2500. */
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
      // 00 before the last digits: no network assigns such a number.
      number: `+${callingCode} 700 00${index} ${String((seed % 900) + 100)}`,
    }
  })
}

/** The agent's share of an amount, in whole units, at least 1. */
export function feesOf(amount: string, rate: number): string {
  return String(Math.max(1, Math.round((Number(amount) * rate) / 100)))
}
