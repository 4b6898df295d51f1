// Swahili: the rare texts; the other phone, the receipt, the help.
// Awaiting native review.
import type { MoreTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: MoreTexts = {
  failedMarket: 'Duka haliwezi kupokea sarafu hii kwa sasa. Jaribu baadaye au uliza duka.',
  errBusy: 'Watu wengi wanalipa sasa hivi. Subiri dakika moja ujaribu tena.',
  errDown: 'Huduma ya malipo haipatikani kwa sasa. Hujatozwa chochote. Jaribu tena baada ya muda mfupi.',
  errOrigin: 'Duka hili halijawekwa kupokea malipo kutoka ukurasa huu. Tafadhali lijulishe duka.',
  errSession: 'Kiungo hiki cha malipo hakitumiki tena. Omba kipya kwa duka.',
  errAttempts: 'Kumekuwa na majaribio kadhaa ya kulipia oda hii. Unaweza kujaribu tena baada ya dakika {minutes}.',
  errUsedUp:
    'Kiungo hiki cha malipo kimejaribiwa mara nyingi mno na hakipokei majaribio mengine. Fungua malipo tena kutoka dukani.',
  errPaid: 'Oda hii imeshalipwa. Huhitaji kufanya kitu kingine.',
  errLong: 'Andika jina fupi zaidi.',
  errBlocked:
    'Kuna kitu njiani kuelekea duka kinachokataa ombi hili, kwa mfano kichujio cha usalama. Hujatozwa chochote. Jaribu tena, tumia mtandao mwingine, au fungua ukurasa wa malipo.',
  unknownText:
    'Muunganisho ulikatika wakati malipo yakiandaliwa. Tunafuatilia, inaweza kuchukua hadi dakika moja; hutatozwa mara mbili.',
  reviewTitle: 'Duka linaangalia malipo haya',
  reviewText: 'Malipo haya yanahitaji kuangaliwa na mtu. Usilipe tena; hifadhi kumbukumbu namba.',
  abandonedTitle: 'Jaribio hili limefungwa',
  abandonedText: 'Unaweza kuanza upya. Pesa zikifika hata hivyo, duka litaarifiwa.',
  lostTitle: 'Malipo hayakuweza kufunguliwa',
  lostText: 'Hujatozwa chochote. Jaribu tena.',
  checkLost: 'Ukaguzi huu haukufaulu. Malipo yanaendelea.',
  lateText: 'Yamefika baadaye kuliko ilivyotarajiwa.',
  duplicateText: 'Oda hii ilikuwa imeshalipwa. Duka litaarifiwa; omba kurudishiwa pesa ukitaja kumbukumbu namba.',
  failedCancelled:
    'Malipo yameghairiwa, au simu haikupatikana. Kama pesa zimetoka kwako, wasiliana na duka ukitaja kumbukumbu namba; kama hazijatoka, jaribu tena.',
  failedFunds: 'Pesa hazikutosha kwenye akaunti. Ongeza pesa au tumia namba nyingine, kisha ujaribu tena.',
  failedPin:
    'Wakala hakuthibitisha malipo. Kama pesa zimetoka kwako, wasiliana na duka ukitaja kumbukumbu namba; kama hazijatoka, jaribu tena.',
  failedUpstream: 'Huduma ya malipo haikupatikana. Hujatozwa chochote. Jaribu tena baada ya muda mfupi.',
  expiredText:
    'Dakika 15 zimekwisha. Kama pesa zimetoka kwako, wasiliana na duka ukitaja kumbukumbu namba; kama hazijatoka, jaribu tena.',
  close: 'Funga',
  shopName: '',
  shop: 'Umelipa kwa',
  paidFor: 'Kwa ajili ya',
  shareText:
    'Skani msimbo huu kwa kamera ya simu nyingine. Malipo haya haya yatafunguka huko; matokeo yataonekana hapa pia.',
  shareLocked: 'Umeshachagua wakala? Basi malizia kwenye simu ulikomchagulia.',
  shareMessage: 'Tafadhali lipa {amount} hapa: {url}',
  qrLabel: 'Msimbo wa QR: kiungo cha malipo haya',
  link: 'Kiungo cha malipo haya',
  copy: 'Nakili kiungo',
  copied: 'Imenakiliwa',
  copyByHand: 'Bonyeza na ushikilie maandishi yaliyochaguliwa, kisha uyanakili.',
  whatsApp: 'WhatsApp',
  share: 'Shiriki',
  print: 'Chapisha',
  save: 'Hifadhi faili',
  saved: 'Imehifadhiwa: tazama kwenye vipakuliwa vyako.',
  copyText: 'Nakili maandishi',
  asText: 'Risiti kama maandishi',
  inApp: 'Programu hii haiwezi kuchapisha wala kuhifadhi faili. Nakili au shiriki risiti, au piga picha ya skrini.',
  receiptNote: 'Taja kumbukumbu namba hii ukiwasiliana na duka.',
  operatorAsk: 'Unalipa kwa huduma gani ya pesa za simu?',
  operatorNone: 'huduma yako ya pesa za simu',
  helpChoose: 'Kwenye ukurasa wa malipo chagua {operator} na mmoja wa mawakala. Wamethibitishwa.',
  helpSend:
    'Tuma {amount} kamili kupitia {operator} kwenye namba inayoonyeshwa na ukurasa. Mtandao wako unaweza kukata ada: uwe na salio zaidi kidogo.',
  helpPin:
    'Kabla ya kuweka PIN, linganisha jina na kiasi na vilivyo kwenye ukurasa. Usimwambie mtu PIN yako, si wakala wala duka.',
  helpTell: 'Hifadhi ujumbe wa uthibitisho. Ukurasa wa malipo ukiuliza, sema hapo kwamba umelipa.',
  helpWait: 'Wakala anathibitisha; kisha matokeo yanaonekana hapa.',
  agentTitle: 'Wakala ni nani?',
  agentText:
    'Ni biashara iliyothibitishwa inayopokea pesa zako za simu na kuzifikisha kwa duka. Unaona jina lake kabla ya kutuma.',
  promptTitle: 'Ombi limekuja kwenye simu?',
  promptText:
    'Huenda dirisha likafunguka kwenye simu yako likiwa na jina, kiasi na sehemu ya kuweka PIN. Yote yakilingana na ukurasa wa malipo, ni malipo haya haya: lijibu, na usitume pesa mara ya pili.',
  promptMtn: 'MTN husubiri jibu kwa dakika tano.',
  noPromptTitle: 'Hakuna kilichokuja, au kimepotea?',
  noPromptPhone: 'Fungua simu na uhakikishe ina mtandao.',
  noPromptSim: 'Laini ya namba yako ya pesa za simu lazima iwe kwenye simu hiyo.',
  noPromptMenu: 'Funga menyu nyingine yoyote ya mtandao wako na ujaribu tena.',
  noPromptMpesa: 'M-Pesa huhudumia menyu moja tu kwa wakati mmoja: subiri dakika mbili baada ya ile ya mwisho.',
  noPromptSelf: 'Si kila malipo hutuma ombi. Ukurasa ukionyesha namba, tuma pesa mwenyewe.',
  sentTitle: 'Umetuma, lakini hakuna matokeo hapa?',
  sentText:
    'Wakala lazima athibitishe kwanza; inaweza kuchukua muda. Usitume tena. Ikichukua muda mrefu, liambie duka kumbukumbu namba {reference} na uonyeshe ujumbe wa mtandao wako.',
  shareShop: 'Tafadhali lipa {amount} kwa {shop}: {url}',
  operator: 'Njia ya malipo',
  copyReference: 'Nakili kumbukumbu namba',
  qrReference: 'Msimbo wa QR: kumbukumbu namba ya malipo haya',
  support: 'Una swali? Wasiliana na duka:',
  helpPage: 'Ukurasa wa msaada',
}
