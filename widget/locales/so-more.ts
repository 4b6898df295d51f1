// Somali: the rare texts; the other phone, the receipt, the help.
// Awaiting native review.
import type { MoreTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: MoreTexts = {
  failedMarket: 'Dukaanku hadda ma qaadan karo noocan lacagta ah. Mar dambe isku day ama dukaanka weydii.',
  errBusy: 'Dad badan ayaa hadda lacag bixinaya. Sug hal daqiiqo, kadibna mar kale isku day.',
  errDown:
    'Adeegga lacag\u2011bixinta hadda lama gaari karo. Wax lacag ah lagaama jarin. Wax yar kadib mar kale isku day.',
  errOrigin: 'Dukaankan looma diyaarin inuu lacag ku qaato boggan. Fadlan u sheeg dukaanka.',
  errSession: 'Linkigan lacag\u2011bixintu mar dambe ma shaqaynayo. Dukaanka weydiiso mid cusub.',
  errAttempts:
    'Dhowr jeer ayaa la isku dayay in lacagta dalabkan la bixiyo. Waxaad mar kale isku dayi kartaa {minutes} daqiiqo kadib.',
  errUsedUp:
    'Linkigan lacag\u2011bixinta marar badan ayaa la isku dayay, mana aqbalayo isku day kale. Lacag\u2011bixinta mar kale ka fur dukaanka.',
  errPaid: 'Lacagta dalabkan mar hore ayaa la bixiyay. Wax kale looma baahna.',
  errLong: 'Qor magac ka gaaban.',
  errBlocked:
    'Wax ku jira jidka dukaanka, tusaale shaandho amni, ayaa diiday codsigan. Wax lacag ah lagaama jarin. Mar kale isku day, isticmaal internet kale, ama fur bogga lacag\u2011bixinta.',
  unknownText:
    'Xiriirkii ayaa go’ay intii lacag\u2011bixinta la diyaarinayay. Waan hubinaynaa, waxay qaadan kartaa ilaa hal daqiiqo; lacag laba jeer lagaama jarayo.',
  reviewTitle: 'Dukaanka ayaa lacag\u2011bixintan hubinaya',
  reviewText: 'Lacag\u2011bixintan waa in qof uu hubiyo. Lacagta mar labaad ha bixin; hay lambarka tixraaca.',
  abandonedTitle: 'Isku daygan waa la xiray',
  abandonedText: 'Waad bilaabi kartaa mar kale. Haddiise ay lacagteedu timaado, dukaanka waa loo sheegi doonaa.',
  lostTitle: 'Lacag\u2011bixinta lama furi karin',
  lostText: 'Wax lacag ah lagaama jarin. Mar kale isku day.',
  checkLost: 'Hubintani ma gudbin. Lacag\u2011bixintu way socotaa.',
  lateText: 'Waxay soo gaartay waqtigii la filayay kadib.',
  duplicateText:
    'Lacagta dalabkan mar hore ayaa la bixiyay. Dukaanka waa loo sheegayaa; weydiiso lacag\u2011celin, una sheeg lambarka tixraaca.',
  failedCancelled:
    'Lacag\u2011bixinta waa la kansalay, ama taleefanka lama heli karin. Haddii lacag laga jaray xisaabtaada, la xiriir dukaanka oo sheeg lambarka tixraaca; haddii aan waxba lagaa jarin, mar kale isku day.',
  failedFunds:
    'Xisaabta lacag ku filan kuma jirin. Lacag ku shubo ama lambar kale isticmaal, kadibna mar kale isku day.',
  failedPin:
    'Wakiilku lacag\u2011bixinta ma xaqiijin. Haddii lacag laga jaray xisaabtaada, la xiriir dukaanka oo sheeg lambarka tixraaca; haddii aan waxba lagaa jarin, mar kale isku day.',
  failedUpstream:
    'Adeegga lacag\u2011bixinta lama gaari karin. Wax lacag ah lagaama jarin. Wax yar kadib mar kale isku day.',
  expiredText:
    '15kii daqiiqo way dhammaadeen. Haddii lacag laga jaray xisaabtaada, la xiriir dukaanka oo sheeg lambarka tixraaca; haddii aan waxba lagaa jarin, mar kale isku day.',
  close: 'Xir',
  shopName: '',
  shop: 'Dukaanka',
  paidFor: 'Ujeeddada',
  shareText:
    'Koodkan ku iskaan garee kaamirada taleefanka kale. Isla lacag\u2011bixintan ayaa halkaas ka furmaysa; natiijadeeda halkanna waad ka arki doontaa.',
  shareLocked: 'Hore ma u dooratay wakiil? Haddaba ku dhammee taleefankii aad ka dooratay.',
  shareMessage: 'Fadlan {amount} halkan ka bixi: {url}',
  qrLabel: 'QR code: linkiga lacag\u2011bixintan',
  link: 'Linkiga lacag\u2011bixintan',
  copy: 'Koobiyee linkiga',
  copied: 'Waa la koobiyeeyay',
  copyByHand: 'Farta ku hay qoraalka la calaamadeeyay, kadibna koobiyee.',
  whatsApp: 'WhatsApp',
  share: 'La wadaag',
  print: 'Daabac',
  save: 'U kaydi fayl ahaan',
  saved: 'Waa la kaydiyay: ka eeg Downloads.',
  copyText: 'U koobiyee qoraal ahaan',
  asText: 'Rasiidhka oo qoraal ah',
  inApp:
    'App\u2011kani wax ma daabici karo, faylna ma kaydin karo. Koobiyee ama la wadaag rasiidhka, ama shaashadda sawir ka qaad.',
  receiptNote: 'Sheeg lambarka tixraaca haddii aad dukaanka la xiriirto.',
  operatorAsk: 'Adeeggee ayaad lacagta ku bixinaysaa?',
  operatorNone: 'adeeggaaga lacagta mobilka',
  helpChoose:
    'Bogga lacag\u2011bixinta ka dooro {operator} iyo mid ka mid ah wakiillada. Wakiilladu waa kuwo la xaqiijiyay.',
  helpSend:
    'Adigoo isticmaalaya {operator}, lambarka bogga ka muuqda u dir {amount}: wax ha ku darin, waxna ha ka dhimin. Shirkaddaadu khidmad way kaa jari kartaa: xisaabta ku hay wax yar oo dheeraad ah.',
  helpPin:
    'Inta aadan PIN\u2011kaaga (lambarka sirta ah) gelin, hubi in magaca iyo lacagtu la mid yihiin kuwa ku qoran bogga lacag\u2011bixinta. PIN\u2011kaaga cidna ha u sheegin, wakiilka iyo dukaanka toona.',
  helpTell:
    'Farriinta xaqiijinta ha tirtirin. Haddii bogga lacag\u2011bixintu ku weydiiyo, halkaas ka sheeg inaad bixisay.',
  helpWait: 'Wakiilku wuu xaqiijinayaa; kadibna natiijadu halkan ayay ka soo muuqanaysaa.',
  agentTitle: 'Waa maxay wakiil?',
  agentText:
    'Waa ganacsi la xaqiijiyay oo qaata lacagtaada mobilka, kuna wareejiya dukaanka. Magaciisa ayaad aragtaa inta aadan dirin.',
  promptTitle: 'Taleefanka codsi ma ku yimid?',
  promptText:
    'Waxaa laga yaabaa in taleefankaaga uu ku soo baxo codsi leh magac, lacag iyo meel PIN\u2011ka la geliyo. Haddii wax walba ay la mid yihiin waxa ku qoran bogga lacag\u2011bixinta, waa isla lacag\u2011bixintii: ka jawaab codsiga, lacagtana mar labaad ha dirin.',
  promptMtn: 'MTN waxay jawaabta sugtaa shan daqiiqo.',
  noPromptTitle: 'Waxba ma iman, mise wuu lumay?',
  noPromptPhone: 'Fur qufulka taleefanka oo hubi inuu khad leeyahay.',
  noPromptSim: 'SIM\u2011ka lambarkaaga lacagta mobilka waa inuu ku jiraa taleefankaas.',
  noPromptMenu: 'Xir menu kasta oo kale oo shirkaddaadu leedahay, kadibna mar kale isku day.',
  noPromptMpesa:
    'M-Pesa markiiba hal menu oo keliya ayay ku shaqaysaa: sug laba daqiiqo menu\u2011gii ugu dambeeyay kadib.',
  noPromptSelf: 'Mararka qaar codsi ma yimaado. Haddii boggu lambar ku tuso, adiga ayaa lacagta diraya.',
  sentTitle: 'Waad dirtay, laakiin natiijo halkan kama muuqato?',
  sentText:
    'Wakiilku waa inuu marka hore xaqiijiyo; taasi waqti way qaadan kartaa. Lacagta mar labaad ha dirin. Haddii ay daahdo, dukaanka u sheeg lambarka tixraaca {reference} oo tus farriintii shirkaddaada.',
  shareShop: 'Fadlan {amount} u bixi {shop}: {url}',
  operator: 'Habka lacag\u2011bixinta',
  copyReference: 'Koobiyee lambarka tixraaca',
  qrReference: 'Koodhka QR: lambarka tixraaca ee lacag\u2011bixintan',
  support: 'Su’aal ma qabtaa? La xiriir dukaanka:',
  helpPage: 'Bogga caawimaadda',
}
