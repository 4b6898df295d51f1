// A companion's answers for one payment in Kenya: for element tests and the gallery. Plain data,
// also for browsers.
import type { DepositView } from '../../server/contract/index.ts'

/** An open payment. */
export const samplePayment: DepositView = {
  id: 'dep_1', reference: 'HCT0123456789ABCDEFGHJK', mode: 'test', status: 'PENDING', phase: 'open', amount: 2500, currency: 'KES',
  country: 'KE', payer: { name: 'A••• O•••' }, payUrl: 'https://pay.example/pay/abc', checkoutUrl: 'https://hosted.example/c/1',
  expiresAt: '2030-01-01T11:32:00Z', createdAt: '2030-01-01T11:17:00Z', description: 'Order 7', version: 2,
} // prettier-ignore

export const sampleMarkets = {
  mode: 'test',
  markets: [
    {
      country: 'KE',
      name: 'Kenya',
      currency: 'KES',
      callingCode: '+254',
      min: 10,
      max: 150_000,
      quickAmounts: [500, 1000, 2500, 5000],
      phoneExample: '0712 123 456',
      operators: ['M-Pesa', 'Airtel Money'],
    },
    {
      country: 'SN',
      name: 'Senegal',
      currency: 'XOF',
      callingCode: '+221',
      min: 100,
      max: 2_000_000,
      quickAmounts: [2000, 5000],
      phoneExample: '70 123 45 67',
      operators: ['Orange Money', 'Wave'],
    },
  ],
}

export const sampleBanks = {
  country: 'KE',
  currency: 'KES',
  banks: [
    { name: 'Kenya Commercial Bank Limited', code: '01' },
    { name: 'Équité Bank', code: '68' },
    { name: 'UBA Kenya Bank Ltd', code: '76' },
  ],
}

export const sampleSession = {
  amount: 2500,
  currency: 'KES',
  country: 'KE',
  orderId: '7',
  description: 'Order 7: school shoes',
  payer: { name: true, phone: false, email: false },
  expiresAt: '2030-01-02T00:00:00Z',
}
