// The three demo shops and their goods; prices in whole major units, as the payment service takes
// them. Server and page read it.
import type { CountryCode, CurrencyCode } from 'hc-checkout-server/contract'

export interface ShopMarket {
  readonly country: CountryCode
  readonly name: string
  readonly currency: CurrencyCode
  /** Calling code and first digits of a mobile number; six more digits complete it. */
  readonly phonePrefix: string
  /** The city that its time zone is named for. */
  readonly city: string
}

/** The 17 countries behind the ten currencies, east to west. */
export const shopMarkets: readonly ShopMarket[] = [
  { country: 'KE', name: 'Kenya', currency: 'KES', phonePrefix: '254712', city: 'Nairobi' },
  { country: 'TZ', name: 'Tanzania', currency: 'TZS', phonePrefix: '255621', city: 'Dar_es_Salaam' },
  { country: 'UG', name: 'Uganda', currency: 'UGX', phonePrefix: '256712', city: 'Kampala' },
  { country: 'RW', name: 'Rwanda', currency: 'RWF', phonePrefix: '250720', city: 'Kigali' },
  { country: 'BI', name: 'Burundi', currency: 'BIF', phonePrefix: '25779', city: 'Bujumbura' },
  { country: 'ET', name: 'Ethiopia', currency: 'ETB', phonePrefix: '251911', city: 'Addis_Ababa' },
  { country: 'SO', name: 'Somalia', currency: 'SOS', phonePrefix: '25271', city: 'Mogadishu' },
  { country: 'NG', name: 'Nigeria', currency: 'NGN', phonePrefix: '2348021', city: 'Lagos' },
  { country: 'GH', name: 'Ghana', currency: 'GHS', phonePrefix: '233231', city: 'Accra' },
  { country: 'CI', name: 'Côte d’Ivoire', currency: 'XOF', phonePrefix: '2250123', city: 'Abidjan' },
  { country: 'SN', name: 'Senegal', currency: 'XOF', phonePrefix: '221701', city: 'Dakar' },
  { country: 'ML', name: 'Mali', currency: 'XOF', phonePrefix: '22365', city: 'Bamako' },
  { country: 'BF', name: 'Burkina Faso', currency: 'XOF', phonePrefix: '22670', city: 'Ouagadougou' },
  { country: 'BJ', name: 'Benin', currency: 'XOF', phonePrefix: '2290195', city: 'Porto-Novo' },
  { country: 'TG', name: 'Togo', currency: 'XOF', phonePrefix: '22890', city: 'Lome' },
  { country: 'NE', name: 'Niger', currency: 'XOF', phonePrefix: '22793', city: 'Niamey' },
  { country: 'GW', name: 'Guinea-Bissau', currency: 'XOF', phonePrefix: '245955', city: 'Bissau' },
]

export type ShopId = 'nairobi' | 'kampala' | 'dakar'

export interface DemoShop {
  readonly id: ShopId
  readonly name: string
  readonly city: string
  /** Where its first customers are. */
  readonly country: CountryCode
  /** How its order numbers begin. */
  readonly orders: string
  /** The colour of its buttons by day, six hexadecimal digits. */
  readonly accent: string
  /** Whom its customers may ask. */
  readonly phone: string
  readonly email: string
}

/** Three kinds of merchants: goods, fees and fashion. None of them exists. */
export const shops: readonly [DemoShop, ...DemoShop[]] = [
  {
    id: 'nairobi',
    name: 'Nuru',
    city: 'Nairobi',
    country: 'KE',
    orders: 'NURU',
    accent: '#a83f22',
    phone: '+254 700 000 100',
    email: 'help@nuru.example',
  },
  {
    id: 'kampala',
    name: 'Hilltop School',
    city: 'Kampala',
    country: 'UG',
    orders: 'HILL',
    accent: '#1d5c96',
    phone: '+256 700 000 200',
    email: 'bursar@hilltop.example',
  },
  {
    id: 'dakar',
    name: 'Maison Teranga',
    city: 'Dakar',
    country: 'SN',
    orders: 'TERA',
    accent: '#8a2f6b',
    phone: '+221 70 000 03 00',
    email: 'atelier@teranga.example',
  },
]

export interface Product {
  readonly id: string
  readonly shop: ShopId
  readonly name: string
  readonly prices: Readonly<Record<CurrencyCode, number>>
}

const currencies = ['KES', 'TZS', 'UGX', 'ETB', 'SOS', 'RWF', 'BIF', 'NGN', 'GHS', 'XOF'] as const

/** One price for each currency, in the order of `currencies`. */
function priced(...amounts: readonly number[]): Product['prices'] {
  return Object.fromEntries(currencies.map((currency, at) => [currency, amounts[at]])) as Product['prices']
}

export const products: readonly Product[] = [
  {
    id: 'lantern',
    shop: 'nairobi',
    name: 'Nuru Lantern',
    prices: priced(2_300, 47_000, 66_000, 2_400, 10_500, 25_000, 53_000, 28_000, 220, 11_000),
  },
  {
    id: 'charger',
    shop: 'nairobi',
    name: 'Nuru Pocket Panel',
    prices: priced(4_200, 83_000, 118_000, 4_300, 18_500, 45_000, 95_000, 49_500, 390, 19_000),
  },
  {
    id: 'home',
    shop: 'nairobi',
    name: 'Nuru Home Kit',
    prices: priced(12_400, 247_000, 350_000, 12_500, 54_000, 133_000, 280_000, 147_000, 1_150, 57_000),
  },
  {
    id: 'term',
    shop: 'kampala',
    name: 'Term 1 tuition',
    prices: priced(15_900, 315_000, 450_000, 16_000, 69_000, 171_000, 360_000, 189_000, 1_480, 73_000),
  },
  {
    id: 'meals',
    shop: 'kampala',
    name: 'School meals',
    prices: priced(4_250, 84_000, 120_000, 4_300, 18_400, 45_500, 96_000, 50_500, 395, 19_500),
  },
  {
    id: 'exam',
    shop: 'kampala',
    name: 'Exam registration',
    prices: priced(2_850, 56_000, 80_000, 2_850, 12_300, 30_500, 64_000, 33_500, 265, 13_000),
  },
  {
    id: 'boubou',
    shop: 'dakar',
    name: 'Grand boubou',
    prices: priced(9_800, 195_000, 277_000, 9_900, 42_500, 105_000, 221_000, 116_000, 910, 45_000),
  },
  {
    id: 'dress',
    shop: 'dakar',
    name: 'Robe Sandaga',
    prices: priced(6_100, 121_000, 172_000, 6_150, 26_500, 65_500, 138_000, 72_500, 565, 28_000),
  },
  {
    id: 'bag',
    shop: 'dakar',
    name: 'Sac Ngor',
    prices: priced(3_250, 65_000, 92_500, 3_300, 14_200, 35_000, 74_000, 38_500, 305, 15_000),
  },
]

export function shopOf(id: unknown): DemoShop | undefined {
  return shops.find((shop) => shop.id === id)
}
