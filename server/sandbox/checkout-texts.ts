// The hosted checkout's words in English, French and Swahili.
export const LANGUAGES = ['en', 'fr', 'sw'] as const
export type Language = (typeof LANGUAGES)[number]

export interface CheckoutTexts {
  language: string
  test: string
  payTo: string
  payer: string
  payTitle: (amount: string) => string
  chooseCountry: string
  chooseOperator: string
  operatorHint: string
  chooseAgent: string
  agentHint: string
  rate: (percent: string) => string
  orders: (count: string) => string
  lock: string
  change: string
  next: string
  timeLeft: string
  locked: (until: string) => string
  howToPay: string
  openMenu: (operator: string) => string
  sendTo: string
  exactly: string
  reason: string
  keepMessage: string
  copy: string
  copied: string
  iHavePaid: string
  payFirst: string
  waiting: string
  waitingHint: string
  refresh: string
  done: string
  doneHint: string
  declined: string
  cancelled: string
  expired: string
  failed: string
  failedHint: string
  paidButFailed: string
  backToShop: string
  cancel: string
  cancelQuestion: string
  cancelWarning: string
  keepPaying: string
  otherBrowser: string
  inProgress: string
  gone: string
  goneHint: string
  footer: string
  steps: [string, string, string, string]
  step: (at: number) => string
}

const en: CheckoutTexts = {
  language: 'Language',
  test: 'TEST: no real money moves',
  payTo: 'Pay to',
  payer: 'Payer',
  payTitle: (amount) => `Pay ${amount}`,
  chooseCountry: 'In which country is your mobile money?',
  chooseOperator: 'Choose your mobile money',
  operatorHint: 'You will pay from this account.',
  chooseAgent: 'Choose an agent',
  agentHint:
    'A verified agent receives your mobile money and confirms it. The shop pays the agent; you send the amount above and nothing more.',
  rate: (percent) => `Rate ${percent} %, paid by the shop`,
  orders: (count) => `${count} orders completed`,
  lock: 'Lock order',
  change: 'Change',
  next: 'Continue',
  timeLeft: 'Time left to lock an order',
  locked: (until) => `Order locked. It stays open until ${until}.`,
  howToPay: 'How to pay',
  openMenu: (operator) => `Open ${operator} on your phone and choose to send money.`,
  sendTo: 'Send to',
  exactly: 'Amount, exactly',
  reason: 'Reason or reference',
  keepMessage: 'Keep the confirmation message.',
  copy: 'Copy',
  copied: 'Copied',
  iHavePaid: 'I have paid',
  payFirst: 'Press this only after you have sent the money.',
  waiting: 'Waiting for the agent',
  waitingHint:
    'The agent is checking that your money has arrived. This page follows by itself. You can close it; nothing is lost.',
  refresh: 'Look again',
  done: 'Payment received',
  doneHint: 'The agent has confirmed your payment, and the shop is being told.',
  declined: 'The agent has not received your payment',
  cancelled: 'You cancelled this payment',
  expired: 'The time for this payment is over',
  failed: 'This payment was not completed',
  failedHint: 'If you have sent no money, nothing was taken from you. You can start again in the shop.',
  paidButFailed: 'If you have sent money, keep the message of your operator and ask the shop before you pay again.',
  backToShop: 'You can close this page and go back to the shop.',
  cancel: 'Cancel payment',
  cancelQuestion: 'Cancel this payment?',
  cancelWarning: 'Do not cancel if you have already sent money.',
  keepPaying: 'No, go on',
  otherBrowser: 'This payment goes on in the browser in which the order was locked. Here you can follow it.',
  inProgress: 'Payment in progress',
  gone: 'This page was opened before',
  goneHint: 'A payment page can be opened once. Go back to the shop and start again.',
  footer: 'Sandbox Pay stands in for a payment service while a shop is being built.',
  steps: ['Operator', 'Agent', 'Pay', 'Done'],
  step: (at) => `Step ${at} of 4`,
}

const fr: CheckoutTexts = {
  language: 'Langue',
  test: 'TEST\u00A0: aucun argent réel',
  payTo: 'Payer à',
  payer: 'Payeur',
  payTitle: (amount) => `Payer ${amount}`,
  chooseCountry: 'Dans quel pays est votre mobile money\u00A0?',
  chooseOperator: 'Choisissez votre mobile money',
  operatorHint: 'Vous paierez depuis ce compte.',
  chooseAgent: 'Choisissez un agent',
  agentHint:
    'Un agent vérifié reçoit votre mobile money et le confirme. La boutique paie l’agent\u00A0; vous envoyez le montant ci-dessus, rien de plus.',
  rate: (percent) => `Taux ${percent}\u00A0%, payé par la boutique`,
  orders: (count) => `${count} commandes effectuées`,
  lock: 'Bloquer la commande',
  change: 'Modifier',
  next: 'Continuer',
  timeLeft: 'Temps restant pour bloquer une commande',
  locked: (until) => `Commande bloquée. Elle reste ouverte jusqu’au ${until}.`,
  howToPay: 'Comment payer',
  openMenu: (operator) => `Ouvrez ${operator} sur votre téléphone et choisissez l’envoi d’argent.`,
  sendTo: 'Envoyer à',
  exactly: 'Montant exact',
  reason: 'Motif ou référence',
  keepMessage: 'Gardez le message de confirmation.',
  copy: 'Copier',
  copied: 'Copié',
  iHavePaid: 'J’ai payé',
  payFirst: 'Appuyez seulement après avoir envoyé l’argent.',
  waiting: 'En attente de l’agent',
  waitingHint:
    'L’agent vérifie que votre argent est arrivé. Cette page suit toute seule. Vous pouvez la fermer, rien ne se perd.',
  refresh: 'Regarder à nouveau',
  done: 'Paiement reçu',
  doneHint: 'L’agent a confirmé votre paiement, et la boutique en est informée.',
  declined: 'L’agent n’a pas reçu votre paiement',
  cancelled: 'Vous avez annulé ce paiement',
  expired: 'Le temps de ce paiement est écoulé',
  failed: 'Ce paiement n’a pas abouti',
  failedHint: 'Si vous n’avez rien envoyé, rien ne vous a été pris. Vous pouvez recommencer dans la boutique.',
  paidButFailed:
    'Si vous avez envoyé de l’argent, gardez le message de votre opérateur et demandez à la boutique avant de payer à nouveau.',
  backToShop: 'Vous pouvez fermer cette page et retourner à la boutique.',
  cancel: 'Annuler le paiement',
  cancelQuestion: 'Annuler ce paiement\u00A0?',
  cancelWarning: 'N’annulez pas si vous avez déjà envoyé l’argent.',
  keepPaying: 'Non, continuer',
  otherBrowser: 'Ce paiement continue dans le navigateur où la commande a été bloquée. Ici, vous pouvez le suivre.',
  inProgress: 'Paiement en cours',
  gone: 'Cette page a déjà été ouverte',
  goneHint: 'Une page de paiement s’ouvre une seule fois. Retournez à la boutique et recommencez.',
  footer: 'Sandbox Pay remplace un service de paiement pendant la création d’une boutique.',
  steps: ['Réseau', 'Agent', 'Payer', 'Fin'],
  step: (at) => `Étape ${at} sur 4`,
}

const sw: CheckoutTexts = {
  language: 'Lugha',
  test: 'JARIBIO: hakuna pesa halisi',
  payTo: 'Lipa kwa',
  payer: 'Mlipaji',
  payTitle: (amount) => `Lipa ${amount}`,
  chooseCountry: 'Pesa yako ya simu iko nchi gani?',
  chooseOperator: 'Chagua pesa yako ya simu',
  operatorHint: 'Utalipa kutoka akaunti hii.',
  chooseAgent: 'Chagua wakala',
  agentHint:
    'Wakala aliyethibitishwa hupokea pesa yako ya simu na kuithibitisha. Duka humlipa wakala; wewe tuma kiasi kilicho juu tu.',
  rate: (percent) => `Ada ${percent} %, hulipwa na duka`,
  orders: (count) => `Maagizo ${count} yamekamilika`,
  lock: 'Funga agizo',
  change: 'Badilisha',
  next: 'Endelea',
  timeLeft: 'Muda uliobaki wa kufunga agizo',
  locked: (until) => `Agizo limefungwa. Litabaki wazi hadi ${until}.`,
  howToPay: 'Jinsi ya kulipa',
  openMenu: (operator) => `Fungua ${operator} kwenye simu yako na uchague kutuma pesa.`,
  sendTo: 'Tuma kwa',
  exactly: 'Kiasi kamili',
  reason: 'Sababu au kumbukumbu',
  keepMessage: 'Hifadhi ujumbe wa uthibitisho.',
  copy: 'Nakili',
  copied: 'Imenakiliwa',
  iHavePaid: 'Nimelipa',
  payFirst: 'Bonyeza tu baada ya kutuma pesa.',
  waiting: 'Tunamsubiri wakala',
  waitingHint:
    'Wakala anahakikisha kuwa pesa yako imefika. Ukurasa huu unafuatilia wenyewe. Unaweza kuufunga; hakuna kinachopotea.',
  refresh: 'Angalia tena',
  done: 'Malipo yamepokelewa',
  doneHint: 'Wakala amethibitisha malipo yako, na duka linajulishwa.',
  declined: 'Wakala hajapokea malipo yako',
  cancelled: 'Umeghairi malipo haya',
  expired: 'Muda wa malipo haya umekwisha',
  failed: 'Malipo haya hayakukamilika',
  failedHint: 'Kama hukutuma pesa, hakuna kilichochukuliwa. Unaweza kuanza tena dukani.',
  paidButFailed: 'Kama umetuma pesa, hifadhi ujumbe wa mtandao wako na uulize duka kabla ya kulipa tena.',
  backToShop: 'Unaweza kufunga ukurasa huu na kurudi dukani.',
  cancel: 'Ghairi malipo',
  cancelQuestion: 'Ghairi malipo haya?',
  cancelWarning: 'Usighairi kama tayari umetuma pesa.',
  keepPaying: 'Hapana, endelea',
  otherBrowser: 'Malipo haya yanaendelea kwenye kivinjari kilichofunga agizo. Hapa unaweza kuyafuatilia.',
  inProgress: 'Malipo yanaendelea',
  gone: 'Ukurasa huu ulishafunguliwa',
  goneHint: 'Ukurasa wa malipo hufunguliwa mara moja. Rudi dukani na uanze tena.',
  footer: 'Sandbox Pay ni mbadala wa huduma ya malipo wakati duka linatengenezwa.',
  steps: ['Mtandao', 'Wakala', 'Lipa', 'Mwisho'],
  step: (at) => `Hatua ${at} kati ya 4`,
}

export const CHECKOUT_TEXTS: Readonly<Record<Language, CheckoutTexts>> = { en, fr, sw }

/** The language asked for by name, else the browser's first that we speak, else English. */
export function languageOf(asked: string | undefined, acceptLanguage: string | undefined): Language {
  const wishes = [
    asked ?? '',
    ...(acceptLanguage ?? '').split(',').map((part) => part.trim().slice(0, 2).toLowerCase()),
  ]
  for (const wish of wishes) {
    const known = LANGUAGES.find((language) => language === wish)
    if (known) return known
  }
  return 'en'
}
