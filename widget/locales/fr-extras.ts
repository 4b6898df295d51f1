// French: the other phone, the receipt, the help.
import type { ExtrasTexts } from './texts.ts'

export const frExtras: ExtrasTexts = {
  close: 'Fermer',
  shopName: '',
  shop: 'Payé chez',
  paidFor: 'Pour',
  shareText:
    'Scannez ce code avec l’appareil photo de l’autre téléphone. Ce même paiement s’y ouvre\u00A0; son résultat s’affiche ici aussi.',
  shareLocked: 'Vous avez déjà choisi un agent\u00A0? Terminez alors sur le téléphone où vous l’avez fait.',
  shareMessage: 'Merci de payer {amount} ici\u00A0: {url}',
  qrLabel: 'Code QR\u00A0: lien vers ce paiement',
  link: 'Lien vers ce paiement',
  copy: 'Copier le lien',
  copied: 'Copié',
  copyByHand: 'Appuyez longuement sur le texte sélectionné, puis copiez-le.',
  whatsApp: 'WhatsApp',
  share: 'Partager',
  print: 'Imprimer',
  save: 'Enregistrer',
  saved: 'Enregistré\u00A0: regardez dans vos téléchargements.',
  copyText: 'Copier le texte',
  asText: 'Le reçu en texte',
  inApp:
    'Cette application ne peut ni imprimer ni enregistrer. Copiez ou partagez le reçu, ou faites une capture d’écran.',
  receiptNote: 'La boutique retrouve ce paiement par sa référence.',
  operatorAsk: 'Avec quel mobile money payez-vous\u00A0?',
  operatorNone: 'votre mobile money',
  helpChoose: 'Sur la page de paiement, choisissez {operator} et l’un des agents. Ils sont vérifiés.',
  helpSend:
    'Envoyez exactement {amount} avec {operator} au numéro affiché sur la page. Votre opérateur peut prélever des frais\u00A0: gardez un peu plus sur le compte.',
  helpPin:
    'Avant de saisir votre code PIN, comparez le nom et le montant avec la page. Ne donnez votre code à personne, ni à l’agent ni à la boutique.',
  helpTell: 'Gardez le message de confirmation. Si la page de paiement le demande, confirmez-y que vous avez payé.',
  helpWait: 'L’agent confirme, puis le résultat s’affiche ici.',
  promptTitle: 'Une demande arrive sur le téléphone\u00A0?',
  promptText:
    'Il se peut qu’une fenêtre s’ouvre sur votre téléphone, avec un nom, le montant et un champ pour votre code PIN. Si tout correspond à la page de paiement, c’est le même paiement\u00A0: répondez-y, et n’envoyez pas l’argent une seconde fois.',
  promptMtn: 'MTN attend la réponse pendant cinq minutes.',
  noPromptTitle: 'Rien n’arrive, ou la demande a disparu\u00A0?',
  noPromptPhone: 'Déverrouillez le téléphone et vérifiez qu’il a du réseau.',
  noPromptSim: 'La carte SIM de votre numéro mobile money doit être dans ce téléphone.',
  noPromptMenu: 'Fermez tout autre menu de votre opérateur et réessayez.',
  noPromptMpesa: 'M-Pesa ne sert qu’un menu à la fois\u00A0: attendez deux minutes après le dernier.',
  noPromptSelf:
    'Certains paiements n’envoient pas de demande. Si la page affiche un numéro, vous envoyez l’argent vous-même.',
  sentTitle: 'Envoyé, mais pas de résultat ici\u00A0?',
  sentText:
    'L’agent doit d’abord confirmer\u00A0; cela peut prendre un moment. N’envoyez pas l’argent une seconde fois. Si cela dure, donnez à la boutique la référence {reference} et montrez le message de votre opérateur.',
}
