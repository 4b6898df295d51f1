// The page's words in Somali.
import type { LanguageWords } from './language.ts'

export const words: LanguageWords = {
  shop: {
    demo: 'Tijaabo.',
    demoText: 'Halkan waxba laguma iibiyo, lacag dhab ahina ma socoto.',
    country: 'Dalka',
    language: 'Luqadda',
    headline: 'Qorraxdu way dhacdaa. Iftiinku wuu haraa.',
    lead: 'Nalal iyo looxyo qorraxeed oo loogu talagalay guryaha aan korontadu gaarin. Ku bixi lacagta mobilka ee aad haysato, lacagta dalkaaga.',
    lantern: 'Hal maalin oo qorrax ah waxay bixisaa siddeed saacadood oo iftiin akhris.',
    charger: 'Wuxuu buuxiyaa batariga laba taleefan inta aad beerta ka shaqaynayso.',
    home: 'Loox, batari iyo saddex nal: guri dhan oo iftiimaya.',
    buy: 'Iibso',
    topUp: 'Ku shubo lacagta iftiinka',
    topUpText: 'Adigaa dooranaya inta. Waxay ku dhacaysaa mitirka 0427\u00a0113.',
    topUpButton: 'Ku shubo',
    back: 'Ku noqo dukaanka',
    order: 'Dalabka',
    payLink: 'Ku bixi lacagta mobilka',
    paid: 'Waa la bixiyay. Mahadsanid! Dalabkaagu waa soo socdaa.',
    unavailable: 'Hadda lacag lama bixin karo. Wax yar kadib mar kale isku day.',
    orderWaiting: 'Dalabkaaga {order} wuxuu sugayaa lacag bixinta.',
    toppedUp: '{sum} ayaa lagu shubay mitirka 0427\u00a0113.',
    goOn: 'Sii wad',
    foreign: 'Dalabkan waxaa laga furay qalab kale. Halkaas ka bixi, ama halkan mar kale ka dalbo.',
  },
}
