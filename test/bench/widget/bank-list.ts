// The data of the three pages: one market and 312 banks, the longest list that a customer may get.

const kinds = ['Commercial Bank', 'Microfinance Bank', 'Savings Bank', 'Sacco', 'Development Bank', 'Trust Bank']
const places = [
  'Abuja', 'Accra', 'Arusha', 'Bamako', 'Bujumbura', 'Dakar', 'Dodoma', 'Entebbe', 'Équateur', 'Gisenyi', 'Harar', 'Ibadan', 'Jinja',
  'Kano', 'Kigali', 'Kisumu', 'Kumasi', 'Lagos', 'Lomé', 'Mbarara', 'Mombasa', 'Moundou', 'Mwanza', 'Nairobi', 'Nakuru', 'Niamey',
  'Ouagadougou', 'Porto-Novo', 'Saint-Louis', 'Ségou', 'Tamale', 'Thiès', 'Tanga', 'Uvira', 'Zanzibar', 'Zinder', 'Eldoret', 'Enugu',
  'Equity', 'Family', 'First National', 'Gulf', 'Kaduna', 'Malindi', 'Meru', 'Mutual', 'Naivasha', 'Premier', 'Sahel', 'Standard',
  'Union', 'Victoria',
] // prettier-ignore

/** The companion's answer to `GET /v1/banks`. */
export const banks = {
  country: 'KE',
  currency: 'KES',
  banks: places
    .flatMap((place) => kinds.map((kind) => `${place} ${kind}`))
    .map((name, at) => ({ name, code: String(100 + at) })),
}

/** The companion's answer to `GET /v1/markets`. */
export const markets = {
  mode: 'live',
  markets: [
    {
      country: 'KE',
      name: 'Kenya',
      currency: 'KES',
      callingCode: '+254',
      min: 10,
      max: 150_000,
      quickAmounts: [500, 1000, 2500, 5000],
    },
    {
      country: 'UG',
      name: 'Uganda',
      currency: 'UGX',
      callingCode: '+256',
      min: 500,
      max: 5_000_000,
      quickAmounts: [20_000, 50_000],
    },
  ],
}
