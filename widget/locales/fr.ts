// French: the form.
import type { FormTexts } from './texts.ts'

export const fr: FormTexts = {
  country: 'Pays',
  bank: 'Votre banque',
  bankOptional: 'Votre banque (facultatif)',
  amount: 'Montant',
  limits: 'De {min} à {max}',
  name: 'Nom complet',
  phone: 'Téléphone (facultatif)',
  email: 'E-mail (facultatif)',
  emailHint: 'Sans adresse, le reçu va à la boutique.',
  pay: 'Passer au paiement',
  payAmount: 'Payer {amount}',
  submitting: 'Préparation du paiement…',
  openingTab: 'Ouverture de la page de paiement…',
  errNetwork: 'Pas de connexion. Nous réessayons\u00A0; rien n’est débité deux fois.',
  errOther: 'Cela n’a pas fonctionné. Vérifiez et réessayez.',
}
