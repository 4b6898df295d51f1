// The pages in Somali.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const somali: PageTexts = {
  language: 'Soomaali',
  languages: 'Luqadda',
  payTitle: 'Ku bixi lacagta mobilka',
  paymentTitle: 'Lacag\u2011bixintaada',
  optional: 'qasab ma aha',
  countryQuestion: 'Dalkee ayaad lacagta ka bixinaysaa?',
  change: 'Beddel',
  next: 'Sii wad',
  amountHint: (min, max) => `Laga bilaabo ${min} ilaa ${max}, jajab la’aan.`,
  bankNone: 'Bangi ma lihi, ama liiska kuma jiro',
  bankHint: 'Waxaa loo qorayaa diiwaanka dukaanka oo keliya. Waxaad ku bixinaysaa lacagta mobilka.',
  phone: 'Lambarka taleefanka',
  phoneHint: 'Lambarka aad lacagta ku bixinayso.',
  email: 'Email',
  emailHint: 'Rasiidhkaaga ayaa laguugu soo dirayaa. Haddii aadan qorin, rasiidhka dukaanka ayaa loo diraa.',
  known: 'Inta kale dukaanka ayaa na siiyay.',
  toPay: 'Lacagta la bixinayo',
  payAmount: (amount) => `Bixi ${amount}`,
  payHint:
    'Marka xigta waxaa furmaya bogga lacag\u2011bixinta. Wax lacag ah lagaama jarayo inta aadan halkaas ka xaqiijin.',
  earlier: 'Goor dhow ayaad halkan lacag\u2011bixin ka bilowday. Haddii aad lacagteeda dirtay, mar labaad ha bixin.',
  earlierLink: 'Eeg meesha ay marayso',
  faults: {
    summary: 'Fadlan tan mar kale hubi:',
    country: 'Dal ka dooro liiska.',
    currency: 'Mar kale dooro dalka.',
    amount: (min, max) => `Qor lacag aan jajab lahayn, ${min} ilaa ${max}.`,
    bank: 'Bangi ka dooro liiska, ama bangi la’aan sii wad.',
    name: 'Qor magacaaga, ugu yaraan laba xaraf.',
    nameLong: (most) => `Qor magac ka gaaban, ugu badnaan ${most} xaraf.`,
    phone: 'Lambarka taleefanka ku qor tirooyin oo keliya.',
    email: 'Email\u2011kani sax uma eka.',
    used:
      'Foomkan waxaa hore loogu bilaabay lacag\u2011bixin xog kale leh. ' +
      'Haddii aad lacagteeda dirtay, mar labaad ha bixin: marka hore eeg lacag\u2011bixintaas. ' +
      'Haddii aadan wax lacag ah dirin, batoonka mar kale riix si aad mid cusub u bilowdo.',
    usedLink: 'Eeg lacag\u2011bixintii hore',
    key: 'Waqtigii foomkan wuu dhammaaday. Wax lacag ah lagaama jarin. Batoonka mar kale riix.',
    confirm: 'Sanduuqa calaamadee haddii aadan wax lacag ah dirin.',
  },
  received: 'Lacag\u2011bixintaadu way soo gaartay',
  states: {
    starting: said(
      'Lacag\u2011bixintaada waan bilaabaynaa',
      'Waxaan hubinaynaa in adeegga lacag\u2011bixintu uu codsigaaga helay iyo in kale.',
      'Fadlan lacag\u2011bixin kale ha bilaabin. Lacag laba jeer lagaama jarayo.',
    ),
    open: said(
      'Lacag\u2011bixintaadu way ku sugaysaa',
      'Fur bogga lacag\u2011bixinta oo raac waxa ku qoran. Kadibna halkan ku soo noqo si aad natiijada u aragto.',
      'Haddii aad lacagta hore u dirtay, mar labaad ha bixin.',
    ),
    overdue: said(
      'Way ka daahday sidii caadiga ahayd',
      'Haddii aad lacagta dirtay, uma baahnid inaad wax samayso:',
      'adeegga lacag\u2011bixinta waan sii weydiinaynaa, dukaankana waan u sheegaynaa, xitaa haddii boggan la xiro.',
      'Natiijada weli lama oga.',
    ),
    confirming: said(
      'Lacag\u2011bixintaada waan xaqiijinaynaa',
      'Adeegga lacag\u2011bixintu wax ayuu soo sheegay. Waxaan sugaynaa jawaabtiisa ugu dambaysa.',
      'Fadlan lacagta mar labaad ha bixin.',
    ),
    abandoned: said(
      'Lacag\u2011bixintan waa la joojiyay',
      'Hadda kadib cidna uma baahna inay bixiso.',
      'Haddiise lacagteeda la diray, waxaa loo tirinayaa in la bixiyay, dukaankana waa loo sheegayaa.',
    ),
    lost: said(
      'Lacag\u2011bixintan lama furi karin',
      'Bogga lacag\u2011bixintu nama soo gaarin, sidaas darteed cidna halkaas lacag kama bixin karin.',
      'Hadda waad bilaabi kartaa mar kale.',
    ),
    orderPaid: said(
      'Lacagta dalabkan mar hore ayaa la bixiyay',
      'Lacag\u2011bixin kale oo dalabkan loo sameeyay ayaa guulaysatay. Fadlan halkan lacag ha ka bixin.',
      'Haddii tanna lacag loo diray, dukaanka waa loo sheegayaa.',
    ),
    review: said(
      'Lacag\u2011bixintan waa in qof uu hubiyo',
      'Dukaanka waa loo sheegayaa. Fadlan lacagta mar labaad ha bixin; hay lambarka tixraaca ee hoose.',
    ),
    failed: said(
      'Lacag\u2011bixintu ma guulaysan',
      'Adeegga lacag\u2011bixintu wuu xiray lacag\u2011bixintan. Waad isku dayi kartaa mar kale.',
      'Haddii aad lacag dirtay, hay farriinta shirkaddaada, dukaankana weydii inta aadan mar kale bixin.',
    ),
    unreached: said(
      'Lacag\u2011bixinta lama xaqiijin',
      'Waa la kansalay, ama taleefankaaga lama heli karin.',
      'Hubi inuu shidan yahay oo khad leeyahay, kadibna mar kale isku day.',
      'Haddii aad lacag dirtay, hay farriinta shirkaddaada, dukaankana weydii inta aadan mar kale bixin.',
    ),
    expired: said(
      'Waqtigii lacag\u2011bixintan wuu dhammaaday',
      'Adeegga lacag\u2011bixintu wuu xiray lacag\u2011bixintan iyadoo aan lacag la bixin.',
      'Isla xogtii ayaad mar kale ku bilaabi kartaa.',
      'Haddii aad lacag dirtay, hay farriinta shirkaddaada, dukaankana weydii inta aadan mar kale bixin.',
    ),
    rejected: said(
      'Lacag\u2011bixinta lama bilaabi karin',
      'Wax lacag ah lagaama jarin. Mar kale isku day.',
      'Haddii ay mar kale dhacdo, dukaanka u sheeg lambarka tixraaca ee hoose.',
    ),
    serviceDown: said(
      'Adeegga lacag\u2011bixinta lama gaari karo',
      'Lacag\u2011bixin lama bilaabin, wax lacag ahna lagaama jarin. Hal daqiiqo kadib mar kale isku day.',
    ),
  },
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
