// The page's words in Kirundi.
import type { LanguageWords } from './language.ts'

export const words: LanguageWords = {
  shop: {
    demo: 'Ni ukugerageza.',
    demoText: 'Nta kintu kigurishwa ngaha, kandi nta mahera y’ukuri yimurwa.',
    country: 'Igihugu',
    language: 'Ururimi',
    headline: 'Izuba rirarenga. Umuco ugumaho.',
    lead: 'Amatara n’ibikoresho vy’imirasire y’izuba vy’ingo umuyagankuba udashikira. Murihe na Mobile Money mufise, mu mahera y’igihugu canyu.',
    lantern: 'Amasaha umunani y’umuco wo gusoma, avuye ku zuba ry’umusi umwe.',
    charger: 'Gishariza terefone zibiri igihe muriko murakora mu murima.',
    home: 'Umurasire, bateri n’amatara atatu: umuco mu nzu yose.',
    buy: 'Kugura',
    topUp: 'Kwongerako amahera y’umuco',
    topUpText: 'Ni mwebwe muhitamwo igitigiri. Kija kuri konteri 0427\u00a0113.',
    topUpButton: 'Kwongerako',
    back: 'Gusubira mw’iduka',
    order: 'Komande',
    payLink: 'Kuriha na Mobile Money',
    paid: 'Vyarishwe. Murakoze! Ivyo mwasavye biri mu nzira.',
    unavailable: 'Kuriha ntibishoboka ubu. Nimusubire mugerageze mu kanya.',
    orderWaiting: 'Komande yanyu {order} irindiriye kurihwa.',
    toppedUp: '{sum} yongewe kuri konteri 0427\u00a0113.',
    goOn: 'Kubandanya',
    foreign: 'Iyi komande yuguruwe ku kindi gikoresho. Muyirihire aho, canke musubire mukomande ngaha.',
  },
}
