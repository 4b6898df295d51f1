// What the presenter's bar says at each step.
import type { Language, Words } from './language.ts'

const en: Words = {
  next: 'Next →',
  back: '←',
  end: 'End',
  what: 'Mobile money, on your own page.',
  whatSays: 'Seventeen countries, ten currencies, one tag and one small server of your own.',
  nairobi: 'A solar shop in Nairobi.',
  nairobiSays: 'Prices in shillings. Choose another country, and the prices follow.',
  kampala: 'School fees in Kampala.',
  kampalaSays: 'The same card, in the school’s colours. Parents may also pay a part.',
  dakar: 'A fashion house in Dakar, in French.',
  dakarSays: 'Eight languages, from the card to the receipt.',
  buy: 'Buy a lamp.',
  buySays: 'The price is locked on the server. No customer can change it.',
  pay: 'Pay it.',
  paySays: 'Choose an outcome below the card, press Pay, and watch the list on the right.',
  forge: 'Somebody writes: it is paid.',
  forgeSays: 'It is a lie. Nothing is believed that the payment service has not confirmed to us.',
  restart: 'Our server falls over.',
  restartSays: 'In the middle of a payment. It comes back, and knows where it was.',
  phone: 'Your turn.',
  phoneSays: 'Scan the code, and buy a lamp on your own phone.',
  owner: 'What the shop owner sees.',
  ownerSays: 'Every payment, search by phone number, refunds that are owed. Their screen opens in a window of its own.',
  code: 'All that a developer writes.',
  codeSays: 'One tag on the page, one call for each order, one notice to receive.',
}

const fr: Words = {
  next: 'Suite →',
  back: '←',
  end: 'Fin',
  what: 'Le mobile money, sur votre page.',
  whatSays: 'Dix-sept pays, dix monnaies, une balise et un petit serveur à vous.',
  nairobi: 'Une boutique solaire à Nairobi.',
  nairobiSays: 'Prix en shillings. Changez de pays, et les prix suivent.',
  kampala: 'Des frais scolaires à Kampala.',
  kampalaSays: 'La même carte, aux couleurs de l’école. Les parents peuvent aussi payer une partie.',
  dakar: 'Une maison de mode à Dakar, en français.',
  dakarSays: 'Huit langues, de la carte au reçu.',
  buy: 'Achetez une lampe.',
  buySays: 'Le prix est verrouillé sur le serveur. Aucun client ne peut le changer.',
  pay: 'Payez-la.',
  paySays: 'Choisissez une issue sous la carte, payez, et regardez la liste à droite.',
  forge: 'Quelqu’un écrit\u00A0: c’est payé.',
  forgeSays: 'C’est faux. Rien n’est cru que le service de paiement ne nous ait confirmé.',
  restart: 'Notre serveur tombe.',
  restartSays: 'En plein paiement. Il revient, et sait où il en était.',
  phone: 'À vous.',
  phoneSays: 'Scannez le code, et achetez une lampe sur votre téléphone.',
  owner: 'Ce que voit le commerçant.',
  ownerSays:
    'Chaque paiement, la recherche par numéro, ce qui est à rembourser. Son écran s’ouvre dans une fenêtre à part.',
  code: 'Tout ce qu’un développeur écrit.',
  codeSays: 'Une balise sur la page, un appel par commande, une notification à recevoir.',
}

const stepWords: Readonly<Record<string, Words>> = { en, fr }

export function stepWord(language: Language, key: string): string {
  return stepWords[language]?.[key] ?? en[key] ?? key
}
