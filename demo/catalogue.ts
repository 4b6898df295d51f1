// The goods of the demo shop in every market; prices in whole major units, as the payment service takes them.
import type { CountryCode, CurrencyCode } from 'hc-checkout-server/contract'

export interface ShopMarket {
  readonly country: CountryCode
  readonly name: string
  readonly currency: CurrencyCode
  /** Calling code and first digits of a mobile number; six more digits complete it. */
  readonly phonePrefix: string
}

/** The 17 countries behind the ten currencies, east to west. */
export const shopMarkets: readonly ShopMarket[] = [
  { country: 'KE', name: 'Kenya', currency: 'KES', phonePrefix: '254712' },
  { country: 'TZ', name: 'Tanzania', currency: 'TZS', phonePrefix: '255621' },
  { country: 'UG', name: 'Uganda', currency: 'UGX', phonePrefix: '256712' },
  { country: 'RW', name: 'Rwanda', currency: 'RWF', phonePrefix: '250720' },
  { country: 'BI', name: 'Burundi', currency: 'BIF', phonePrefix: '25779' },
  { country: 'ET', name: 'Ethiopia', currency: 'ETB', phonePrefix: '251911' },
  { country: 'SO', name: 'Somalia', currency: 'SOS', phonePrefix: '25271' },
  { country: 'NG', name: 'Nigeria', currency: 'NGN', phonePrefix: '2348021' },
  { country: 'GH', name: 'Ghana', currency: 'GHS', phonePrefix: '233231' },
  { country: 'CI', name: 'Côte d’Ivoire', currency: 'XOF', phonePrefix: '2250123' },
  { country: 'SN', name: 'Senegal', currency: 'XOF', phonePrefix: '221701' },
  { country: 'ML', name: 'Mali', currency: 'XOF', phonePrefix: '22365' },
  { country: 'BF', name: 'Burkina Faso', currency: 'XOF', phonePrefix: '22670' },
  { country: 'BJ', name: 'Benin', currency: 'XOF', phonePrefix: '2290195' },
  { country: 'TG', name: 'Togo', currency: 'XOF', phonePrefix: '22890' },
  { country: 'NE', name: 'Niger', currency: 'XOF', phonePrefix: '22793' },
  { country: 'GW', name: 'Guinea-Bissau', currency: 'XOF', phonePrefix: '245955' },
]

export interface Product {
  readonly id: string
  readonly name: string
  readonly prices: Readonly<Record<CurrencyCode, number>>
}

export const products: readonly Product[] = [
  {
    id: 'lantern',
    name: 'Nuru Lantern',
    prices: {
      KES: 2_300,
      TZS: 47_000,
      UGX: 66_000,
      ETB: 2_400,
      SOS: 10_500,
      RWF: 25_000,
      BIF: 53_000,
      NGN: 28_000,
      GHS: 220,
      XOF: 11_000,
    },
  },
  {
    id: 'charger',
    name: 'Nuru Pocket Panel',
    prices: {
      KES: 4_200,
      TZS: 83_000,
      UGX: 118_000,
      ETB: 4_300,
      SOS: 18_500,
      RWF: 45_000,
      BIF: 95_000,
      NGN: 49_500,
      GHS: 390,
      XOF: 19_000,
    },
  },
  {
    id: 'home',
    name: 'Nuru Home Kit',
    prices: {
      KES: 12_400,
      TZS: 247_000,
      UGX: 350_000,
      ETB: 12_500,
      SOS: 54_000,
      RWF: 133_000,
      BIF: 280_000,
      NGN: 147_000,
      GHS: 1_150,
      XOF: 57_000,
    },
  },
]
