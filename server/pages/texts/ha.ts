// The pages in Hausa.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const hausa: PageTexts = {
  language: 'Hausa',
  languages: 'Harshe',
  payTitle: 'Biya da mobile money',
  paymentTitle: 'Biyan kuɗinku',
  countryQuestion: 'Daga wace ƙasa kuke biya?',
  change: 'Canza',
  next: 'Ci gaba',
  amountHint: (min, max) => `Daga ${min} zuwa ${max}, cikakken adadi.`,
  bankNone: 'Babu banki, ko ba ya cikin jerin',
  bankHint: 'Don bayanan mai shago ne kawai. Da mobile money kuke biya.',
  phoneHint: 'Lambar da kuke biya da ita.',
  known: 'Mai shago ya riga ya ba mu sauran bayanan.',
  toPay: 'Abin da za ku biya',
  earlier: 'Kun fara wani biyan kuɗi a nan yanzun nan. Idan kun riga kun tura kuɗinsa, kada ku sake biya.',
  earlierLink: 'Duba halin da yake ciki',
  faults: {
    summary: 'Ku sake duba wannan:',
    country: 'Ku zaɓi ƙasa daga jerin.',
    currency: 'Ku sake zaɓar ƙasa.',
    amount: (min, max) => `Ku rubuta cikakken adadi daga ${min} zuwa ${max}.`,
    phone: 'Ku rubuta lambar waya da lambobi kawai.',
    used:
      'An riga an fara wani biyan kuɗi da wannan fom ɗin, da wasu bayanai dabam. ' +
      'Idan kun tura kuɗinsa, kada ku sake biya: ku duba shi tukuna. ' +
      'Idan ba ku tura ba, ku sake danna maɓallin don fara sabo.',
    usedLink: 'Duba biyan kuɗi na farko',
    key: 'Lokacin wannan fom ɗin ya riga ya ƙare. Ba a cire kuɗi ba. Ku sake danna maɓallin.',
    confirm: 'Idan ba ku tura kuɗi ba, ku sa alama a akwatin.',
  },
  received: 'Kuɗinku sun shiga',
  newTab: 'zai buɗe a sabuwar taga',
  before: (time) => `A can ku zaɓi wakili kafin ${time}.`,
  checkLater: 'Ku ɗan jira kafin ku sake dubawa.',
  asOf: (time) => `Yadda yake da ƙarfe ${time}.`,
  refreshes: 'Wannan shafin yana duba sabon bayani da kansa.',
  pause: 'Dakatar da dubawa',
  paused: 'Yanzu wannan shafin ba ya duba sabon bayani da kansa.',
  resume: 'Ci gaba da dubawa',
  keepAddress: 'Kuna iya rufe wannan shafin. Ku ajiye adireshinsa don ku dawo.',
  againTitle: 'Shafin biya ba ya aiki?',
  againOverdue: 'Ba ku tura kuɗi ba?',
  againText: 'Sai idan ba ku tura kuɗi ko kaɗan ba ne za ku iya haƙura da wannan biyan kuɗi, ku sake farawa.',
  againConfirm: 'Ban tura kuɗi don wannan biyan kuɗi ba.',
  againButton: 'Sake farawa',
  receipt: {
    purpose: 'Dalilin biya',
    bank: 'Banki',
    started: 'An fara',
    paid: 'An biya',
    print: 'Ku ajiye wannan shafin, ko ku buga shi a takarda, a matsayin rasitinku.',
  },
  ends: {
    notFound: said(
      'Babu biyan kuɗi a wannan adireshin',
      'Link ɗin bai cika ba, ko ya daina aiki.',
      'Ku sake buɗe shi daga inda kuka same shi, ko ku nemi sabo wurin mai shago.',
    ),
    sessionExpired: said(
      'Lokacin wannan link ɗin biya ya ƙare',
      'Ba za a iya fara sabon biyan kuɗi da shi ba. Ba a cire kuɗi ba. Ku nemi sabon link wurin mai shago.',
    ),
    sessionClosed: said(
      'An rufe wannan link ɗin biya',
      'Shagon ya rufe shi. Ba za a iya fara sabon biyan kuɗi da shi ba. Ba a cire kuɗi ba.',
      'Ku nemi sabon link wurin mai shago.',
    ),
    sessionsOnly: said(
      'Ku fara daga shagon',
      'Wannan shagon yana karɓar biya ta link ɗinsa kawai. Ku koma shagon, ku zaɓi biya a can.',
    ),
    origin: said(
      'Wannan fom ɗin bai fito daga nan ba',
      'Don tsaronku ba a karɓe shi ba. Ba a cire kuɗi ba. Ku sake buɗe shafin biya, ku cike fom ɗin a can.',
    ),
    rateLimited: said('An gwada fiye da kima yanzu', 'Ba a cire kuɗi ba. Ku jira minti ɗaya, sannan ku sake gwadawa.'),
    unavailable: said(
      'Ba za a iya fara biya yanzu ba',
      'Ba a cire kuɗi ba. Ku ɗan jira, sannan ku koma baya, ku sake aika wannan fom ɗin.',
      'Ba za a cire muku kuɗi sau biyu ba.',
    ),
    marketOff: said(
      'Ba a karɓar irin wannan kuɗin yanzu',
      'Ba a cire kuɗi ba. Ku sake gwadawa anjima, ko ku zaɓi wata hanyar biya a shagon.',
    ),
    noMarkets: said('Babu abin zaɓi a nan tukuna', 'Wannan shagon ba ya karɓar biya yanzu. Ku sanar da mai shago.'),
    unreadable: said('An kasa karanta fom ɗin', 'Ba a cire kuɗi ba. Ku koma baya, sannan ku sake aika shi.'),
    replaces: said(
      'Ba za a iya haƙura da wannan biyan kuɗi yanzu ba',
      'Wani abu ya riga ya faru da shi. Ku sake duba shi kafin ku yi komai.',
    ),
    fault: said(
      'An samu matsala a nan',
      'Biyan kuɗin da aka riga aka fara bai ɓace ba. Ku koma baya, ku sake aika wannan fom ɗin:',
      'ba za a cire muku kuɗi sau biyu ba.',
    ),
  },
  requestId: 'Lambar wannan matsala',
  back: 'Koma ga biyan kuɗin',
}
