// Swahili: the rare texts, for errors and unusual results.
import type { RareTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: RareTexts = {
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
  unknownText: 'Muunganisho ulikatika wakati malipo yakiandaliwa. Tunafuatilia; hutatozwa mara mbili.',
  reviewTitle: 'Duka linaangalia malipo haya',
  reviewText: 'Malipo haya yanahitaji kuangaliwa na mtu. Usilipe tena; hifadhi kumbukumbu namba.',
  abandonedTitle: 'Malipo haya yameachwa',
  abandonedText: 'Unaweza kuanza upya. Pesa zikifika hata hivyo, duka litaarifiwa.',
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
}
