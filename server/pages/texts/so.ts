// The pages in Somali.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const somali: PageTexts = {
  language: 'Soomaali',
  languages: 'Luqadda',
  payTitle: 'Ku bixi lacagta mobilka',
  paymentTitle: 'Lacag\u2011bixintaada',
  countryQuestion: 'Dalkee ayaad lacagta ka bixinaysaa?',
  change: 'Beddel',
  next: 'Sii wad',
  amountHint: (min, max) => `Laga bilaabo ${min} ilaa ${max}, jajab la’aan.`,
  bankNone: 'Bangi ma lihi, ama liiska kuma jiro',
  bankHint: 'Waxaa loo qorayaa diiwaanka dukaanka oo keliya. Waxaad ku bixinaysaa lacagta mobilka.',
  phoneHint: 'Lambarka aad lacagta ku bixinayso.',
  known: 'Inta kale dukaanka ayaa na siiyay.',
  toPay: 'Lacagta la bixinayo',
  earlier: 'Goor dhow ayaad halkan lacag\u2011bixin ka bilowday. Haddii aad lacagteeda dirtay, mar labaad ha bixin.',
  earlierLink: 'Eeg meesha ay marayso',
  faults: {
    summary: 'Fadlan tan mar kale hubi:',
    country: 'Dal ka dooro liiska.',
    currency: 'Mar kale dooro dalka.',
    amount: (min, max) => `Qor lacag aan jajab lahayn, ${min} ilaa ${max}.`,
    phone: 'Lambarka taleefanka ku qor tirooyin oo keliya.',
    used:
      'Foomkan waxaa hore loogu bilaabay lacag\u2011bixin xog kale leh. ' +
      'Haddii aad lacagteeda dirtay, mar labaad ha bixin: marka hore eeg lacag\u2011bixintaas. ' +
      'Haddii aadan wax lacag ah dirin, batoonka mar kale riix si aad mid cusub u bilowdo.',
    usedLink: 'Eeg lacag\u2011bixintii hore',
    key: 'Waqtigii foomkan wuu dhammaaday. Wax lacag ah lagaama jarin. Batoonka mar kale riix.',
    confirm: 'Sanduuqa calaamadee haddii aadan wax lacag ah dirin.',
  },
  received: 'Lacag\u2011bixintaadu way soo gaartay',
  newTab: 'wuxuu ku furmayaa tab cusub',
  before: (time) => `Halkaas ka dooro wakiil ka hor ${time}.`,
  checkLater: 'Wax yar sug inta aadan mar kale hubin.',
  asOf: (time) => `Xaaladda saacadda ${time}.`,
  refreshes: 'Boggani iskiis ayuu u eegayaa wixii cusub.',
  pause: 'Jooji eegista',
  paused: 'Boggani hadda iskiis uma eegayo wixii cusub.',
  resume: 'Mar kale bilow eegista',
  keepAddress: 'Boggan waad xiri kartaa. Cinwaankiisa hay si aad ugu soo noqoto.',
  againTitle: 'Bogga lacag\u2011bixintu miyuusan shaqaynayn?',
  againOverdue: 'Miyaadan wax lacag ah dirin?',
  againText:
    'Keliya haddii aadan wax lacag ah dirin ayaad lacag\u2011bixintan joojin kartaa oo aad mar kale bilaabi kartaa.',
  againConfirm: 'Lacag\u2011bixintan wax lacag ah uma aan dirin.',
  againButton: 'Mar kale bilow',
  receipt: {
    purpose: 'Ujeeddada',
    bank: 'Bangiga',
    started: 'Goorta la bilaabay',
    paid: 'Goorta la bixiyay',
    print: 'Boggan hay ama daabac: waa rasiidhkaaga.',
  },
  ends: {
    notFound: said(
      'Cinwaankan lacag\u2011bixin kuma jirto',
      'Linkigu ma dhammaystirna ama mar dambe ma shaqaynayo.',
      'Mar kale ka fur meeshii aad ka heshay, ama dukaanka weydiiso mid cusub.',
    ),
    sessionExpired: said(
      'Waqtigii linkigan wuu dhammaaday',
      'Lacag\u2011bixin cusub laguma bilaabi karo. Wax lacag ah lagaama jarin. Dukaanka weydiiso link cusub.',
    ),
    sessionClosed: said(
      'Linkigan lacag\u2011bixinta waa la xiray',
      'Dukaanka ayaa xiray. Lacag\u2011bixin cusub laguma bilaabi karo. Wax lacag ah lagaama jarin.',
      'Dukaanka weydiiso link cusub.',
    ),
    sessionsOnly: said(
      'Fadlan ka bilow dukaanka',
      'Dukaankani lacagta wuxuu ku qaataa linkiyadiisa lacag\u2011bixinta oo keliya.',
      'Dukaanka ku noqo oo dooro inaad halkaas ka bixiso.',
    ),
    origin: said(
      'Foomkani halkan kama imaan',
      'Ammaankaaga awgiis lama aqbalin. Wax lacag ah lagaama jarin.',
      'Mar kale fur bogga lacag\u2011bixinta oo foomka halkaas ku buuxi.',
    ),
    rateLimited: said(
      'Hadda marar badan ayaa la isku dayay',
      'Wax lacag ah lagaama jarin. Sug hal daqiiqo, kadibna mar kale isku day.',
    ),
    unavailable: said(
      'Hadda lacag\u2011bixin lama bilaabi karo',
      'Wax lacag ah lagaama jarin. Wax yar sug, kadibna dib u noqo oo isla foomkii mar kale dir.',
      'Lacag laba jeer marnaba lagaama jarayo.',
    ),
    marketOff: said(
      'Noocan lacagta ah hadda lama qaadayo',
      'Wax lacag ah lagaama jarin. Mar dambe isku day, ama dukaanka ka dooro si kale oo aad ku bixiso.',
    ),
    noMarkets: said(
      'Halkan weli wax la doorto ma jiraan',
      'Dukaankani hadda lacag ma qaadanayo. Fadlan u sheeg dukaanka.',
    ),
    unreadable: said(
      'Foomka lama akhrin karin',
      'Wax lacag ah lagaama jarin. Dib u noqo, kadibna foomka mar kale dir.',
    ),
    replaces: said(
      'Lacag\u2011bixintan mar dambe lama joojin karo',
      'Intii u dhexaysay wax baa iska beddelay. Lacag\u2011bixinta mar kale eeg inta aadan wax kale samayn.',
    ),
    fault: said(
      'Halkan khalad ayaa ka dhacay',
      'Lacag\u2011bixin mar hore la bilaabay ma lunto. Dib u noqo oo isla foomkii mar kale dir:',
      'lacag laba jeer marnaba lagaama jarayo.',
    ),
  },
  requestId: 'Lambarka khaladka',
  back: 'Ku noqo lacag\u2011bixinta',
}
