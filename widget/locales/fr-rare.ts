// French: the rare texts, for errors and unusual results.
import type { RareTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: RareTexts = {
  failedMarket:
    'La boutique ne peut pas encaisser dans cette monnaie pour le moment. Réessayez plus tard ou demandez à la boutique.',
  errBusy: 'Beaucoup de personnes paient en ce moment. Attendez une minute et réessayez.',
  errDown: 'Le service de paiement est injoignable pour le moment. Rien n’a été débité. Réessayez dans un instant.',
  errOrigin:
    'Cette boutique n’est pas configurée pour recevoir des paiements depuis cette page. Merci de le lui signaler.',
  errSession: 'Ce lien de paiement n’est plus valable. Demandez-en un nouveau à la boutique.',
  errAttempts: 'Il y a eu plusieurs essais pour payer cette commande. Vous pourrez réessayer dans {minutes} min.',
  errUsedUp:
    'Ce lien de paiement a été essayé trop souvent et n’accepte plus d’essai. Rouvrez le paiement depuis la boutique.',
  errPaid: 'Cette commande est déjà payée. Il n’y a plus rien à faire.',
  errLong: 'Indiquez un nom plus court.',
  errBlocked:
    'Quelque chose sur le chemin vers la boutique refuse cette demande, par exemple un filtre de sécurité. Rien n’a été débité. Réessayez, changez de réseau ou ouvrez la page de paiement.',
  unknownText:
    'La connexion a été perdue pendant la préparation. Nous cherchons ce qu’il en est\u00A0; rien n’est débité deux fois.',
  reviewTitle: 'La boutique examine ce paiement',
  reviewText: 'Une personne doit vérifier ce paiement. Ne payez pas de nouveau\u00A0; gardez la référence.',
  abandonedTitle: 'Ce paiement a été abandonné',
  abandonedText: 'Vous pouvez recommencer. Si de l’argent arrivait tout de même, la boutique en serait informée.',
  lateText: 'Il est arrivé plus tard que prévu.',
  duplicateText:
    'Cette commande était déjà payée. La boutique est informée\u00A0; demandez-lui un remboursement avec la référence.',
  failedCancelled:
    'Le paiement a été annulé, ou le téléphone était injoignable. Si de l’argent a quitté votre compte, contactez la boutique avec la référence\u00A0; sinon réessayez.',
  failedFunds:
    'Il n’y avait pas assez d’argent sur le compte. Rechargez-le ou utilisez un autre numéro, puis réessayez.',
  failedPin:
    'L’agent n’a pas confirmé le paiement. Si de l’argent a quitté votre compte, contactez la boutique avec la référence\u00A0; sinon réessayez.',
  failedUpstream: 'Le service de paiement était injoignable. Rien n’a été débité. Réessayez dans un instant.',
  expiredText:
    'Les 15 minutes sont écoulées. Si de l’argent a quitté votre compte, contactez la boutique avec la référence\u00A0; sinon réessayez.',
}
