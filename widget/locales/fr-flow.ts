// French: the texts needed after the first keystroke.
import type { FlowTexts, Rare } from './texts.ts'

export const texts: FlowTexts = {
  test: 'TEST · pas d’argent réel',
  bankHint: 'Tapez pour chercher',
  noBank: 'Aucune banque de ce nom. Vous pouvez continuer sans.',
  banksFailed: 'Liste indisponible. Vous pouvez continuer sans.',
  unknownTitle: 'Nous vérifions',
  errName: 'Écrivez votre nom complet.',
  errAmount: 'Écrivez un montant entier, comme 2500.',
  errRange: 'De {min} à {max}.',
  errEmail: 'Vérifiez cette adresse e-mail.',
  errBank: 'Choisissez une banque de la liste.',
  errNetwork: 'Pas de connexion. Nous réessayons\u00A0; rien n’est débité deux fois.',
  openTitle: 'Payez sur la page ouverte',
  openText: 'Choisissez-y un agent et envoyez l’argent. Gardez cette page ouverte\u00A0: le résultat s’affichera ici.',
  openAgain: 'Rouvrir la page de paiement',
  openLink: 'Ouvrir la page de paiement',
  checkNow: 'Vérifier maintenant',
  lockBefore: 'Choisissez un agent avant {time}',
  confirmingTitle: 'Confirmation de votre paiement',
  confirmingText: 'Cela prend quelques secondes.',
  overdueTitle: 'Toujours en attente',
  overdueText:
    'Si vous avez envoyé l’argent, attendez\u00A0: le résultat s’affichera ici. Ne payez pas une seconde fois.',
  successTitle: 'Payé',
  successText: 'Votre paiement est arrivé.',
  duplicateTitle: 'Vous avez payé deux fois',
  failedTitle: 'Non payé',
  failedOther: 'Vous pouvez réessayer.',
  expiredTitle: 'Temps écoulé',
  tryAgain: 'Réessayer',
  notSent: 'Je n’ai pas envoyé d’argent',
  notSentHint: 'Si la page de paiement ne s’ouvre plus, et seulement si vous n’avez pas envoyé d’argent.',
  phoneOdd: 'Numéro inhabituel. Vérifiez-le.',
  forget: 'Commencer un autre paiement',
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
