// Kinyarwanda: the rare texts; the other phone, the receipt, the help.
// Awaiting native review.
import type { MoreTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: MoreTexts = {
  failedMarket:
    'Ubu umucuruzi ntashobora kwakira ubwishyu muri ubu bwoko bw’amafaranga. Mwongere mugerageze nyuma, cyangwa mubaze umucuruzi.',
  errBusy: 'Abantu benshi barimo kwishyura ubu. Mutegereze umunota, mwongere mugerageze.',
  errDown: 'Ubu serivisi yo kwishyura ntiboneka. Nta mafaranga mwishyujwe. Mwongere mugerageze mu kanya.',
  errOrigin: 'Kwishyura uyu mucuruzi kuri iyi paji ntibirategurwa. Mubimenyeshe umucuruzi.',
  errSession: 'Iyi linki y’ubwishyu ntigikora. Musabe umucuruzi indi nshya.',
  errAttempts: 'Hageragejwe inshuro nyinshi kwishyura iyi komande. Mushobora kongera kugerageza mu minota {minutes}.',
  errUsedUp:
    'Iyi linki y’ubwishyu yageragejwe inshuro nyinshi cyane, ntiyemera ukundi kugerageza. Mwongere mufungure ubwishyu muvuye ku mucuruzi.',
  errPaid: 'Iyi komande yamaze kwishyurwa. Nta kindi gisigaye gukora.',
  errLong: 'Mwandike amazina magufi.',
  errBlocked:
    'Hari ikintu kiri mu nzira ijya ku mucuruzi, urugero akayunguruzo k’umutekano, cyanze iki gisabwe. Nta mafaranga mwishyujwe. Mwongere mugerageze, mukoreshe indi interineti, cyangwa mufungure ipaji y’ubwishyu.',
  unknownText:
    'Interineti yacitse ubwishyu burimo gutegurwa. Turimo kureba uko byagenze, bishobora gufata umunota; ntimuzishyuzwa kabiri.',
  reviewTitle: 'Umucuruzi arimo kugenzura ubu bwishyu',
  reviewText:
    'Hari icyo umuntu agomba kugenzura kuri ubu bwishyu. Ntimwongere kwishyura; mubike nimero iranga ubwishyu.',
  abandonedTitle: 'Uku kugerageza kwafunzwe',
  abandonedText: 'Mushobora gutangira bundi bushya. Amafaranga yabwo aramutse aje nyuma, umucuruzi azabimenyeshwa.',
  lostTitle: 'Ubwishyu ntibwashoboye gufunguka',
  lostText: 'Nta mafaranga mwishyujwe. Mwongere mugerageze.',
  checkLost: 'Iri genzura ntiryageze aho rijya. Ubwishyu burakomeje.',
  lateText: 'Ubwishyu bwatinze kuhagera kuruta uko byari byitezwe.',
  duplicateText:
    'Iyi komande yari yaramaze kwishyurwa. Umucuruzi azabimenyeshwa; mumusabe kubasubiza amafaranga, mumuhe nimero iranga ubwishyu.',
  failedCancelled:
    'Ubwishyu bwahagaritswe, cyangwa telefone ntiyabonetse. Niba amafaranga yavuye kuri konti yanyu, mubwire umucuruzi, mumuhe nimero iranga ubwishyu; niba atavuyeho, mwongere mugerageze.',
  failedFunds:
    'Amafaranga yo kuri konti ntiyari ahagije. Mwongereho andi cyangwa mukoreshe indi nimero, mwongere mugerageze.',
  failedPin:
    'Umu\u2011agent ntiyemeje ubwishyu. Niba amafaranga yavuye kuri konti yanyu, mubwire umucuruzi, mumuhe nimero iranga ubwishyu; niba atavuyeho, mwongere mugerageze.',
  failedUpstream: 'Serivisi yo kwishyura ntiyabonetse. Nta mafaranga mwishyujwe. Mwongere mugerageze mu kanya.',
  expiredText:
    'Iminota 15 yarangiye. Niba amafaranga yavuye kuri konti yanyu, mubwire umucuruzi, mumuhe nimero iranga ubwishyu; niba atavuyeho, mwongere mugerageze.',
  close: 'Gufunga',
  shopName: '',
  shop: 'Aho mwishyuye',
  paidFor: 'Icyo mwishyuriye',
  shareText:
    'Musikane iyi kode na kamera y’indi telefone. Ubu bwishyu nyine ni bwo bufungukira kuri iyo telefone; uko byagenze bizagaragara na hano.',
  shareLocked: 'Mwamaze guhitamo umu\u2011agent? Murangirize kuri telefone mwakoresheje mumuhitamo.',
  shareMessage: 'Mbasabye kwishyura {amount} hano: {url}',
  qrLabel: 'QR code: linki y’ubu bwishyu',
  link: 'Linki y’ubu bwishyu',
  copy: 'Gukopera linki',
  copied: 'Byakopewe',
  copyByHand: 'Mukande ku nyandiko yatoranyijwe mugumisheho urutoki, hanyuma muyikopere.',
  whatsApp: 'WhatsApp',
  share: 'Gusangiza',
  print: 'Gucapa',
  save: 'Kubika nka dosiye',
  saved: 'Byabitswe: murebe muri Downloads.',
  copyText: 'Gukopera nk’inyandiko',
  asText: 'Inyemezabwishyu mu nyandiko',
  inApp:
    'Iyi porogaramu ntishobora gucapa cyangwa kubika dosiye. Mukopere cyangwa musangize inyemezabwishyu, cyangwa mufotore ibigaragara kuri telefone (screenshot).',
  receiptNote: 'Mutange nimero iranga ubwishyu igihe muvuganye n’umucuruzi.',
  operatorAsk: 'Mwishyura mukoresheje iyihe Mobile Money?',
  operatorNone: 'Mobile Money yanyu',
  helpChoose: 'Ku ipaji y’ubwishyu muhitemo {operator} n’umwe mu ba\u2011agent. Baragenzuwe.',
  helpSend:
    'Mwohereze {amount} neza neza, mukoresheje {operator}, kuri nimero igaragara ku ipaji. Ikigo cyanyu cy’itumanaho gishobora gukata ayo kohereza: mube mufite andi make arenzeho kuri konti.',
  helpPin:
    'Mbere yo gushyiramo PIN, mugereranye izina n’amafaranga n’ibiri ku ipaji. PIN yanyu ntimuyibwire umuntu uwo ari we wese, yaba umu\u2011agent cyangwa umucuruzi.',
  helpTell: 'Mubike ubutumwa bwemeza ko mwohereje. Ipaji y’ubwishyu nibibabaza, muvuge kuri yo ko mwishyuye.',
  helpWait: 'Umu\u2011agent aremeza; hanyuma uko byagenze bikagaragara hano.',
  agentTitle: 'Umu\u2011agent ni iki?',
  agentText:
    'Ni ubucuruzi bwagenzuwe bwakira Mobile Money yanyu bukayigeza ku mucuruzi. Mubona izina ryabwo mbere yo kohereza.',
  promptTitle: 'Hari ubusabe buje kuri telefone?',
  promptText:
    'Kuri telefone yanyu hashobora gufunguka akadirishya karimo izina, amafaranga n’aho mushyira PIN. Niba byose bihuye n’ibiri ku ipaji y’ubwishyu, ni bwa bwishyu nyine: mubwemeze, ntimwongere kohereza amafaranga bwa kabiri.',
  promptMtn: 'MTN itegereza igisubizo iminota itanu.',
  noPromptTitle: 'Nta busabe buje, cyangwa bwabuze?',
  noPromptPhone: 'Mufungure telefone, murebe ko ifite rezo.',
  noPromptSim: 'SIM kadi ya nimero yanyu ya Mobile Money igomba kuba iri muri iyo telefone.',
  noPromptMenu: 'Mufunge izindi menu zose z’ikigo cyanyu cy’itumanaho, mwongere mugerageze.',
  noPromptMpesa: 'M-Pesa yakira menu imwe gusa icyarimwe: mutegereze iminota ibiri nyuma y’iheruka.',
  noPromptSelf: 'Si ubwishyu bwose buzana ubusabe. Niba ipaji yerekana nimero, ni mwe ubwanyu mwohereza amafaranga.',
  sentTitle: 'Mwohereje, ariko nta cyo mubona hano?',
  sentText:
    'Umu\u2011agent agomba kubanza kubyemeza; bishobora gufata umwanya. Ntimwongere kohereza amafaranga. Nibitinda, mubwire umucuruzi nimero iranga ubwishyu {reference}, mumwereke n’ubutumwa bw’ikigo cyanyu cy’itumanaho.',
  shareShop: 'Mbasabye kwishyura {amount} kuri {shop}: {url}',
  operator: 'Uburyo bwo kwishyura',
  copyReference: 'Gukopera nimero iranga ubwishyu',
  qrReference: 'Kode QR: nimero iranga ubwishyu',
  support: 'Mufite ikibazo? Muvugane n’umucuruzi:',
  helpPage: 'Ipaji y’ubufasha',
}
