// The pages in Swahili.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const swahili: PageTexts = {
  language: 'Kiswahili',
  languages: 'Lugha',
  payTitle: 'Lipa kwa pesa za simu',
  paymentTitle: 'Malipo yako',
  optional: 'si lazima',
  countryQuestion: 'Unalipa kutoka nchi gani?',
  change: 'Badilisha',
  next: 'Endelea',
  amountHint: (min, max) => `Kuanzia ${min} hadi ${max}, bila senti.`,
  bankNone: 'Sina benki, au haimo kwenye orodha',
  bankHint: 'Kwa rekodi za duka tu. Unalipa kwa pesa za simu.',
  phone: 'Simu',
  phoneHint: 'Namba unayotumia kulipa.',
  email: 'Barua pepe',
  emailHint: 'Kwa ajili ya risiti yako. Usipoiandika, risiti itaenda kwa duka.',
  known: 'Duka limetupa taarifa zilizobaki.',
  toPay: 'Kiasi cha kulipa',
  payAmount: (amount) => `Lipa ${amount}`,
  payHint: 'Ukurasa wa malipo utafunguka. Hutatozwa chochote kabla ya kuthibitisha huko.',
  earlier: 'Umeanzisha malipo hapa sasa hivi. Kama umetuma pesa kwa ajili yake, usilipe tena.',
  earlierLink: 'Angalia yalipofikia',
  faults: {
    summary: 'Tafadhali angalia tena:',
    country: 'Chagua nchi kwenye orodha.',
    currency: 'Chagua nchi tena.',
    amount: (min, max) => `Andika kiasi bila senti, kuanzia ${min} hadi ${max}.`,
    bank: 'Chagua benki kwenye orodha, au usichague yoyote.',
    name: 'Andika jina lako, angalau herufi mbili.',
    nameLong: (most) => `Andika jina fupi zaidi, lisilozidi herufi ${most}.`,
    phone: 'Andika namba ya simu kwa tarakimu tu.',
    email: 'Anwani hii ya barua pepe haionekani kuwa sahihi.',
    used:
      'Malipo tayari yalianzishwa kwa fomu hii, yakiwa na taarifa nyingine. Kama umetuma pesa, usilipe tena: ' +
      'yaangalie kwanza. Kama hujatuma, bonyeza kitufe tena kuanzisha mapya.',
    usedLink: 'Angalia malipo ya kwanza',
    key: 'Fomu hii ilikuwa imepitwa na wakati. Hujatozwa chochote. Bonyeza kitufe tena.',
    confirm: 'Weka alama kwenye kisanduku kama hujatuma pesa.',
  },
  received: 'Malipo yamepokelewa',
  states: {
    starting: said(
      'Tunaanzisha malipo yako',
      'Tunaangalia kama huduma ya malipo imeyapokea. Tafadhali usianzishe mengine. Hutatozwa mara mbili.',
    ),
    open: said(
      'Malipo yako yanakusubiri',
      'Fungua ukurasa wa malipo na ufuate maelekezo yake. Kisha rudi hapa kuona matokeo.',
      'Kama umeshatuma pesa, usilipe mara ya pili.',
    ),
    overdue: said(
      'Inachukua muda mrefu kuliko kawaida',
      'Kama umetuma pesa, huhitaji kufanya chochote:',
      'tunaendelea kuuliza huduma ya malipo na tutaliarifu duka, hata ukifunga ukurasa huu.',
      'Matokeo bado hayajajulikana.',
    ),
    confirming: said(
      'Malipo yako yanathibitishwa',
      'Huduma ya malipo imetoa taarifa. Tunasubiri jibu lake la mwisho. Tafadhali usilipe tena.',
    ),
    abandoned: said(
      'Malipo haya yameachwa',
      'Hakuna haja tena ya kuyalipia. Kama pesa zilitumwa hata hivyo, zitahesabiwa, na duka litaarifiwa.',
    ),
    lost: said(
      'Malipo haya hayakuweza kufunguka',
      'Ukurasa wake wa malipo haukutufikia, hivyo hakuna aliyeweza kulipa huko. Unaweza kuanza tena sasa.',
    ),
    orderPaid: said(
      'Oda hii imeshalipwa',
      'Malipo mengine ya oda hii yamefanikiwa. Tafadhali usilipe hapa.',
      'Ikiwa pesa zilitumwa kwa malipo haya pia, duka litaarifiwa.',
    ),
    review: said(
      'Mtu anapaswa kuyaangalia malipo haya',
      'Duka litaarifiwa. Tafadhali usilipe tena, na uhifadhi kumbukumbu namba iliyo hapa chini.',
    ),
    failed: said(
      'Malipo hayakufanikiwa',
      'Huduma ya malipo imeyafunga malipo haya. Unaweza kujaribu tena.',
      'Kama umetuma pesa, hifadhi ujumbe wa mtandao wako na uulize duka kabla ya kulipa tena.',
    ),
    unreached: said(
      'Malipo hayakuthibitishwa',
      'Yalighairiwa, au simu yako haikupatikana. Hakikisha simu imewashwa na ina mtandao, kisha jaribu tena.',
      'Kama umetuma pesa, hifadhi ujumbe wa mtandao wako na uulize duka kabla ya kulipa tena.',
    ),
    expired: said(
      'Muda wa malipo haya umekwisha',
      'Huduma ya malipo imeyafunga bila pesa kulipwa. Unaweza kuanza tena kwa taarifa zilezile.',
      'Kama umetuma pesa, hifadhi ujumbe wa mtandao wako na uulize duka kabla ya kulipa tena.',
    ),
    rejected: said(
      'Malipo hayakuweza kuanza',
      'Hujatozwa chochote. Jaribu tena. Ikitokea tena, liambie duka kumbukumbu namba iliyo hapa chini.',
    ),
    serviceDown: said(
      'Huduma ya malipo haipatikani',
      'Hakuna kilichoanzishwa wala kutozwa. Jaribu tena baada ya dakika moja.',
    ),
  },
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
