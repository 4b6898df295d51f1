// The page's words in Kinyarwanda.
import type { LanguageWords } from './language.ts'

export const words: LanguageWords = {
  shop: {
    demo: 'Ni igerageza.',
    demoText: 'Nta kintu kigurishirizwa hano, kandi nta mafaranga nyayo yimurwa.',
    country: 'Igihugu',
    language: 'Ururimi',
    headline: 'Izuba rirarenga. Urumuri ruguma.',
    lead: 'Amatara n’imirasire y’izuba by’ingo amashanyarazi atarageramo. Mwishyure na Mobile Money mufite, mu mafaranga y’igihugu cyanyu.',
    lantern: 'Amasaha umunani y’urumuri rwo gusoma, avuye ku zuba ry’umunsi umwe.',
    charger: 'Usharija telefone ebyiri mu gihe mukora mu murima.',
    home: 'Umurasire, batiri n’amatara atatu: urumuri mu nzu yose.',
    buy: 'Kugura',
    topUp: 'Kongera amafaranga y’urumuri',
    topUpText: 'Ni mwe muhitamo umubare. Ujya kuri mubazi 0427\u00a0113.',
    topUpButton: 'Kongera',
    back: 'Gusubira mu iduka',
    order: 'Komande',
    payLink: 'Kwishyura na Mobile Money',
    paid: 'Byishyuwe. Murakoze! Ibyo mwatumije biri mu nzira.',
    unavailable: 'Kwishyura ntibishoboka ubu. Mwongere mugerageze mu kanya.',
    orderWaiting: 'Komande yanyu {order} itegereje kwishyurwa.',
    toppedUp: '{sum} yongewe kuri mubazi 0427\u00a0113.',
    goOn: 'Gukomeza',
    foreign: 'Iyi komande yafunguriwe ku kindi gikoresho. Mwayishyurira aho, cyangwa mukongera gutumiza hano.',
  },
}
