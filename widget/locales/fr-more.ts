// French: the rare texts; the other phone, the receipt, the help.
// Awaiting native review.
import type { MoreTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: MoreTexts = {
  failedMarket: 'La boutique n’accepte pas cette devise pour le moment. Réessayez plus tard ou demandez à la boutique.',
  errBusy: 'Beaucoup de personnes paient en ce moment. Attendez une minute et réessayez.',
  errDown: 'Le service de paiement est injoignable pour le moment. Rien n’a été débité. Réessayez dans un instant.',
  errOrigin:
    'Cette boutique n’est pas configurée pour recevoir des paiements depuis cette page. Merci de le lui signaler.',
  errSession: 'Ce lien de paiement n’est plus valable. Demandez\u2011en un nouveau à la boutique.',
  errAttempts: 'Il y a eu plusieurs essais pour payer cette commande. Vous pourrez réessayer dans {minutes} min.',
  errUsedUp:
    'Ce lien de paiement a été essayé trop souvent et n’accepte plus d’essai. Rouvrez le paiement depuis la boutique.',
  errPaid: 'Cette commande est déjà payée. Il n’y a plus rien à faire.',
  errLong: 'Indiquez un nom plus court.',
  errBlocked:
    'Quelque chose sur le chemin vers la boutique refuse cette demande, par exemple un filtre de sécurité. Rien n’a été débité. Réessayez, changez de réseau ou ouvrez la page de paiement.',
  unknownText:
    'La connexion a été perdue pendant la préparation. Nous vérifions où en est le paiement, ce qui peut prendre une minute\u00A0; vous ne serez pas débité deux fois.',
  reviewTitle: 'La boutique examine ce paiement',
  reviewText: 'Une personne doit vérifier ce paiement. Ne payez pas de nouveau\u00A0; gardez la référence.',
  abandonedTitle: 'Cet essai est clos',
  abandonedText: 'Vous pouvez recommencer. Si de l’argent arrivait tout de même, la boutique en serait informée.',
  lostTitle: 'Le paiement n’a pas pu s’ouvrir',
  lostText: 'Rien n’a été débité. Réessayez.',
  checkLost: 'Cette vérification n’a pas abouti. Le paiement continue.',
  lateText: 'Il est arrivé plus tard que prévu.',
  duplicateText:
    'Cette commande était déjà payée. La boutique est informée\u00A0; demandez-lui un remboursement avec la référence.',
  failedCancelled:
    'Le paiement a été annulé, ou le téléphone était injoignable. Si de l’argent a quitté votre compte, contactez la boutique avec la référence\u00A0; sinon réessayez.',
  failedFunds:
    'Il n’y avait pas assez d’argent sur le compte. Rechargez\u2011le ou utilisez un autre numéro, puis réessayez.',
  failedPin:
    'L’agent n’a pas confirmé le paiement. Si de l’argent a quitté votre compte, contactez la boutique avec la référence\u00A0; sinon réessayez.',
  failedUpstream: 'Le service de paiement était injoignable. Rien n’a été débité. Réessayez dans un instant.',
  expiredText:
    'Les 15 minutes sont écoulées. Si de l’argent a quitté votre compte, contactez la boutique avec la référence\u00A0; sinon réessayez.',
  close: 'Fermer',
  shopName: '',
  shop: 'Payé à',
  paidFor: 'Pour',
  shareText:
    'Scannez ce code avec l’appareil photo de l’autre téléphone. Ce même paiement s’y ouvre\u00A0; son résultat s’affiche ici aussi.',
  shareLocked: 'Vous avez déjà choisi un agent\u00A0? Terminez alors sur le téléphone où vous l’avez fait.',
  shareMessage: 'Merci de payer {amount} ici\u00A0: {url}',
  qrLabel: 'Code QR\u00A0: lien vers ce paiement',
  link: 'Lien vers ce paiement',
  copy: 'Copier le lien',
  copied: 'Copié',
  copyByHand: 'Appuyez longuement sur le texte sélectionné, puis copiez\u2011le.',
  whatsApp: 'WhatsApp',
  share: 'Partager',
  print: 'Imprimer',
  save: 'Enregistrer',
  saved: 'Enregistré\u00A0: regardez dans vos téléchargements.',
  copyText: 'Copier le texte',
  asText: 'Le reçu en texte',
  inApp:
    'Cette application ne peut ni imprimer ni enregistrer. Copiez ou partagez le reçu, ou faites une capture d’écran.',
  receiptNote: 'Citez cette référence si vous contactez la boutique.',
  operatorAsk: 'Avec quel mobile money payez\u2011vous\u00A0?',
  operatorNone: 'votre mobile money',
  helpChoose: 'Sur la page de paiement, choisissez {operator} et l’un des agents. Ils sont vérifiés.',
  helpSend:
    'Envoyez exactement {amount} avec {operator} au numéro affiché sur la page. Votre opérateur peut prélever des frais\u00A0: gardez un peu plus sur le compte.',
  helpPin:
    'Avant de saisir votre code PIN, comparez le nom et le montant avec la page. Ne donnez votre code à personne, ni à l’agent ni à la boutique.',
  helpTell:
    'Gardez le message de confirmation. Si la page de paiement le demande, confirmez\u2011y que vous avez payé.',
  helpWait: 'L’agent confirme, puis le résultat s’affiche ici.',
  agentTitle: 'Qu’est-ce qu’un agent\u00A0?',
  agentText:
    'Un commerce vérifié qui reçoit votre mobile money et le transmet à la boutique. Vous voyez son nom avant d’envoyer l’argent.',
  promptTitle: 'Une demande arrive sur le téléphone\u00A0?',
  promptText:
    'Il se peut qu’une fenêtre s’ouvre sur votre téléphone, avec un nom, le montant et un champ pour votre code PIN. Si tout correspond à la page de paiement, c’est le même paiement\u00A0: répondez\u2011y, et n’envoyez pas l’argent une seconde fois.',
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
  shareShop: 'Merci de payer {amount} à {shop}\u00A0: {url}',
  operator: 'Payé avec',
  copyReference: 'Copier la référence',
  qrReference: 'Code QR\u00A0: référence de ce paiement',
  support: 'Une question\u00A0? Contactez la boutique\u00A0:',
  helpPage: 'Page d’aide',
}
