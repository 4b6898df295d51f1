// The pages in Kirundi.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const kirundi: PageTexts = {
  language: 'Ikirundi',
  languages: 'Ururimi',
  payTitle: 'Kuriha na Mobile Money',
  paymentTitle: 'Ukuriha kwanyu',
  countryQuestion: 'Murihira mu gihugu ikihe?',
  change: 'Guhindura',
  next: 'Kubandanya',
  amountHint: (min, max) => `Kuva kuri ${min} gushika kuri ${max}, igitigiri cuzuye.`,
  bankNone: 'Nta banki, canke ntiri ku rutonde',
  bankHint: 'Ni ivyo umudandaza yibikira gusa. Muriha mukoresheje Mobile Money.',
  phoneHint: 'Inomero mukoresha muriha.',
  known: 'Ibindi umudandaza yarabiduhaye.',
  toPay: 'Ayo muriha',
  earlier: 'Hari ukuriha mumaze gutangura ngaha. Nimba mwarungitse amahera yakwo, ntimusubire kuriha.',
  earlierLink: 'Kuraba aho bigeze',
  faults: {
    summary: 'Nimusubire murabe ibi:',
    country: 'Nimuhitemwo igihugu ku rutonde.',
    currency: 'Nimusubire muhitemwo igihugu.',
    amount: (min, max) => `Nimwandike igitigiri cuzuye c’amahera, kuva kuri ${min} gushika kuri ${max}.`,
    phone: 'Nimwandike inomero ya terefone mukoresheje ibiharuro gusa.',
    used:
      'Kuri iyi fomu haramaze gutangura ukundi kuriha, aho mwari mwanditse ibindi. ' +
      'Nimba mwarungitse amahera yakwo, ntimusubire kuriha: nimubanze murabe aho bigeze. ' +
      'Nimba ata yo mwarungitse, nimusubire mufyonde kuri buto, mutangure ukundi kuriha.',
    usedLink: 'Kuraba ukuriha kwa mbere',
    key: 'Igihe c’iyi fomu cari caraheze. Nta mahera mwakuweko. Nimusubire mufyonde kuri buto.',
    confirm: 'Nimba ata mahera mwarungitse, nimushire akamenyetso mu gasandugu.',
  },
  received: 'Amahera yarashitse',
  newTab: 'yugurukira mu rindi dirisha',
  before: (time) => `Kuri iyo paji nimuhitemwo umu‑agent imbere ya ${time}.`,
  checkLater: 'Nimurindire gatoyi imbere yo gusubira kuraba.',
  asOf: (time) => `Uko bimeze isaha ${time}.`,
  refreshes: 'Iyi paji ubwayo irondera amakuru mashasha.',
  pause: 'Guhagarika kuyarondera',
  paused: 'Ubu iyi paji ubwayo ntirondera amakuru mashasha.',
  resume: 'Gusubira kuyarondera',
  keepAddress: 'Murashobora kwugara iyi paji. Nimubike aderesi yayo kugira ngo muyigarukeko.',
  againTitle: 'Ipaji yo kuriha ntikora?',
  againOverdue: 'Nta mahera mwarungitse?',
  againText: 'Nimba ata mahera na makeyi mwarungitse, ni ho gusa mushobora kureka uku kuriha mugatangura bushasha.',
  againConfirm: 'Nta mahera narungitse kuri uku kuriha.',
  againButton: 'Gutangura bushasha',
  receipt: {
    purpose: 'Ivyo muriha',
    bank: 'Banki',
    started: 'Vyatanguye',
    paid: 'Vyarishwe',
    print: 'Nimubike iyi paji, canke muyicapure, ibe icemezo canyu co kuriha.',
  },
  ends: {
    notFound: said(
      'Nta kuriha kuboneka kuri iyi aderesi',
      'Linki ntiyuzuye canke ntigikora. Nimusubire muyugururire aho mwayikuye, canke musabe umudandaza iyindi nshasha.',
    ),
    sessionExpired: said(
      'Igihe c’iyi linki yo kuriha caraheze',
      'Ntimushobora kuyitangurirako ukundi kuriha. Nta mahera mwakuweko. Nimusabe umudandaza linki nshasha.',
    ),
    sessionClosed: said(
      'Iyi linki yo kuriha yarugawe',
      'Umudandaza yarayugaye. Ntimushobora kuyitangurirako ukundi kuriha. Nta mahera mwakuweko.',
      'Nimusabe umudandaza linki nshasha.',
    ),
    sessionsOnly: said(
      'Nimutangurire ku mudandaza',
      'Uyu mudandaza yakira amahera biciye kuri linki ziwe gusa. Nimusubire ku mudandaza, muhitemwo kurihira aho.',
    ),
    origin: said(
      'Iyi fomu ntiyavuye ngaha',
      'Ku bw’umutekano wanyu ntiyakiriwe. Nta mahera mwakuweko.',
      'Nimusubire mwugurure ipaji yo kuriha, mwuzuze fomu iriko.',
    ),
    rateLimited: said(
      'Mumaze kugerageza kenshi cane',
      'Nta mahera mwakuweko. Nimurindire umunota, musubire mugerageze.',
    ),
    unavailable: said(
      'Ubu ntibishoboka gutangura kuriha',
      'Nta mahera mwakuweko. Nimurindire gatoyi, mugaruke inyuma, musubire murungike ya fomu nyene.',
      'Ntimuzokurwako amahera kabiri.',
    ),
    marketOff: said(
      'Ubu bwoko bw’amahera ntibwakirwa ubu',
      'Nta mahera mwakuweko. Nimusubire mugerageze hanyuma, canke muhitemwo ku mudandaza ubundi buryo bwo kuriha.',
    ),
    noMarkets: said('Nta co guhitamwo kirahari', 'Ubu ntibishoboka kuriha uyu mudandaza ngaha. Nimubimumenyeshe.'),
    unreadable: said('Fomu ntiyashoboye gusomeka', 'Nta mahera mwakuweko. Nimugaruke inyuma, musubire muyirungike.'),
    replaces: said(
      'Uku kuriha ntikugishobora kurekwa',
      'Muri ico gihe hari icahindutse. Nimusubire murabe uko bimeze imbere yo kugira ico mukora.',
    ),
    fault: said(
      'Habaye ingorane ngaha',
      'Ukuriha kwamaze gutangura ntikwazimanganye. Nimugaruke inyuma, musubire murungike ya fomu nyene:',
      'ntimuzokurwako amahera kabiri.',
    ),
  },
  requestId: 'Inomero iranga iyi ngorane',
  back: 'Gusubira ku kuriha kwanyu',
}
