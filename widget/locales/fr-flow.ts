// French: the texts needed after the first keystroke.
import type { FlowTexts, Rare } from './texts.ts'

export const texts: FlowTexts = {
  test: 'TEST · pas d’argent réel',
  bankHint: 'Rechercher',
  noBank: 'Aucune banque de ce nom. Vous pouvez continuer sans.',
  banksFailed: 'Liste indisponible. Vous pouvez continuer sans.',
  unknownTitle: 'Nous vérifions',
  errName: 'Indiquez votre nom complet.',
  errAmount: 'Indiquez un montant entier, comme 2500.',
  errEmail: 'Vérifiez cette adresse.',
  errBank: 'Choisissez une banque.',
  openTitle: 'Payez sur la page ouverte',
  openText: 'Choisissez-y un agent et envoyez l’argent. Gardez cette page ouverte\u00A0: le résultat s’affichera ici.',
  openAgain: 'Rouvrir la page de paiement',
  openLink: 'Ouvrir la page de paiement',
  checkNow: 'Vérifier maintenant',
  lockBefore: 'Choisissez un agent avant {time}',
  minutes: '{n} min',
  confirmingTitle: 'Confirmation du paiement',
  confirmingText: 'Encore quelques secondes.',
  overdueTitle: 'Toujours en attente',
  overdueText: 'Si vous avez envoyé l’argent, attendez\u00A0: le résultat s’affichera ici. Ne payez pas deux fois.',
  resumedText:
    'Si vous avez envoyé l’argent, ne payez pas deux fois\u00A0: le résultat s’affichera ici. Sinon, ouvrez la page de paiement.',
  successTitle: 'Payé',
  successText: 'Votre paiement est arrivé.',
  duplicateTitle: 'Vous avez payé deux fois',
  failedTitle: 'Non payé',
  failedOther: 'Si vous n’avez pas envoyé d’argent, réessayez.',
  expiredTitle: 'Temps écoulé',
  tryAgain: 'Réessayer',
  notSent: 'Je n’ai pas envoyé d’argent',
  notSentHint: 'Seulement si la page de paiement ne s’ouvre plus et si vous n’avez pas envoyé d’argent.',
  phoneOdd: 'Numéro inhabituel. Vérifiez-le.',
  forget: 'Faire un autre paiement',
  reference: 'Référence',
  receipt: 'Reçu',
  help: 'Comment payer',
  sharePhone: 'Payer sur un autre téléphone',
  offline: 'Pas de connexion. Le paiement continue.',
  reconnecting: 'Reconnexion…',
  date: 'Date',
}

/** Rare texts, loaded on demand. */
export const rare = (): Promise<Rare> => import('./fr-rare.ts')
