// What the page says about hc-checkout itself, for those to whom it is shown. In English and
// French; the other languages show English.
import type { Words } from './shop.ts'

const en: Words = {
  pitch: 'Mobile money for any shop, with one tag.',
  pitchLead:
    'hc-checkout is a payment card for your page and a small server that holds your keys. Your customers pay with the mobile money that they have; your shop is told once, with proof.',
  countries: 'countries, {currencies} currencies',
  operators: 'mobile-money services',
  languages: 'languages, each on the card and the receipt',
  weight: 'kB for the whole checkout, compressed',
  payWith: 'Customers pay with',
  shopsTitle: 'Three shops, one checkout',
  nairobiKind: 'Solar shop',
  kampalaKind: 'School fees',
  dakarKind: 'Fashion',
  customerIn: 'Customer in',
  playground: 'Playground',
  docs: 'Docs',
  breakIt: 'Break it',
  link: 'Copy a link to this view',
  copied: 'Link copied',
  theme: 'Light or dark',
  phone: 'On your phone',
  present: 'Present',
  staff: 'Shop owner’s screen',
  happened: 'What just happened',
  happenedLead:
    'The customer’s page, our server, the payment service and the shop’s books, as each of them saw it. Newest first.',
  forDevelopers: 'For developers',
  nothingYet: 'Nothing yet. Choose a shop and buy something.',
  page: 'Shop page',
  companion: 'Our server',
  service: 'Payment service',
  notice: 'Shop’s books',
  shop: 'Shop’s books',
  sandboxConsole: 'Payment service, behind the scenes ↗',
  outcomes: 'Try another outcome',
  outcomesLead:
    'The payer’s phone number chooses how the sandbox plays the payment. Click one to fill it in, then press Pay. Any other number is played by you, on the page that opens.',
  difficult: 'Difficult cases: late, repeated, forged and lost',
  codeTitle: 'For developers: this is all of it',
  footer:
    'These shops do not exist. The checkout does: hc-checkout is a widget, a companion server and a sandbox, under the MIT licence.',
}

const fr: Words = {
  pitch: 'Le mobile money pour toute boutique, en une balise.',
  pitchLead:
    'hc-checkout est une carte de paiement pour votre page et un petit serveur qui garde vos clés. Vos clients paient avec le mobile money qu’ils ont\u00A0; votre boutique est prévenue une fois, preuve à l’appui.',
  countries: 'pays, {currencies} monnaies',
  operators: 'services de mobile money',
  languages: 'langues, sur la carte et sur le reçu',
  weight: 'ko pour tout le paiement, compressé',
  payWith: 'Les clients paient avec',
  shopsTitle: 'Trois boutiques, un seul paiement',
  nairobiKind: 'Boutique solaire',
  kampalaKind: 'Frais scolaires',
  dakarKind: 'Mode',
  customerIn: 'Client au pays',
  playground: 'Atelier',
  docs: 'Documentation',
  breakIt: 'Cassez-le',
  link: 'Copier un lien vers cette vue',
  copied: 'Lien copié',
  theme: 'Clair ou sombre',
  phone: 'Sur votre téléphone',
  present: 'Présenter',
  staff: 'Écran du commerçant',
  happened: 'Ce qui vient de se passer',
  happenedLead:
    'La page du client, notre serveur, le service de paiement et les comptes de la boutique, vus par chacun. Le plus récent d’abord.',
  forDevelopers: 'Pour développeurs',
  nothingYet: 'Rien encore. Choisissez une boutique et achetez quelque chose.',
  page: 'Page de la boutique',
  companion: 'Notre serveur',
  service: 'Service de paiement',
  notice: 'Comptes de la boutique',
  shop: 'Comptes de la boutique',
  sandboxConsole: 'Le service de paiement, en coulisses ↗',
  outcomes: 'Essayer une autre issue',
  outcomesLead:
    'Le numéro du payeur choisit comment le bac à sable joue le paiement. Cliquez sur une issue pour la remplir, puis payez. Tout autre numéro est joué par vous, sur la page qui s’ouvre.',
  difficult: 'Cas difficiles\u00A0: en retard, répétés, falsifiés et perdus',
  codeTitle: 'Pour développeurs\u00A0: c’est tout',
  footer:
    'Ces boutiques n’existent pas. Le paiement, si\u00A0: hc-checkout est un widget, un serveur compagnon et un bac à sable, sous licence MIT.',
}

export const pitch: Readonly<Record<string, Words>> = { en, fr }
