// The page's words in Amharic.
import type { LanguageWords } from './language.ts'

export const words: LanguageWords = {
  shop: {
    demo: 'ማሳያ ብቻ ነው።',
    demoText: 'እዚህ ምንም አይሸጥም፤ እውነተኛ ገንዘብም አይንቀሳቀስም።',
    country: 'ሀገር',
    language: 'ቋንቋ',
    headline: 'ፀሐይ ትጠልቃለች። ብርሃን ይቀራል።',
    lead: 'የኤሌክትሪክ መስመር ላልደረሰባቸው ቤቶች መብራቶችና የፀሐይ ፓነሎች። ባለዎት የሞባይል ገንዘብ፣ በሀገርዎ ገንዘብ ይክፈሉ።',
    lantern: 'ከአንድ ቀን ፀሐይ ለስምንት ሰዓት የሚሆን የማንበቢያ ብርሃን።',
    charger: 'እርሻ ላይ እየሠሩ ሳለ ሁለት ስልኮችን ይሞላል።',
    home: 'ፓነል፣ ባትሪና ሦስት መብራቶች፦ ለመላው ቤት ብርሃን።',
    buy: 'ይግዙ',
    topUp: 'የብርሃን ሒሳብ ይሙሉ',
    topUpText: 'መጠኑን እርስዎ ይመርጣሉ። ወደ ቆጣሪ 0427\u00a0113 ይገባል።',
    topUpButton: 'ይሙሉ',
    back: 'ወደ ሱቁ ይመለሱ',
    order: 'ትዕዛዝ',
    payLink: 'በሞባይል ገንዘብ ይክፈሉ',
    paid: 'ተከፍሏል። እናመሰግናለን! ትዕዛዝዎ በመንገድ ላይ ነው።',
    unavailable: 'አሁን መክፈል አይቻልም። ከጥቂት ጊዜ በኋላ እንደገና ይሞክሩ።',
    orderWaiting: 'ትዕዛዝዎ {order} ክፍያ እየጠበቀ ነው።',
    toppedUp: '{sum} ወደ ቆጣሪ 0427\u00a0113 ገብቷል።',
    goOn: 'ይቀጥሉ',
    foreign: 'ይህ ትዕዛዝ የተከፈተው በሌላ መሣሪያ ነው። እዚያ ይክፈሉ፣ ወይም እዚህ እንደገና ይዘዙ።',
  },
}
