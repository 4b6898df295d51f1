// The pages in French.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const french: PageTexts = {
  language: 'Français',
  languages: 'Langue',
  payTitle: 'Payer par mobile money',
  paymentTitle: 'Votre paiement',
  countryQuestion: 'Depuis quel pays payez\u2011vous\u00A0?',
  change: 'Modifier',
  next: 'Continuer',
  amountHint: (min, max) => `De ${min} à ${max}, sans centimes.`,
  bankNone: 'Aucune, ou absente de la liste',
  bankHint: 'Pour les archives de la boutique uniquement. Vous payez par mobile money.',
  phoneHint: 'Le numéro avec lequel vous payez.',
  known: 'La boutique nous a donné le reste.',
  toPay: 'À payer',
  earlier: 'Vous venez de commencer un paiement ici. Si vous avez envoyé de l’argent, ne payez pas de nouveau.',
  earlierLink: 'Voir où il en est',
  faults: {
    summary: 'Veuillez revoir ceci\u00A0:',
    country: 'Choisissez un pays de la liste.',
    currency: 'Choisissez de nouveau le pays.',
    amount: (min, max) => `Indiquez un montant entier de ${min} à ${max}.`,
    phone: 'Indiquez le numéro de téléphone en chiffres seulement.',
    used:
      'Un paiement a déjà été commencé avec ce formulaire, avec d’autres données. ' +
      'Si vous avez envoyé de l’argent, ne payez pas de nouveau\u00A0: regardez-le d’abord. ' +
      'Sinon, appuyez encore une fois sur le bouton pour en commencer un autre.',
    usedLink: 'Voir le premier paiement',
    key: 'Ce formulaire avait expiré. Rien n’a été débité. Appuyez encore une fois sur le bouton.',
    confirm: 'Cochez la case si vous n’avez pas envoyé d’argent.',
  },
  received: 'Paiement reçu',
  newTab: 's’ouvre dans un nouvel onglet',
  before: (time) => `Choisissez-y un agent avant ${time}.`,
  checkLater: 'Attendez un moment avant de vérifier de nouveau.',
  asOf: (time) => `Situation à ${time}.`,
  refreshes: 'Cette page se met à jour toute seule.',
  pause: 'Suspendre les mises à jour',
  paused: 'Cette page ne se met pas à jour pour l’instant.',
  resume: 'Reprendre les mises à jour',
  keepAddress: 'Vous pouvez fermer cette page. Gardez son adresse pour y revenir.',
  againTitle: 'La page de paiement ne marche pas\u00A0?',
  againOverdue: 'Vous n’avez pas envoyé d’argent\u00A0?',
  againText: 'Seulement si vous n’avez pas envoyé d’argent, vous pouvez abandonner cette tentative et recommencer.',
  againConfirm: 'Je n’ai pas envoyé d’argent pour ce paiement.',
  againButton: 'Recommencer',
  receipt: {
    purpose: 'Pour',
    bank: 'Banque',
    started: 'Commencé',
    paid: 'Payé',
    print: 'Gardez ou imprimez cette page\u00A0: c’est votre reçu.',
  },
  ends: {
    notFound: said(
      'Il n’y a pas de paiement à cette adresse',
      'Le lien est incomplet ou n’est plus valable.',
      'Ouvrez-le de nouveau là où vous l’avez reçu, ou demandez-en un autre à la boutique.',
    ),
    sessionExpired: said(
      'Ce lien de paiement a expiré',
      'Aucun nouveau paiement ne peut être commencé avec lui. Rien n’a été débité.',
      'Demandez un nouveau lien à la boutique.',
    ),
    sessionClosed: said(
      'Ce lien de paiement est fermé',
      'La boutique l’a fermé. Aucun nouveau paiement ne peut être commencé avec lui. Rien n’a été débité.',
      'Demandez un nouveau lien à la boutique.',
    ),
    sessionsOnly: said(
      'Commencez depuis la boutique',
      'Cette boutique n’accepte que ses propres liens de paiement. Retournez-y et choisissez d’y payer.',
    ),
    origin: said(
      'Ce formulaire ne vient pas d’ici',
      'Pour votre sécurité, il n’a pas été accepté. Rien n’a été débité.',
      'Ouvrez de nouveau la page de paiement et remplissez-y le formulaire.',
    ),
    rateLimited: said('Trop d’essais pour l’instant', 'Rien n’a été débité. Attendez une minute, puis réessayez.'),
    unavailable: said(
      'Aucun paiement ne peut commencer pour l’instant',
      'Rien n’a été débité. Attendez un moment, revenez en arrière et envoyez le même formulaire.',
      'Il ne débite jamais deux fois.',
    ),
    marketOff: said(
      'Cette monnaie n’est pas disponible pour l’instant',
      'Rien n’a été débité. Réessayez plus tard ou choisissez un autre moyen de paiement à la boutique.',
    ),
    noMarkets: said(
      'Rien à choisir ici pour l’instant',
      'Cette boutique n’accepte pas de paiements pour l’instant. Merci de le lui signaler.',
    ),
    unreadable: said(
      'Le formulaire n’a pas pu être lu',
      'Rien n’a été débité. Revenez en arrière et envoyez-le de nouveau.',
    ),
    replaces: said(
      'Ce paiement ne peut plus être abandonné',
      'Quelque chose s’est passé entre-temps. Regardez-le encore une fois avant de faire quoi que ce soit.',
    ),
    fault: said(
      'Une erreur s’est produite ici',
      'Un paiement déjà commencé n’est pas perdu. Revenez en arrière et envoyez le même formulaire\u00A0:',
      'il ne débite jamais deux fois.',
    ),
  },
  requestId: 'Numéro de la demande',
  back: 'Retour au paiement',
}
