// The pages in Kinyarwanda.
import { said } from './said.ts'
import type { PageTexts } from './en.ts'

export const kinyarwanda: PageTexts = {
  language: 'Ikinyarwanda',
  languages: 'Ururimi',
  payTitle: 'Kwishyura na Mobile Money',
  paymentTitle: 'Ubwishyu bwanyu',
  countryQuestion: 'Mwishyurira mu kihe gihugu?',
  change: 'Guhindura',
  next: 'Gukomeza',
  amountHint: (min, max) => `Kuva kuri ${min} kugeza kuri ${max}, umubare wuzuye.`,
  bankNone: 'Nta banki, cyangwa ntiri ku rutonde',
  bankHint: 'Ni ibyo umucuruzi yibikira gusa. Mwishyura mukoresheje Mobile Money.',
  phoneHint: 'Nimero mukoresha mwishyura.',
  known: 'Ibindi umucuruzi yarabiduhaye.',
  toPay: 'Ayo mwishyura',
  earlier: 'Hari ubwishyu mumaze gutangira hano. Niba mwohereje amafaranga yabwo, ntimwongere kwishyura.',
  earlierLink: 'Kureba aho bugeze',
  faults: {
    summary: 'Mwongere murebe ibi:',
    country: 'Muhitemo igihugu ku rutonde.',
    currency: 'Mwongere muhitemo igihugu.',
    amount: (min, max) => `Mwandike umubare wuzuye w’amafaranga, kuva kuri ${min} kugeza kuri ${max}.`,
    phone: 'Mwandike nimero ya telefone mukoresheje imibare gusa.',
    used:
      'Hari ubwishyu bwamaze gutangirira kuri iyi fomu, burimo amakuru atandukanye n’aya. ' +
      'Niba mwohereje amafaranga yabwo, ntimwongere kwishyura: mubanze murebe aho bugeze. ' +
      'Niba nta yo mwohereje, mwongere mukande buto, mutangire ubundi bwishyu.',
    usedLink: 'Kureba ubwishyu bwa mbere',
    key: 'Igihe cy’iyi fomu cyari cyarangiye. Nta mafaranga mwishyujwe. Mwongere mukande buto.',
    confirm: 'Niba nta mafaranga mwohereje, mushyire akamenyetso mu gasanduku.',
  },
  received: 'Ubwishyu bwahageze',
  newTab: 'ifungukira mu rindi dirishya',
  before: (time) => `Kuri iyo paji muhitemo umu‑agent mbere ya ${time}.`,
  checkLater: 'Mutegereze gato mbere yo kongera kureba.',
  asOf: (time) => `Uko bimeze saa ${time}.`,
  refreshes: 'Iyi paji ubwayo ishaka amakuru mashya.',
  pause: 'Guhagarika kuyashaka',
  paused: 'Ubu iyi paji ubwayo ntishaka amakuru mashya.',
  resume: 'Kongera kuyashaka',
  keepAddress: 'Mushobora gufunga iyi paji. Mubike aderesi yayo kugira ngo muzayigarukeho.',
  againTitle: 'Ipaji y’ubwishyu ntikora?',
  againOverdue: 'Nta mafaranga mwohereje?',
  againText: 'Niba nta mafaranga na make mwohereje, ni bwo gusa mushobora kureka ubu bwishyu mugatangira bundi bushya.',
  againConfirm: 'Nta mafaranga nohereje kuri ubu bwishyu.',
  againButton: 'Gutangira bundi bushya',
  receipt: {
    purpose: 'Icyo mwishyura',
    bank: 'Banki',
    started: 'Byatangiye',
    paid: 'Byishyuwe',
    print: 'Mubike iyi paji, cyangwa muyicape, ibe inyemezabwishyu yanyu.',
  },
  ends: {
    notFound: said(
      'Nta bwishyu buri kuri iyi aderesi',
      'Linki ntiyuzuye cyangwa ntigikora. Mwongere muyifungurire aho mwayikuye, cyangwa musabe umucuruzi indi nshya.',
    ),
    sessionExpired: said(
      'Igihe cy’iyi linki y’ubwishyu cyarangiye',
      'Ntimushobora kuyitangiriraho ubundi bwishyu. Nta mafaranga mwishyujwe. Musabe umucuruzi linki nshya.',
    ),
    sessionClosed: said(
      'Iyi linki y’ubwishyu yarafunzwe',
      'Umucuruzi yarayifunze. Ntimushobora kuyitangiriraho ubundi bwishyu. Nta mafaranga mwishyujwe.',
      'Musabe umucuruzi linki nshya.',
    ),
    sessionsOnly: said(
      'Mutangirire ku mucuruzi',
      'Uyu mucuruzi yakira ubwishyu bunyuze kuri linki ze gusa. Musubire ku mucuruzi, muhitemo kwishyurira aho.',
    ),
    origin: said(
      'Iyi fomu ntiyaturutse hano',
      'Ku bw’umutekano wanyu ntiyakiriwe. Nta mafaranga mwishyujwe.',
      'Mwongere mufungure ipaji y’ubwishyu, mwuzuze fomu iriho.',
    ),
    rateLimited: said(
      'Mumaze kugerageza inshuro nyinshi cyane',
      'Nta mafaranga mwishyujwe. Mutegereze umunota, mwongere mugerageze.',
    ),
    unavailable: said(
      'Ubu ntibishoboka gutangira ubwishyu',
      'Nta mafaranga mwishyujwe. Mutegereze gato, musubire inyuma, mwongere mwohereze ya fomu. Ntimuzishyuzwa kabiri.',
    ),
    marketOff: said(
      'Ubu bwoko bw’amafaranga ntibwakirwa ubu',
      'Nta mafaranga mwishyujwe. Mwongere mugerageze nyuma, cyangwa muhitemo ku mucuruzi ubundi buryo bwo kwishyura.',
    ),
    noMarkets: said('Nta cyo guhitamo kirahari', 'Ubu uyu mucuruzi ntiyakira ubwishyu. Mubimumenyeshe.'),
    unreadable: said('Fomu ntiyashoboye gusomeka', 'Nta mafaranga mwishyujwe. Musubire inyuma, mwongere muyohereze.'),
    replaces: said(
      'Ubu bwishyu ntibugishobora kurekwa',
      'Hagati aho hari icyahindutse. Mwongere murebe uko bumeze mbere yo kugira icyo mukora.',
    ),
    fault: said(
      'Habaye ikibazo hano',
      'Ubwishyu bwamaze gutangira ntibwatakaye. Musubire inyuma, mwongere mwohereze ya fomu: ntimuzishyuzwa kabiri.',
    ),
  },
  requestId: 'Nimero iranga iki kibazo',
  back: 'Gusubira ku bwishyu',
}
