// The pages in Swahili.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const swahili: PageTexts = {
  language: 'Kiswahili',
  languages: 'Lugha',
  payTitle: 'Lipa kwa pesa za simu',
  paymentTitle: 'Malipo yako',
  countryQuestion: 'Unalipa kutoka nchi gani?',
  change: 'Badilisha',
  next: 'Endelea',
  amountHint: (min, max) => `Kuanzia ${min} hadi ${max}, bila senti.`,
  bankNone: 'Sina benki, au haimo kwenye orodha',
  bankHint: 'Kwa rekodi za duka tu. Unalipa kwa pesa za simu.',
  phoneHint: 'Namba unayotumia kulipa.',
  known: 'Duka limetupa taarifa zilizobaki.',
  toPay: 'Kiasi cha kulipa',
  earlier: 'Umeanzisha malipo hapa sasa hivi. Kama umetuma pesa kwa ajili yake, usilipe tena.',
  earlierLink: 'Angalia yalipofikia',
  faults: {
    summary: 'Tafadhali angalia tena:',
    country: 'Chagua nchi kwenye orodha.',
    currency: 'Chagua nchi tena.',
    amount: (min, max) => `Andika kiasi bila senti, kuanzia ${min} hadi ${max}.`,
    phone: 'Andika namba ya simu kwa tarakimu tu.',
    used:
      'Malipo tayari yalianzishwa kwa fomu hii, yakiwa na taarifa nyingine. Kama umetuma pesa, usilipe tena: ' +
      'yaangalie kwanza. Kama hujatuma, bonyeza kitufe tena kuanzisha mapya.',
    usedLink: 'Angalia malipo ya kwanza',
    key: 'Fomu hii ilikuwa imepitwa na wakati. Hujatozwa chochote. Bonyeza kitufe tena.',
    confirm: 'Weka alama kwenye kisanduku kama hujatuma pesa.',
  },
  received: 'Malipo yamepokelewa',
  newTab: 'hufunguka kwenye kichupo kipya',
  before: (time) => `Chagua wakala huko kabla ya ${time}.`,
  checkLater: 'Subiri kidogo kabla ya kuangalia tena.',
  asOf: (time) => `Hali kufikia ${time}.`,
  refreshes: 'Ukurasa huu hujisasisha wenyewe.',
  pause: 'Sitisha kusasisha',
  paused: 'Ukurasa huu haujisasishi kwa sasa.',
  resume: 'Endelea kusasisha',
  keepAddress: 'Unaweza kufunga ukurasa huu. Hifadhi anwani yake ili urudi.',
  againTitle: 'Ukurasa wa malipo haufanyi kazi?',
  againOverdue: 'Hujatuma pesa yoyote?',
  againText: 'Ikiwa tu hujatuma pesa yoyote, unaweza kuyaacha malipo haya na kuanza tena.',
  againConfirm: 'Sijatuma pesa yoyote kwa malipo haya.',
  againButton: 'Anza tena',
  receipt: {
    purpose: 'Kwa ajili ya',
    bank: 'Benki',
    started: 'Yalianza',
    paid: 'Yalilipwa',
    print: 'Hifadhi ukurasa huu, au uuchape, kama risiti yako.',
  },
  ends: {
    notFound: said(
      'Hakuna malipo kwenye anwani hii',
      'Kiungo hakijakamilika au hakifanyi kazi tena. Kifungue tena ulikokipata, au liombe duka kiungo kipya.',
    ),
    sessionExpired: said(
      'Kiungo hiki cha malipo kimekwisha muda',
      'Hakiwezi kuanzisha malipo mapya. Hujatozwa chochote. Liombe duka kiungo kipya.',
    ),
    sessionClosed: said(
      'Kiungo hiki cha malipo kimefungwa',
      'Duka limekifunga. Hakiwezi kuanzisha malipo mapya. Hujatozwa chochote. Liombe duka kiungo kipya.',
    ),
    sessionsOnly: said(
      'Tafadhali anzia dukani',
      'Duka hili hupokea malipo kwa viungo vyake tu. Rudi dukani na uchague kulipa huko.',
    ),
    origin: said(
      'Fomu hii haikutoka hapa',
      'Kwa usalama wako haikupokelewa. Hujatozwa chochote. Fungua ukurasa wa malipo tena na ujaze fomu huko.',
    ),
    rateLimited: said(
      'Umejaribu mara nyingi mno kwa sasa',
      'Hujatozwa chochote. Subiri dakika moja, kisha jaribu tena.',
    ),
    unavailable: said(
      'Malipo hayawezi kuanzishwa kwa sasa',
      'Hujatozwa chochote. Subiri kidogo, kisha rudi nyuma na utume fomu ileile. Haitozi mara mbili kamwe.',
    ),
    marketOff: said(
      'Sarafu hii haipatikani kwa sasa',
      'Hujatozwa chochote. Jaribu baadaye, au chagua njia nyingine ya kulipa dukani.',
    ),
    noMarkets: said(
      'Hakuna cha kuchagua hapa kwa sasa',
      'Duka hili halipokei malipo kwa sasa. Tafadhali liarifu duka.',
    ),
    unreadable: said('Fomu haikuweza kusomeka', 'Hujatozwa chochote. Rudi nyuma, kisha uitume tena.'),
    replaces: said(
      'Malipo haya hayawezi kuachwa tena',
      'Kuna jambo limetokea wakati huo. Yaangalie tena kabla ya kufanya chochote.',
    ),
    fault: said(
      'Kuna hitilafu imetokea hapa',
      'Malipo yaliyokwisha kuanzishwa hayapotei. Rudi nyuma na utume fomu ileile: haitozi mara mbili kamwe.',
    ),
  },
  requestId: 'Namba ya hitilafu',
  back: 'Rudi kwenye malipo',
}
