// What the console says of a payment in French.
import type { StoryWords } from './en-story.ts'

const LATER =
  'Si l’appelant dit que de l’argent est parti, demandez maintenant au service de paiement, puis cherchez dans son ' +
  'portail. Un paiement qu’il prouve plus tard compte quand même, marqué comme en retard.'

export const frStory: StoryWords = {
  phases: {
    creating: {
      label: 'Commence',
      caller: 'Votre paiement se prépare. Attendez un instant, et n’en commencez pas un autre.',
      next: 'En une demi-minute, le companion sait si le service de paiement l’a pris.',
    },
    unknown: {
      label: 'En recherche',
      caller:
        'Le service de paiement n’a pas encore répondu. N’en commencez pas un autre ; rien n’est débité deux fois.',
      next: 'Le companion redemande de lui-même au service de paiement, jusqu’à sa réponse.',
    },
    open: {
      label: 'Attend le client',
      caller:
        'Votre page de paiement est ouverte, et aucun argent n’est encore vu. Ouvrez-la et suivez ses étapes. Si ' +
        'vous avez déjà envoyé l’argent, attendez et ne payez pas de nouveau.',
      next:
        'Le companion interroge de lui-même le service de paiement, d’abord chaque minute. Quand l’argent est ' +
        'vu, le paiement devient payé et le magasin est prévenu.',
    },
    confirming: {
      label: 'En confirmation',
      caller: 'Le service de paiement a signalé un résultat, et nous le confirmons. Ne payez pas de nouveau.',
      next: 'Le companion prouve le résultat par sa propre question. Cela prend en général quelques secondes.',
    },
    abandoned: {
      label: 'Abandonné',
      caller:
        'Cette tentative est abandonnée. Si vous avez envoyé de l’argent, il sera trouvé et compté. Sinon, ' +
        'recommencez.',
      next:
        'Le companion demande encore pendant 30 jours. Si l’argent arrive, le paiement devient payé et le ' +
        'magasin est prévenu.',
    },
    review: {
      label: 'À trancher',
      caller:
        'Une personne doit regarder votre paiement. Ne payez pas de nouveau, et gardez le message de votre ' +
        'opérateur.',
      next: 'Quelqu’un cherche le paiement dans le portail du service de paiement et le tranche ici.',
    },
    succeeded: {
      label: 'Payé',
      caller: 'Votre paiement est arrivé.',
      next: 'Payé est définitif. Si le magasin n’en sait rien, prévenez-le de nouveau.',
    },
    failed: {
      label: 'Non payé',
      caller:
        'Le paiement n’a pas abouti. Si aucun argent n’a quitté votre téléphone, réessayez. Sinon, gardez le ' +
        'message de votre opérateur : son numéro nous aide à chercher l’argent auprès du service de paiement.',
      next: LATER,
    },
    expired: {
      label: 'Délai passé',
      caller:
        'Le délai est passé avant la confirmation du paiement. Si aucun argent n’a quitté votre téléphone, ' +
        'recommencez. Sinon, gardez le message de votre opérateur : son numéro nous aide à chercher l’argent ' +
        'auprès du service de paiement.',
      next: LATER,
    },
    rejected: {
      label: 'Pas commencé',
      caller: 'Le paiement n’a pas pu commencer. Rien n’a été débité. Réessayez.',
      next: 'Plus rien : le service de paiement ne l’a jamais pris.',
    },
  },
  overdue: {
    label: 'Prend du temps',
    caller:
      'Votre paiement prend plus de temps que d’habitude. Si vous avez envoyé l’argent, attendez : il sera ' +
      'trouvé. Ne payez pas de nouveau. Sinon, vous pouvez recommencer.',
    next: 'Le service de paiement le dit toujours en attente. Le companion demande encore pendant 30 jours.',
  },
  kinds: {
    started: 'Le client a appuyé sur « payer ».',
    created: 'Le service de paiement l’a pris, et le client a reçu la page de paiement.',
    created_late: 'Le service de paiement l’a pris, mais trop tard : sa page n’a plus été donnée.',
    create_unknown: 'Le service de paiement n’a pas dit s’il l’avait pris.',
    refused: 'Le service de paiement l’a refusé.',
    not_processed: 'Le service de paiement n’a pas été atteint, donc rien n’a commencé.',
    callback: 'Le service de paiement a envoyé un message avec un résultat. Il n’est pas cru sans preuve.',
    callback_differs: 'Un message portait d’autres détails que les nôtres. Il n’a rien changé.',
    callback_sum: 'Le service de paiement a signé un message avec un autre montant ou une autre monnaie.',
    unconfirmed: 'Un message a dit « payé » il y a 15 minutes, et aucune réponse du service ne l’a confirmé.',
    callback_decided: 'Un message du service de paiement l’a terminé.',
    query_success: 'Interrogé par nous, le service de paiement a prouvé qu’il est payé.',
    query_failed: 'Interrogé par nous, le service de paiement a dit qu’il n’est pas payé.',
    query_refused: 'Interrogé par nous, le service de paiement n’a pas donné de réponse utile.',
    query_sum: 'Interrogé par nous, le service de paiement a nommé un autre montant ou une autre monnaie.',
    query_back: 'Le service de paiement répond de nouveau à nos questions.',
    still_pending: 'Interrogé par nous, le service de paiement a dit qu’il attend encore.',
    overdue: 'Le temps habituel est passé, et le service de paiement attend encore.',
    asked_for_30_days: 'Nous avons demandé pendant 30 jours, et rien n’est venu.',
    address_lost: 'La page de paiement ne nous est jamais parvenue : personne n’a pu y payer.',
    never_arrived: 'Le service de paiement ne le connaît pas : personne n’a pu payer.',
    replaced: 'Le client a dit qu’il n’avait pas envoyé d’argent, et a recommencé.',
    order_paid: 'Un autre paiement de la même commande a été payé.',
    contradiction: 'Le service de paiement s’est contredit. Une personne a été prévenue.',
    review: 'Il a été présenté à une personne.',
    decision: 'Une personne l’a tranché.',
  },
  reviews: {
    transaction_mismatch: 'Le service de paiement lui donne une autre transaction qu’avant.',
    transaction_conflict: 'Un autre paiement porte la même transaction du service de paiement.',
    redirect_origin: 'Le service de paiement a envoyé le client à une adresse non permise (HC_CHECKOUT_ORIGINS).',
    query_reference: 'Interrogé sur ce paiement, le service de paiement a répondu sur un autre.',
    query_amount: 'Le service de paiement le dit payé, avec un autre montant ou une autre monnaie.',
    callback_sum: 'Le service de paiement a signé un autre montant ou une autre monnaie.',
    query_missing: 'Le service de paiement ne peut pas être interrogé en ce moment. Cela se termine de soi-même.',
    query_not_found: 'Le service de paiement l’a créé et dit maintenant ne pas le connaître.',
    pending_after_30_days: 'Un message l’a dit payé il y a 30 jours, et le service le dit toujours en attente.',
  },
  results: {
    1: 'Il n’y avait pas assez d’argent sur le compte.',
    1032: 'Le paiement a été annulé, ou le téléphone était injoignable. De l’argent a pu être envoyé malgré tout.',
    1037: 'Le délai de ce paiement est écoulé, sans confirmation d’un agent. De l’argent a pu être envoyé malgré tout.',
    2001: 'L’agent n’a pas confirmé le paiement. De l’argent a pu être envoyé malgré tout.',
    failed: 'Le service de paiement n’a pas donné de raison. De l’argent a pu être envoyé malgré tout.',
    expired:
      'Le délai de ce paiement est écoulé, sans confirmation d’un agent. De l’argent a pu être envoyé malgré tout.',
    order_paid: 'La commande était déjà payée.',
    address_lost: 'La page de paiement n’est jamais parvenue au client.',
    market_off: 'Le service de paiement a fermé ce pays pour ce magasin.',
    account_refused: 'Le service de paiement refuse le compte de ce magasin.',
    upstream_unavailable: 'Le service de paiement n’a pas été atteint.',
    rate_limited: 'Trop de paiements ont commencé à la fois ; celui-ci n’a pas eu de place.',
    decided: 'Une personne du magasin a décidé qu’il n’était pas payé.',
  },
  otherResult: 'Le service de paiement dit : {text} ({code})',
  late: 'L’argent est venu après que ce paiement a été dit non payé. Il compte quand même.',
  duplicate: 'La commande était déjà payée : cet argent est à rembourser au client.',
  disputed: 'Le service de paiement a signé un autre montant ou une autre monnaie. Comparez avec le portail.',
  notices: {
    'payment.succeeded': 'Payé',
    'payment.duplicate': 'Payé deux fois',
    'payment.failed': 'Non payé',
    'payment.expired': 'Délai passé',
    'payment.review': 'À trancher',
  },
  noticeStates: {
    waiting: 'pas encore prévenu ; essais : {n}, le prochain à {time}. « {button} » le fait tout de suite.',
    delivered: 'prévenu à {time} ; essais : {n}',
    dead: 'pas prévenu, et plus d’essai prévu ; essais : {n}. « {button} » le fait tout de suite.',
  },
  done: {
    sign_in: '{who} s’est connecté',
    sign_in_refused: 'Une connexion de {who} a été refusée',
    sign_out: '{who} s’est déconnecté',
    refresh: '{who} a demandé au service de paiement.',
    resend: '{who} a fait prévenir de nouveau le magasin.',
    note: '{who} a écrit une note.',
    decision: '{who} l’a tranché.',
    paid_back: '{who} l’a marqué comme remboursé.',
    link: '{who} a créé un lien de paiement.',
    close_link: '{who} a fermé un lien de paiement.',
    export: '{who} a enregistré des paiements dans un fichier.',
    reconcile: '{who} a comparé un relevé.',
  },
  sums: '{other} au lieu de {ours}',
  again: 'Noté {n} fois, la dernière le {time}.',
  told: 'Le magasin a été prévenu : {what}.',
  toTell: 'Le magasin doit être prévenu : {what}.',
}
