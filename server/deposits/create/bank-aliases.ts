// What people call a bank beside its full name: its initials, its short name, the name that it had
// before.
import type { CountryCode } from '../../contract/index.ts'

/**
 * Words that initials leave out, or not: CBE is the Commercial Bank of Ethiopia, BOA the Bank of
 * Africa.
 */
const SMALL = /^(of|the|for|and|de|du|des|d|la|le|les|l|da|et|pour)$/
/** What follows a name by law, or says only what kind of bank it is. */
const LEGAL = /^(ltd|limited|plc|sa|ag|na|k|t|group|groupe)$/
/** Where the bank is: nobody says it at home. */
const COUNTRIES = [
  'kenya|tanzania|uganda|ethiopia|somalia|rwanda|burundi|ghana|nigeria',
  'benin|burkina faso|cote d ivoire|guinea-bissau|mali|niger|senegal|togo',
]
const PLACES = new RegExp(`\\b(${COUNTRIES.join('|')})\\b`, 'g')

const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9&]+/g, ' ')
    .trim()

/**
 * By a part of the plain name; `in` where it holds in these countries alone. They are the short
 * names that banks use of themselves in public, on their signs and sites, and the names that they
 * had before a merger or a sale; none is a guess. A short name that is missing or wrong is mended
 * here: nothing else knows of it.
 */
const known: readonly { readonly part: RegExp; readonly in?: readonly CountryCode[]; readonly names: string }[] = [
  { part: /^guaranty trust/, names: 'GTBank,GTB,GT Bank,GTCO' },
  { part: /^standard chartered/, names: 'Stanchart,StanChart,SCB,Standard Chart' },
  { part: /^(uba|united bank for africa)/, names: 'UBA,United Bank for Africa' },
  { part: /^bank of africa/, names: 'BOA' },
  { part: /^bank of abyssinia/, names: 'BOA,Abyssinia' },
  { part: /^diamond trust/, names: 'DTB' },
  { part: /^absa/, names: 'Barclays' },
  { part: /^i&m/, names: 'I and M,I & M,IM,IMB' },
  { part: /^stanbic/, names: 'CFC Stanbic,Standard Bank' },
  { part: /^citibank/, names: 'Citi' },
  { part: /^ncba/, names: 'NIC,CBA,Commercial Bank of Africa' },
  { part: /^co operative bank of kenya/, names: 'Coop,Co-op Bank,Coop Bank' },
  { part: /^kenya commercial/, names: 'KCB,KCB Bank' },
  { part: /^kenya post office/, names: 'Postbank,Post Bank' },
  { part: /^kenya women/, names: 'KWFT' },
  { part: /^housing finance/, in: ['KE'], names: 'HF,HFC,HF Group' },
  { part: /^african banking corporation/, names: 'ABC,BancABC' },
  { part: /^sidian/, names: 'K-Rep' },
  { part: /^premier bank kenya/, names: 'First Community Bank,FCB' },
  { part: /^middle east bank/, names: 'MEB' },
  { part: /^dib bank/, names: 'Dubai Islamic' },
  { part: /^tanzania commercial/, names: 'TCB,TPB,Postal Bank' },
  { part: /^people s bank of zanzibar/, names: 'PBZ' },
  { part: /^kilimanjaro co operative/, names: 'KCBL,Coop' },
  { part: /^centenary/, names: 'Centenary,Cente' },
  { part: /^postbank uganda/, names: 'Pearl Bank' },
  { part: /^commercial bank of ethiopia/, names: 'CBE,CBE Birr' },
  { part: /^cooperative bank of oromia/, names: 'Coopbank,Coop,CBO' },
  { part: /^oromia international/, names: 'OIB,Oromia Bank' },
  { part: /^hibret/, names: 'United Bank' },
  { part: /^global bank ethiopia/, names: 'Debub Global' },
  { part: /^lion international/, names: 'Anbesa,LIB' },
  { part: /^bank of kigali/, names: 'BK,BOK' },
  { part: /^bpr bank/, names: 'Banque Populaire,BPR' },
  { part: /^gcb bank/, names: 'Ghana Commercial Bank' },
  { part: /^agricultural development bank/, names: 'ADB,Agric' },
  { part: /^societe generale ghana/, names: 'SG,SG-SSB,SSB' },
  { part: /^universal merchant/, names: 'UMB,Merchant Bank' },
  { part: /^consolidated bank ghana/, names: 'CBG' },
  { part: /^fbnbank|^first bank of nigeria/, names: 'First Bank,FBN,FirstBank' },
  { part: /^first city monument/, names: 'FCMB' },
  { part: /^societe generale cote/, names: 'SGCI,SGBCI,SG' },
  { part: /^societe ivoirienne de banque/, names: 'SIB' },
  { part: /^bicici/, names: 'BICICI' },
  { part: /^banque de l habitat de cote/, names: 'BHCI,BH' },
  { part: /^banque nationale d investissement/, names: 'BNI' },
  { part: /^societe generale senegal/, names: 'SGSN,SGBS,SG' },
  { part: /^banque de l habitat du senegal/, names: 'BHS,BH' },
  { part: /^banque islamique du senegal/, names: 'BIS' },
  { part: /^la banque agricole/, names: 'LBA,CNCAS' },
  { part: /^sunu bank/, names: 'BICIS' },
  { part: /^cbao/, names: 'CBAO,Attijari' },
  { part: /^banque atlantique/, names: 'BA,Atlantique' },
  { part: /^interbank burundi/, names: 'IBB' },
]

/** Initials of the words, with the small ones and without. */
function initialsOf(name: string): string[] {
  const words = name.split(' ').filter((word) => word !== '' && !LEGAL.test(word))
  const large = words.filter((word) => !SMALL.test(word))
  return [words, large].map((all) =>
    all
      .map((word) => word.charAt(0))
      .join('')
      .toUpperCase(),
  )
}

const isShort = (text: string): boolean => /^[A-Z&]{2,6}$/.test(text)

/** Undefined where the name says it all. */
export function aliasesOf(country: CountryCode, name: string): string[] | undefined {
  const full = plain(name.replace(/\(.*?\)/g, ' '))
  const home = full.replace(PLACES, ' ').replace(/ +/g, ' ').trim()
  const others = known.filter(({ part, in: where }) => part.test(full) && (where?.includes(country) ?? true))
  // A name that begins with initials has no others: NCBA Bank Kenya is not NBK.
  const isInitials = /^[A-Z&]{2,5}\b/.test(name)
  const initials = isInitials ? [] : [...initialsOf(full), ...initialsOf(home)]
  const all = [...others.flatMap(({ names }) => names.split(',')), ...initials.filter(isShort)]
  // What the name begins with is found without.
  const kept = [...new Set(all)].filter((alias) => !full.startsWith(plain(alias)))
  return kept.length === 0 ? undefined : kept
}
