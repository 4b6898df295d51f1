// The pages in Kirundi.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const kirundi: PageTexts = {
  language: 'Ikirundi',
  languages: 'Ururimi',
  payTitle: 'Kuriha na Mobile Money',
  paymentTitle: 'Ukuriha kwanyu',
  optional: 'si ngombwa',
  countryQuestion: 'Murihira mu gihugu ikihe?',
  country: 'Igihugu',
  change: 'Guhindura',
  next: 'Kubandanya',
  amount: 'Amahera',
  amountHint: (min, max) => `Kuva kuri ${min} gushika kuri ${max}, igitigiri cuzuye.`,
  bank: 'Banki yanyu',
  bankNone: 'Nta banki, canke ntiri ku rutonde',
  bankHint: 'Ni ivyo umudandaza yibikira gusa. Muriha mukoresheje Mobile Money.',
  phone: 'Terefone',
  phoneHint: 'Inomero mukoresha muriha.',
  email: 'Imeyili',
  emailHint: 'Ni ho icemezo co kuriha kizorungikwa. Nimutayandika, icemezo kizoja ku mudandaza.',
  known: 'Ibindi umudandaza yarabiduhaye.',
  toPay: 'Ayo muriha',
  payButton: 'Kuja kuriha',
  payAmount: (amount) => `Kuriha ${amount}`,
  payHint: 'Hakurikira ipaji yo kuriha. Nta mahera muzokurwako mutarabanza kuvyemereza kuri iyo paji.',
  earlier: 'Hari ukuriha mumaze gutangura ngaha. Nimba mwarungitse amahera yakwo, ntimusubire kuriha.',
  earlierLink: 'Kuraba aho bigeze',
  faults: {
    summary: 'Nimusubire murabe ibi:',
    country: 'Nimuhitemwo igihugu ku rutonde.',
    currency: 'Nimusubire muhitemwo igihugu.',
    amount: (min, max) => `Nimwandike igitigiri cuzuye c’amahera, kuva kuri ${min} gushika kuri ${max}.`,
    bank: 'Nimuhitemwo banki ku rutonde, canke ntimugire iyo muhitamwo.',
    name: 'Nimwandike amazina yanyu, n’imiburiburi indome zibiri.',
    nameLong: (most) => `Nimwandike amazina magufi, atarenza indome ${most}.`,
    phone: 'Nimwandike inomero ya terefone mukoresheje ibiharuro gusa.',
    email: 'Nimurabe ko iyi imeyili ari yo.',
    used:
      'Kuri iyi fomu haramaze gutangura ukundi kuriha, aho mwari mwanditse ibindi. ' +
      'Nimba mwarungitse amahera yakwo, ntimusubire kuriha: nimubanze murabe aho bigeze. ' +
      'Nimba ata yo mwarungitse, nimusubire mufyonde kuri buto, mutangure ukundi kuriha.',
    usedLink: 'Kuraba ukuriha kwa mbere',
    key: 'Igihe c’iyi fomu cari caraheze. Nta mahera mwakuweko. Nimusubire mufyonde kuri buto.',
    confirm: 'Nimba ata mahera mwarungitse, nimushire akamenyetso mu gasandugu.',
  },
  states: {
    starting: said(
      'Turategura ukuriha kwanyu',
      'Turiko turaraba nimba serivisi yo kuriha yakiriye uku kuriha. Ntimutangure ukundi.',
      'Ntimuzokurwako amahera kabiri.',
    ),
    open: said(
      'Ukuriha kwanyu kurabarindiriye',
      'Nimwugurure ipaji yo kuriha, mukurikize ivyo ivuga. Maze mugaruke ngaha murabe uko vyagenze.',
      'Nimba mwaramaze kurungika amahera, ntimusubire kuriha.',
    ),
    overdue: said(
      'Biratevye kuruta uko bisanzwe',
      'Nimba mwarungitse amahera, nta kindi musabwa gukora:',
      'turabandanya tubaza serivisi yo kuriha kandi tuzobimenyesha umudandaza, naho mwokwugara iyi paji.',
      'Uko vyagenze ntibiramenyekana.',
    ),
    confirming: said(
      'Turiko turemeza ukuriha kwanyu',
      'Hariho ico serivisi yo kuriha yatumenyesheje. Turindiriye inyishu yayo ya nyuma. Ntimusubire kuriha.',
    ),
    abandoned: said(
      'Uku kuriha kwararetswe',
      'Nta muntu agitegerezwa kurungika amahera yakwo.',
      'Nimba hari ayarungitswe, nayo azoharurwa, kandi umudandaza azobimenyeshwa.',
    ),
    lost: said(
      'Uku kuriha ntikwashoboye kwuguruka',
      'Ipaji yakwo ntiyadushikiriye, ni co gituma ata muntu yashobora kuyirihirako.',
      'Ubu murashobora gutangura bushasha.',
    ),
    orderPaid: said(
      'Iyi komande yaramaze kurihwa',
      'Hari ukundi kuriha kwayo kwagenze neza. Ntimurihe ngaha.',
      'Nimba hari amahera yarungitswe no kuri uku kuriha, umudandaza azobimenyeshwa.',
    ),
    review: said(
      'Hari umuntu ategerezwa gusuzuma uku kuriha',
      'Umudandaza azobimenyeshwa. Ntimusubire kuriha; nimubike inomero iranga ukuriha iri hepfo.',
    ),
    succeeded: said('Amahera yarashitse', 'Murakoze. Umudandaza azobimenyeshwa.'),
    failed: said(
      'Ukuriha ntikwagenze neza',
      'Serivisi yo kuriha yahagaritse uku kuriha. Murashobora gusubira kugerageza.',
      'Nimba mwarungitse amahera, nimubike ubutumwa bw’ishirahamwe ryanyu rya terefone, mubaze umudandaza imbere yo',
      'gusubira kuriha.',
    ),
    unreached: said(
      'Ukuriha ntikwemejwe',
      'Kwarahagaritswe, canke terefone yanyu ntiyabonetse. Nimurabe ko yaka kandi ko ifise rezo, musubire mugerageze.',
      'Nimba mwarungitse amahera, nimubike ubutumwa bw’ishirahamwe ryanyu rya terefone, mubaze umudandaza imbere yo',
      'gusubira kuriha.',
    ),
    expired: said(
      'Igihe c’uku kuriha caraheze',
      'Serivisi yo kuriha yahagaritse uku kuriha ata mahera yarishwe.',
      'Murashobora gutangura bushasha mukoresheje ivyo mwari mwanditse.',
      'Nimba mwarungitse amahera, nimubike ubutumwa bw’ishirahamwe ryanyu rya terefone, mubaze umudandaza imbere yo',
      'gusubira kuriha.',
    ),
    rejected: said(
      'Ukuriha ntikwashoboye gutangura',
      'Nta mahera mwakuweko. Nimusubire mugerageze.',
      'Nibisubira kuba, nimuhe umudandaza inomero iranga ukuriha iri hepfo.',
    ),
    serviceDown: said(
      'Serivisi yo kuriha ntiyabonetse',
      'Nta kuriha kwatanguye kandi nta mahera mwakuweko. Nimusubire mugerageze inyuma y’umunota.',
    ),
  },
  late:
    'Amahera yashitse yatevye, vyari vyaramaze kumenyeshwa ko uku kuriha kwahagaritswe. ' +
    'Ariko araharurwa nk’ayandi.',
  duplicate:
    'Mwarishe kabiri: iyi komande yari yaramaze kurihwa. Umudandaza azobimenyeshwa; nimumusabe abasubize amahera.',
  openButton: 'Kwugurura ipaji yo kuriha',
  newTab: 'yugurukira mu rindi dirisha',
  before: (time) => `Kuri iyo paji nimuhitemwo umu-agent imbere ya ${time}.`,
  checkButton: 'Kuraba ubu nyene',
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
  retryButton: 'Gusubira kugerageza',
  receipt: {
    purpose: 'Ivyo muriha',
    bank: 'Banki',
    reference: 'Inomero iranga ukuriha',
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
