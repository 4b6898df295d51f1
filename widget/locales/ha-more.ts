// Hausa: the rare texts; the other phone, the receipt, the help.
// Awaiting native review.
import type { MoreTexts } from './texts.ts'

export { failures, problems } from './by-code.ts'

export const texts: MoreTexts = {
  failedMarket:
    'Mai shago ba zai iya karɓar irin wannan kuɗin ba yanzu. Ku sake gwadawa anjima, ko ku tambayi mai shago.',
  errBusy: 'Mutane da yawa suna biya yanzu. Ku jira minti ɗaya, sannan ku sake gwadawa.',
  errDown: 'Ba a samun sabis ɗin biya yanzu. Ba a cire muku kuɗi ba. Ku sake gwadawa anjima kaɗan.',
  errOrigin: 'Ba a shirya wannan shago don karɓar biya daga wannan shafin ba. Ku sanar da mai shago.',
  errSession: 'Link ɗin wannan biyan kuɗi ya daina aiki. Ku nemi sabo wurin mai shago.',
  errAttempts: 'An yi ƙoƙari da yawa na biyan kuɗin wannan oda. Kuna iya sake gwadawa bayan minti {minutes}.',
  errUsedUp:
    'An gwada wannan link ɗin biyan kuɗi fiye da kima, ba zai ƙara karɓar wani ƙoƙari ba. Ku sake buɗe biyan kuɗin daga shago.',
  errPaid: 'An riga an biya kuɗin wannan oda. Babu abin da ya rage ku yi.',
  errLong: 'Ku rubuta gajeren suna.',
  errBlocked:
    'Wani abu a kan hanyar zuwa shagon, misali matatar tsaro, ya ƙi wannan buƙata. Ba a cire muku kuɗi ba. Ku sake gwadawa, ku yi amfani da wata hanyar intanet, ko ku buɗe shafin biya.',
  unknownText:
    'Intanet ya katse yayin shirya biyan kuɗin. Muna bincikawa, zai iya kai minti ɗaya; ba za a cire muku kuɗi sau biyu ba.',
  reviewTitle: 'Mai shago yana duba wannan biyan kuɗi',
  reviewText: 'Akwai abin da sai mutum ya duba a wannan biyan kuɗi. Kada ku sake biya; ku ajiye lambar ma’amala.',
  abandonedTitle: 'An rufe wannan ƙoƙarin',
  abandonedText: 'Kuna iya sake farawa. Idan kuɗin sun shigo duk da haka, za a sanar da mai shago.',
  lostTitle: 'Ba a iya buɗe biyan kuɗin ba',
  lostText: 'Ba a cire muku kuɗi ba. Ku sake gwadawa.',
  checkLost: 'Wannan binciken bai isa ba. Biyan kuɗin yana ci gaba.',
  lateText: 'Kuɗin sun shiga a makare.',
  duplicateText:
    'An riga an biya kuɗin wannan oda tun da farko. Za a sanar da mai shago; ku nemi ya mayar muku da kuɗin, ku ba shi lambar ma’amala.',
  failedCancelled:
    'An soke biyan kuɗin, ko ba a samu wayar ba. Idan kuɗi sun fita daga asusunku, ku tuntuɓi mai shago da lambar ma’amala; idan ba su fita ba, ku sake gwadawa.',
  failedFunds: 'Kuɗin da ke asusun ba su isa ba. Ku ƙara kuɗi ko ku yi amfani da wata lamba, sannan ku sake gwadawa.',
  failedPin:
    'Wakili bai tabbatar da biyan kuɗin ba. Idan kuɗi sun fita daga asusunku, ku tuntuɓi mai shago da lambar ma’amala; idan ba su fita ba, ku sake gwadawa.',
  failedUpstream: 'Ba a samu sabis ɗin biya ba. Ba a cire muku kuɗi ba. Ku sake gwadawa anjima kaɗan.',
  expiredText:
    'Minti 15 sun ƙare. Idan kuɗi sun fita daga asusunku, ku tuntuɓi mai shago da lambar ma’amala; idan ba su fita ba, ku sake gwadawa.',
  close: 'Rufe',
  shopName: '',
  shop: 'Inda aka biya',
  paidFor: 'Dalilin biya',
  shareText:
    'Ku yi scan ɗin wannan QR code da kyamarar ɗayar wayar. Wannan biyan kuɗin ne zai buɗe a can; sakamakon zai bayyana a nan ma.',
  shareLocked: 'Kun riga kun zaɓi wakili? To, ku ƙarasa a wayar da kuka yi zaɓin da ita.',
  shareMessage: 'Don Allah ku biya {amount} a nan: {url}',
  qrLabel: 'QR code: link ɗin wannan biyan kuɗi',
  link: 'Link ɗin wannan biyan kuɗi',
  copy: 'Kwafi link',
  copied: 'An kwafi',
  copyByHand: 'Ku danna rubutun da aka yi wa alama, ku riƙe shi, sannan ku kwafe shi.',
  whatsApp: 'WhatsApp',
  share: 'Raba',
  print: 'Buga a takarda',
  save: 'Ajiye a matsayin fayil',
  saved: 'An ajiye: ku duba cikin Downloads.',
  copyText: 'Kwafi a matsayin rubutu',
  asText: 'Rasiti a rubuce',
  inApp:
    'Wannan manhajar ba ta iya bugawa ko ajiye fayil. Ku kwafe ko ku raba rasitin, ko ku ɗauki hoton fuskar waya (screenshot).',
  receiptNote: 'Ku faɗi wannan lambar ma’amala idan kun tuntuɓi mai shago.',
  operatorAsk: 'Da wane mobile money za ku biya?',
  operatorNone: 'mobile money ɗinku',
  helpChoose: 'A shafin biya ku zaɓi {operator} da ɗaya daga cikin wakilai. An tantance su.',
  helpSend:
    'Ku tura {amount} daidai ta {operator} zuwa lambar da shafin ya nuna. Kamfanin mobile money ɗinku na iya cire kuɗin caji: ku bar ɗan ƙari a asusunku.',
  helpPin:
    'Kafin ku sa PIN ɗinku, ku duba ko suna da adadin kuɗi sun yi daidai da na shafin. Kada ku faɗa wa kowa PIN ɗinku, ko da wakili ne ko mai shago.',
  helpTell:
    'Ku ajiye saƙon da ke tabbatar da cewa kun tura kuɗin. Idan shafin biya ya tambaya, ku faɗa a can cewa kun biya.',
  helpWait: 'Wakili zai tabbatar; sannan sakamakon zai bayyana a nan.',
  agentTitle: 'Wane ne wakili?',
  agentText:
    'Kasuwanci ne da aka tantance da yake karɓar kuɗin mobile money ɗinku ya miƙa wa mai shago. Kuna ganin sunansa kafin ku tura.',
  promptTitle: 'An nemi ku tabbatar a waya?',
  promptText:
    'Wata taga na iya buɗewa a wayarku, da suna, adadin kuɗi da wurin sa PIN. Idan komai ya yi daidai da na shafin biya, wannan biyan kuɗin ne: ku amsa, kuma kada ku tura kuɗin karo na biyu.',
  promptMtn: 'MTN yana jiran amsa tsawon minti biyar.',
  noPromptTitle: 'Babu abin da ya zo, ko ya ɓace?',
  noPromptPhone: 'Ku buɗe wayar, ku duba ko tana da network.',
  noPromptSim: 'Dole ne SIM ɗin lambar mobile money ɗinku ya kasance a cikin wayar.',
  noPromptMenu: 'Ku rufe duk wani menu daban na kamfanin mobile money ɗinku, sannan ku sake gwadawa.',
  noPromptMpesa: 'M-Pesa yana karɓar menu ɗaya a lokaci guda: ku jira minti biyu bayan na ƙarshe.',
  noPromptSelf:
    'Ba kowane biyan kuɗi ne ake neman ku tabbatar a waya ba. Idan shafin ya nuna lamba, ku da kanku ne za ku tura kuɗin.',
  sentTitle: 'Kun tura, amma babu sakamako a nan?',
  sentText:
    'Sai wakili ya tabbatar tukuna; hakan na iya ɗaukar lokaci. Kada ku sake tura kuɗin. Idan ya daɗe, ku gaya wa mai shago lambar ma’amala {reference}, ku nuna masa saƙon kamfanin mobile money ɗinku.',
  shareShop: 'Don Allah ku biya {amount} ga {shop}: {url}',
  operator: 'Hanyar biyan kuɗi',
  copyReference: 'Kwafi lambar ma’amala',
  qrReference: 'Lambar QR: lambar ma’amala ta wannan biyan kuɗi',
  support: 'Kuna da tambaya? Ku tuntuɓi mai shago:',
  helpPage: 'Shafin taimako',
}
