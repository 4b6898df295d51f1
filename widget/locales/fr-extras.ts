// French: the other phone, the receipt, the help.
import type { ExtrasTexts } from './texts.ts'

export const frExtras: ExtrasTexts = {
  close: 'Fermer',
  shopName: '',
  shop: 'Payé chez',
  paidFor: 'Pour',
  shareText:
    'Scannez ce code avec l’appareil photo de l’autre téléphone. Ce même paiement s’y ouvre ; son résultat s’affiche ici aussi.',
  shareLocked: 'Vous avez déjà choisi un agent ? Terminez alors sur le téléphone où vous l’avez fait.',
  shareMessage: 'Merci de payer {amount} ici : {url}',
  qrLabel: 'Code QR : lien vers ce paiement',
  link: 'Lien vers ce paiement',
  copy: 'Copier le lien',
  copied: 'Copié',
  copyByHand: 'Appuyez longuement sur le texte sélectionné, puis copiez-le.',
  whatsApp: 'WhatsApp',
  share: 'Partager',
  print: 'Imprimer',
  save: 'Enregistrer',
  saved: 'Enregistré : regardez dans vos téléchargements.',
  copyText: 'Copier le texte',
  asText: 'Le reçu en texte',
  inApp:
    'Cette application ne peut ni imprimer ni enregistrer. Copiez ou partagez le reçu, ou faites une capture d’écran.',
  receiptNote: 'La boutique retrouve ce paiement par sa référence.',
  operatorAsk: 'Avec quel mobile money payez-vous ?',
  operatorNone: 'votre mobile money',
  helpChoose: 'Sur la page de paiement, choisissez {operator} et l’un des agents. Ils sont vérifiés.',
  helpSend:
    'Envoyez exactement {amount} avec {operator} au numéro affiché sur la page. Votre opérateur peut prélever des frais : gardez un peu plus sur le compte.',
  helpPin:
    'Avant de saisir votre code PIN, comparez le nom et le montant avec la page. Ne donnez votre code à personne, ni à l’agent ni à la boutique.',
  helpTell: 'Gardez le message de confirmation. Si la page de paiement le demande, dites-y que vous avez payé.',
  helpWait: 'L’agent confirme, puis le résultat s’affiche ici.',
  promptTitle: 'Une demande arrive sur le téléphone ?',
  promptText:
    'Il se peut qu’une fenêtre s’ouvre sur votre téléphone, avec un nom, le montant et un champ pour votre code PIN. Si tout correspond à la page de paiement, c’est le même paiement : répondez-y, et n’envoyez pas l’argent une seconde fois.',
  promptMtn: 'MTN attend la réponse pendant cinq minutes.',
  noPromptTitle: 'Rien n’arrive, ou la demande a disparu ?',
  noPromptPhone: 'Déverrouillez le téléphone et vérifiez qu’il a du réseau.',
  noPromptSim: 'La carte SIM de votre numéro mobile money doit être dans ce téléphone.',
  noPromptMenu: 'Fermez tout autre menu de votre opérateur et réessayez.',
  noPromptMpesa: 'M-Pesa ne sert qu’un menu à la fois : attendez deux minutes après le dernier.',
  noPromptSelf:
    'Tous les paiements n’envoient pas de demande. Si la page affiche un numéro, vous envoyez l’argent vous-même.',
  sentTitle: 'Envoyé, mais pas de résultat ici ?',
  sentText:
    'L’agent doit d’abord confirmer ; cela peut prendre un moment. N’envoyez pas une seconde fois. Si cela dure, donnez à la boutique la référence {reference} et montrez le message de votre opérateur.',
}
