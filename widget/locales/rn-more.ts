// Kirundi: the rare texts; the other phone, the receipt, the help.
// Awaiting native review.
import type { MoreTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: MoreTexts = {
  failedMarket:
    'Ubu umudandaza ntashobora kwakira ubu bwoko bw’amahera. Nimusubire mugerageze hanyuma, canke mubaze umudandaza.',
  errBusy: 'Abantu benshi bariko barariha ubu. Nimurindire umunota, musubire mugerageze.',
  errDown: 'Ubu serivisi yo kuriha ntiboneka. Nta mahera mwakuweko. Nimusubire mugerageze mu kanya.',
  errOrigin: 'Kuriha uyu mudandaza kuri iyi paji ntibiratunganywa. Nimubimenyeshe umudandaza.',
  errSession: 'Iyi linki yo kuriha ntigikora. Nimusabe umudandaza iyindi nshasha.',
  errAttempts: 'Hageragejwe incuro nyinshi kuriha iyi komande. Murashobora gusubira kugerageza mu minota {minutes}.',
  errUsedUp:
    'Iyi linki yo kuriha yageragejwe incuro nyinshi cane, ntiyemera ukundi kugerageza. Nimusubire mwugurure uburyo bwo kuriha muvuye ku mudandaza.',
  errPaid: 'Iyi komande yaramaze kurihwa. Nta kindi gisigaye gukora.',
  errLong: 'Nimwandike amazina magufi.',
  errBlocked:
    'Hari ikintu kiri mu nzira ija ku mudandaza, nk’akayungiro k’umutekano, canse iki gisabo. Nta mahera mwakuweko. Nimusubire mugerageze, mukoreshe iyindi internet, canke mwugurure ipaji yo kuriha.',
  unknownText:
    'Internet yacitse ukuriha kuriko kurategurwa. Turiko turaraba uko vyagenze, bishobora kumara umunota; ntimuzokurwako amahera kabiri.',
  reviewTitle: 'Umudandaza ariko arasuzuma uku kuriha',
  reviewText:
    'Hariho ico umuntu ategerezwa gusuzuma kuri uku kuriha. Ntimusubire kuriha; nimubike inomero iranga ukuriha.',
  abandonedTitle: 'Uku kugerageza kwugawe',
  abandonedText: 'Murashobora gutangura bushasha. Amahera yakwo niyashika hanyuma, umudandaza azobimenyeshwa.',
  lostTitle: 'Ukuriha ntikwashoboye kwuguruka',
  lostText: 'Nta mahera mwakuweko. Nimusubire mugerageze.',
  checkLost: 'Iri suzuma ntiryashitse. Ukuriha kurabandanya.',
  lateText: 'Amahera yatevye gushika kuruta uko vyari vyitezwe.',
  duplicateText:
    'Iyi komande yari yaramaze kurihwa. Umudandaza azobimenyeshwa; nimumusabe abasubize amahera, mumuhe inomero iranga ukuriha.',
  failedCancelled:
    'Ukuriha kwarahagaritswe, canke terefone ntiyabonetse. Nimba amahera yavuye kuri konte yanyu, nimubwire umudandaza, mumuhe inomero iranga ukuriha; nimba atavuyeko, musubire mugerageze.',
  failedFunds:
    'Amahera yari kuri konte ntiyari ahagije. Nimwongereko ayandi canke mukoreshe iyindi nomero, musubire mugerageze.',
  failedPin:
    'Umu\u2011agent ntiyemeje ukuriha. Nimba amahera yavuye kuri konte yanyu, nimubwire umudandaza, mumuhe inomero iranga ukuriha; nimba atavuyeko, musubire mugerageze.',
  failedUpstream: 'Serivisi yo kuriha ntiyabonetse. Nta mahera mwakuweko. Nimusubire mugerageze mu kanya.',
  expiredText:
    'Iminota 15 yaraheze. Nimba amahera yavuye kuri konte yanyu, nimubwire umudandaza, mumuhe inomero iranga ukuriha; nimba atavuyeko, musubire mugerageze.',
  close: 'Kwugara',
  shopName: '',
  shop: 'Aho mwarihiye',
  paidFor: 'Ivyo mwarihiye',
  shareText:
    'Nimusikane iyi kode na kamera y’iyindi terefone. Uku kuriha nyene kuzokwuguruka kuri iyo terefone; uko vyagenze bizoboneka na ngaha.',
  shareLocked: 'Mwaramaze guhitamwo umu\u2011agent? Nimurangirize kuri terefone mwakoresheje mumuhitamwo.',
  shareMessage: 'Ndabasavye kuriha {amount} ngaha: {url}',
  qrLabel: 'QR code: linki y’uku kuriha',
  link: 'Linki y’uku kuriha',
  copy: 'Kwandukura linki',
  copied: 'Vyandukuwe',
  copyByHand: 'Nimufyonde ku majambo yatoranijwe mugumizeko urutoke, maze muyandukure.',
  whatsApp: 'WhatsApp',
  share: 'Gusabikanya',
  print: 'Gucapura',
  save: 'Kubika nka dosiye',
  saved: 'Vyabitswe: nimurabe muri Downloads (Téléchargements).',
  copyText: 'Kwandukura nk’amajambo',
  asText: 'Icemezo co kuriha mu majambo',
  inApp:
    'Iyi porogaramu ntishobora gucapura canke kubika dosiye. Nimwandukure canke musabikanye icemezo co kuriha, canke mufotore ibiboneka kuri terefone (screenshot).',
  receiptNote: 'Nimutange inomero iranga ukuriha igihe muvuganye n’umudandaza.',
  operatorAsk: 'Muriha mukoresheje Mobile Money iyihe?',
  operatorNone: 'Mobile Money yanyu',
  helpChoose: 'Ku ipaji yo kuriha nimuhitemwo {operator} n’umwe mu ba\u2011agent. Barasuzumwe.',
  helpSend:
    'Nimurungike neza na neza {amount}, mukoresheje {operator}, ku nomero iboneka ku ipaji. Ishirahamwe ryanyu rya terefone rishobora gukata ayo kurungika: mube mufise ayandi makeyi arengako kuri konte.',
  helpPin:
    'Imbere yo gushiramwo PIN, nimugereranye izina n’amahera n’ibiri ku ipaji. PIN yanyu ntimuyibwire umuntu n’umwe, naho yoba umu\u2011agent canke umudandaza.',
  helpTell: 'Nimubike ubutumwa bwemeza ko mwarungitse. Ipaji yo kuriha nibibabaza, muvuge kuri yo ko mwarishe.',
  helpWait: 'Umu\u2011agent aremeza; maze uko vyagenze bikaboneka ngaha.',
  agentTitle: 'Umu\u2011agent ni iki?',
  agentText:
    'Ni urudandaza rwasuzumwe rwakira Mobile Money yanyu rukayishikiriza umudandaza. Mubona izina ryarwo imbere yo kurungika.',
  promptTitle: 'Terefone ibasavye kwemeza?',
  promptText:
    'Kuri terefone yanyu hoshobora kwuguruka akadirisha karimwo izina, amahera n’aho mushira PIN. Nimba vyose bihuye n’ibiri ku ipaji yo kuriha, ni kwa kuriha nyene: nimuvyemeze, ntimusubire kurungika amahera ubugira kabiri.',
  promptMtn: 'MTN irindira inyishu iminota itanu.',
  noPromptTitle: 'Nta caje, canke cazimanganye?',
  noPromptPhone: 'Nimwugurure terefone, murabe ko ifise rezo.',
  noPromptSim: 'SIM y’inomero yanyu ya Mobile Money itegerezwa kuba iri muri iyo terefone.',
  noPromptMenu: 'Nimwugare izindi menu zose z’ishirahamwe ryanyu rya terefone, musubire mugerageze.',
  noPromptMpesa: 'M-Pesa yakira menu imwe gusa icarimwe: nimurindire iminota ibiri inyuma y’iyaheruka.',
  noPromptSelf:
    'Si ukuriha kwose gutuma terefone ibasaba kwemeza. Nimba ipaji yerekana inomero, ni mwebwe nyene murungika amahera.',
  sentTitle: 'Mwarungitse, ariko nta co mubona ngaha?',
  sentText:
    'Umu\u2011agent ategerezwa kubanza kuvyemeza; birashobora gufata umwanya. Ntimusubire kurungika amahera. Nibiteba, nimubwire umudandaza inomero iranga ukuriha {reference}, mumwereke n’ubutumwa bw’ishirahamwe ryanyu rya terefone.',
  shareShop: 'Ndabasavye kuriha {amount} kuri {shop}: {url}',
  operator: 'Uburyo bwo kuriha',
  copyReference: 'Kwandukura inomero iranga ukuriha',
  qrReference: 'Kode QR: inomero iranga ukuriha',
  support: 'Mufise ikibazo? Nimuvugane n’umudandaza:',
  helpPage: 'Ipaji y’ubufasha',
}
