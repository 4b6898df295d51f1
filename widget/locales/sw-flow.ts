// Swahili: the texts needed after the first keystroke.
import type { FlowTexts, Rare } from './texts.ts'

export const texts: FlowTexts = {
  test: 'JARIBIO · si pesa halisi',
  bankHint: 'Andika kutafuta',
  noBank: 'Hakuna benki yenye jina hilo. Unaweza kuendelea bila benki.',
  banksFailed: 'Orodha haipatikani. Unaweza kuendelea bila benki.',
  unknownTitle: 'Tunaangalia',
  errName: 'Andika jina lako kamili.',
  errAmount: 'Andika kiasi bila desimali, kwa mfano 2500.',
  errEmail: 'Hii haionekani kuwa barua pepe.',
  errBank: 'Chagua benki kwenye orodha.',
  openTitle: 'Lipa kwenye ukurasa uliofunguka',
  openText: 'Chagua wakala hapo na utume pesa. Acha ukurasa huu wazi: matokeo yataonekana hapa.',
  openAgain: 'Fungua tena ukurasa wa malipo',
  openLink: 'Fungua ukurasa wa malipo',
  checkNow: 'Angalia sasa',
  lockBefore: 'Chagua wakala kabla ya {time}',
  minutes: 'dakika {n}',
  confirmingTitle: 'Malipo yako yanathibitishwa',
  confirmingText: 'Itachukua sekunde chache.',
  overdueTitle: 'Bado tunasubiri',
  overdueText: 'Kama umetuma pesa, subiri: matokeo yataonekana hapa. Usilipe mara ya pili.',
  resumedText:
    'Kama umetuma pesa, usilipe mara ya pili: matokeo yataonekana hapa. Kama bado, fungua ukurasa wa malipo.',
  successTitle: 'Umelipa',
  successText: 'Malipo yako yamefika.',
  duplicateTitle: 'Umelipa mara mbili',
  failedTitle: 'Malipo hayakufanikiwa',
  failedOther: 'Kama hujatuma pesa, jaribu tena.',
  expiredTitle: 'Muda umekwisha',
  tryAgain: 'Jaribu tena',
  notSent: 'Sijatuma pesa',
  notSentHint: 'Ikiwa ukurasa wa malipo haufunguki tena, na ikiwa tu hujatuma pesa.',
  phoneOdd: 'Namba hii si ya kawaida. Ikague.',
  forget: 'Anza malipo mengine',
  reference: 'Kumbukumbu namba',
  receipt: 'Risiti',
  help: 'Jinsi ya kulipa',
  sharePhone: 'Lipa kwa simu nyingine',
  offline: 'Huna mtandao. Malipo yanaendelea.',
  reconnecting: 'Tunaunganisha tena…',
  date: 'Tarehe',
}

/** Rare texts, loaded on demand. */
export const rare = (): Promise<Rare> => import('./sw-rare.ts')
