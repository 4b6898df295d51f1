// The words of the fashion house in Dakar; the shop's other words are in shop.ts.
import type { Language, Words } from './shop.ts'

export const dakar: Partial<Record<Language, Words>> = {
  en: {
    headline: 'Cut in Dakar. Worn from Abidjan to Paris.',
    lead: 'Boubous, dresses and bags, sewn to order. Pay with Orange Money or Wave, as in the market.',
    boubou: 'Bazin riche, embroidered by hand in the Médina.',
    dress: 'Wax print, two pockets, made to your measure in a week.',
    bag: 'Woven raffia and leather from Ngor.',
    topUp: 'A gift card',
    topUpText: 'You choose the amount. We send the card by e-mail or WhatsApp.',
    topUpButton: 'Give',
    toppedUp: 'A gift card of {sum} is on its way.',
    paid: 'Paid. Thank you! The atelier begins today.',
  },
  fr: {
    headline: 'Coupé à Dakar. Porté d’Abidjan à Paris.',
    lead: 'Boubous, robes et sacs, cousus sur commande. Payez par Orange Money ou Wave, comme au marché.',
    boubou: 'Bazin riche, brodé à la main dans la Médina.',
    dress: 'Wax, deux poches, à vos mesures en une semaine.',
    bag: 'Raphia tissé et cuir de Ngor.',
    topUp: 'Une carte cadeau',
    topUpText: 'Vous choisissez le montant. La carte part par e-mail ou WhatsApp.',
    topUpButton: 'Offrir',
    toppedUp: 'Une carte cadeau de {sum} est en route.',
    paid: 'Payé. Merci\u00A0! L’atelier commence aujourd’hui.',
  },
}
