// Swahili: the form.
import type { FormTexts } from './texts.ts'

export const sw: FormTexts = {
  country: 'Nchi',
  bank: 'Benki yako',
  bankOptional: 'Benki yako (si lazima)',
  amount: 'Kiasi',
  limits: 'Kuanzia {min} hadi {max}',
  name: 'Jina kamili',
  phone: 'Simu (si lazima)',
  email: 'Barua pepe (si lazima)',
  emailHint: 'Usipoiandika, risiti itaenda kwa duka.',
  pay: 'Endelea kwenye malipo',
  payAmount: 'Lipa {amount}',
  submitting: 'Tunaandaa malipo yako…',
  openingTab: 'Tunafungua ukurasa wa malipo…',
  errNetwork: 'Hakuna muunganisho. Tunajaribu tena; hutatozwa mara mbili.',
  errOther: 'Haikufanikiwa. Tafadhali kagua, kisha ujaribu tena.',
}
