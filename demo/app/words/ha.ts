// The page's words in Hausa.
import type { LanguageWords } from './language.ts'

export const words: LanguageWords = {
  shop: {
    demo: 'Gwaji ne.',
    demoText: 'Ba a sayar da komai a nan, kuma babu kuɗin gaske da ke motsi.',
    country: 'Ƙasa',
    language: 'Harshe',
    headline: 'Rana tana faɗuwa. Haske yana nan.',
    lead: 'Fitilu da faranti masu amfani da hasken rana, don gidajen da wutar lantarki ba ta kai ba. Ku biya da mobile money ɗinku, a kuɗin ƙasarku.',
    lantern: 'Hasken karatu na awa takwas daga hasken rana na yini ɗaya.',
    charger: 'Yana cajin wayoyi biyu yayin da kuke aiki a gona.',
    home: 'Faranti, batir da fitilu uku: haske a gida gaba ɗaya.',
    buy: 'Saya',
    topUp: 'Ƙara kuɗin haske',
    topUpText: 'Ku ne za ku zaɓi adadin. Zai tafi zuwa mita 0427\u00a0113.',
    topUpButton: 'Ƙara',
    back: 'Koma shago',
    order: 'Oda',
    payLink: 'Biya da mobile money',
    paid: 'An biya. Mun gode! Odarku tana kan hanya.',
    unavailable: 'Ba a iya biya yanzu. Ku sake gwadawa nan gaba kaɗan.',
    orderWaiting: 'Odarku {order} tana jiran biya.',
    toppedUp: 'An ƙara {sum} a mita 0427\u00a0113.',
    goOn: 'Ci gaba',
    foreign: 'An buɗe wannan odar a wata na’ura. Ku biya a can, ko ku sake yin oda a nan.',
  },
}
