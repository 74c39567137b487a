import { allLocales } from '@faker-js/faker'
import { type Random, seededRandom } from '../../bench/redaction/random.ts'
import { view } from '../../src/redaction/engine/view.ts'
import { ADDRESS_INTRODUCTIONS } from '../../src/redaction/recognizers/location/words.ts'
import {
  CLOSINGS,
  GREETINGS,
  INTRODUCTIONS,
  LABELS,
  WEAK_INTRODUCTIONS,
} from '../../src/redaction/recognizers/person/words.ts'
import { type Country, loadCountries, makeAddress } from './addresses.ts'
import { readSections, usableNames, usablePlaces } from './data.ts'
import { loadHarmless, loadProse, loadStopwords } from './harmless.ts'
import { inventName, loadOrigins, loadUnsorted, type Origin } from './names.ts'

interface Labelled {
  label: 'PERSON' | 'LOCATION'
  start: number
  end: number
  /** The origin of a name, the country of an address. */
  origin: string
}

/** A message with what is personal in it. */
export interface Message {
  text: string
  labelled: Labelled[]
  language: string
}

interface Language {
  name: string
  templates: string[]
  origins: Origin[]
  countries: Country[]
  keys: Keys
  /** Words without meaning of its own, that stand around whatever is said. */
  small: string[]
  /** Sentences of prose. */
  prose: string[]
  /** Phrases in its script that a name, or an address, follows. */
  introductions: string[]
}

interface Keys {
  people: string[]
  given: string[]
  family: string[]
  addresses: string[]
  others: string[]
}

/** The origins of names, besides those of its own language, that a language meets most. */
const ORIGINS: Record<string, string> = {
  en: 'en|en_GB|en_US|en_AU',
  de: 'de|de_AT|de_CH',
  fr: 'fr|fr_BE|fr_CA|fr_CH',
  es: 'es|es_MX',
  pt: 'pt_BR|pt_PT',
  it: 'it',
  nl: 'nl|nl_BE',
  pl: 'pl',
  cs: 'cs_CZ',
  sk: 'sk',
  hu: 'hu|hungarian',
  ro: 'ro|ro_MD|romanian',
  sv: 'sv',
  da: 'da',
  nb: 'nb_NO',
  fi: 'fi|baltic',
  tr: 'tr|turkish-azeri',
  az: 'az|turkish-azeri',
  ru: 'ru',
  uk: 'uk',
  bg: 'bulgarian',
  sr: 'serbian',
  hr: 'hr|sr_RS_latin',
  sl: 'sl_SI',
  el: 'el',
  ar: 'ar|arabic',
  fa: 'fa|persian',
  ur: 'urdu',
  he: 'he|hebrew',
  hi: 'hindi',
  mr: 'marathi-nepali|hindi',
  'hi-latin': 'india|en_IN',
  ne: 'ne|marathi-nepali',
  bn: 'bengali',
  ta: 'tamil',
  zh: 'zh_CN',
  'zh-hant': 'zh_TW',
  ja: 'ja',
  ko: 'ko',
  th: 'th',
  vi: 'vi|vietnamese',
  id: 'id_ID|south-east-asia',
  ms: 'south-east-asia',
  tl: 'filipino|south-east-asia',
  sw: 'east-africa|amharic-romanized',
  am: 'amharic',
  yo: 'yo_NG|west-africa',
  ig: 'west-africa',
  ha: 'west-africa',
  zu: 'zu_ZA|southern-africa|south-africa',
  xh: 'southern-africa|south-africa',
  so: 'east-africa',
  rw: 'east-africa',
  af: 'af_ZA|south-africa',
  sm: 'pacific',
  to: 'pacific',
  mi: 'pacific',
  fj: 'pacific',
  wo: 'fr_SN|west-africa',
  ka: 'ka_GE|georgian',
  hy: 'hy|armenian',
  uz: 'uz_UZ_latin',
  kk: 'kazakh|ru',
  lv: 'lv|baltic',
  mk: 'mk',
  be: 'ru',
  km: 'khmer-lao-burmese',
  lo: 'khmer-lao-burmese',
  my: 'khmer-lao-burmese',
  et: 'fi|baltic',
  lt: 'lv|baltic',
  ca: 'es',
  eu: 'es',
  gl: 'es',
  is: 'da',
  ga: 'en_IE',
  cy: 'en_GB',
  sq: 'hr',
}
/** Languages whose countries' addresses another language's do for. */
const COUNTRIES: Record<string, string> = {
  'zh-hant': 'zh',
  km: 'th',
  lo: 'th',
  my: 'th',
}
const NON_LATIN = new Set(
  'ru uk bg sr el ar fa ur he hi mr ne bn ta zh zh-hant ja ko th am ka hy kk mk be km lo my'.split(' '),
)
const TITLES: Record<string, string> = {
  en: 'Mr |Mrs |Ms |Dr |Mr. |Dr. |Prof. |Sir ',
  de: 'Herr |Frau |Dr. |Herrn |Prof. Dr. ',
  fr: 'M. |Mme |monsieur |Madame |Dr ',
  es: 'Sr. |Sra. |Don |Doña |señor |Dra. ',
  it: 'Sig. |Sig.ra |signor |Dott. ',
  pt: 'Sr. |Dona |senhor |Dra. ',
  nl: 'mevrouw |meneer |dhr. |mw. |mevr. ',
  pl: 'pan |pani |Pan |dr ',
  cs: 'pan |paní |Ing. ',
  sk: 'pán |pani |MUDr. ',
  sv: 'herr |fru |Dr ',
  da: 'hr. |fru ',
  nb: 'herr |fru ',
  fi: 'herra |rouva ',
  hu: 'dr. ',
  ro: 'domnul |doamna |dl |dna ',
  uk: 'пан |пані ',
  bg: 'г-н |г-жа ',
  el: 'κ. |κύριος |κυρία ',
  fa: 'آقای |خانم ',
  he: 'מר |גברת |ד"ר ',
  ur: 'جناب |محترمہ ',
  bn: 'জনাব |শ্রী |বেগম ',
  ta: 'திரு |திருமதி ',
  th: 'คุณ|นาย|นางสาว|คุณ ',
  af: 'mnr. |mev. ',
  am: 'አቶ |ወይዘሮ ',
  ms: 'Encik |Puan ',
  tl: 'G. |Gng. ',
  tr: 'Sayın |Dr. ',
  ru: 'господин |г-н |г-жа |врач ',
  ar: 'السيد |السيدة |الدكتور |الأستاذة ',
  hi: 'श्री |श्रीमती |डॉ. ',
  id: 'Bapak |Ibu |Pak |Bu ',
  vi: 'anh |chị |ông |bà |cô ',
  sw: 'Bwana |Bi |Mheshimiwa ',
}
const PARTICLES = [
  'van ',
  'de ',
  'van der ',
  'von ',
  'da ',
  'dos ',
  'del ',
  'bin ',
  'al-',
  "O'",
  'Mac',
  'St. ',
  'ibn ',
  'el ',
  'Ben ',
  'di ',
  'le ',
]

/** Phrases after which a name or an address stands, as the patterns know them. */
const INTRODUCING: readonly string[] = [
  ...[...INTRODUCTIONS, ...WEAK_INTRODUCTIONS].map((phrase) => `${phrase}{p}`),
  ...LABELS.map((phrase) => `${phrase}: {p}`),
  ...GREETINGS.map((phrase) => `${phrase}{g},\n`),
  ...CLOSINGS.map((phrase) => `${phrase},\n{p}`),
  ...ADDRESS_INTRODUCTIONS.map((phrase) => `${phrase}{a}`),
].map((phrase) =>
  phrase.replace(/\*/g, '').replace(/(?<=[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}])\{/u, ' {'),
)

/** Returns the name of the script of the first letter of a text. */
function scriptOf(text: string): string {
  const letter = /(?<!\{)\p{L}/u.exec(text)?.[0] ?? 'a'
  return SCRIPTS.find(([, script]) => script.test(letter))?.[0] ?? 'Other'
}

const SCRIPTS = (
  'Latin Cyrillic Greek Arabic Hebrew Devanagari Bengali Tamil Han Hiragana Hangul Thai Ethiopic Georgian ' +
  'Armenian'
)
  .split(' ')
  .map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const)

/** Makes messages for the training: no two random sources with the same seed make others. */
export class Generator {
  readonly #languages: Language[]
  readonly #origins: Origin[]
  readonly #latin: Origin[]
  readonly #native: Origin[]
  readonly #unsorted: string[]
  readonly #harmless: string[]
  readonly #mistaken: string[]
  readonly #words: { products: string[]; businesses: string[]; towns: string[] }

  constructor() {
    this.#origins = loadOrigins()
    this.#latin = this.#origins.filter(({ isLatin }) => isLatin)
    this.#native = this.#origins.filter(({ isLatin }) => !isLatin)
    this.#unsorted = loadUnsorted()
    this.#harmless = loadHarmless()
    this.#mistaken = readSections('harmless.txt').flatMap(({ lines }) =>
      lines.map((line) => line.replaceAll('\\n', '\n').replaceAll('\\t', '\t')),
    )
    const countries = loadCountries()
    const keys = new Map(readSections('keys.txt').map(({ heading, lines }) => [heading, keysOf(lines)]))
    const english = keys.get('en') as Keys
    const introductions = Map.groupBy(INTRODUCING, scriptOf)
    this.#languages = readSections('templates.txt').map(({ heading, lines }) => {
      const asked = (ORIGINS[heading] ?? '').split('|')
      const country = COUNTRIES[heading] ?? heading
      return {
        name: heading,
        templates: lines.map((line) => line.replaceAll('\\n', '\n')),
        origins: this.#origins.filter(({ name }) => asked.includes(name)),
        countries: countries.filter(({ languages }) => languages.includes(country)),
        keys: keys.get(heading) ?? english,
        small: loadStopwords(heading),
        prose: loadProse(heading),
        introductions: introductions.get(scriptOf(lines[0] as string)) ?? [],
      }
    })
    this.#words = makeWords(countries)
  }

  /** Makes the message of a number. */
  make(seed: string): Message {
    const random = seededRandom(seed)
    const language = this.#pickLanguage(random)
    const draft = new Draft(random, language.name)
    const kind = random.below(100)
    if (kind < 46) this.#writeTalk(draft, language)
    else if (kind < 60) this.#writeIntroduced(draft, language)
    else if (kind < 68) this.#writeForm(draft, language)
    else if (kind < 74) this.#writeTable(draft, language)
    else if (kind < 77) this.#writeList(draft, language)
    else this.#writeHarmless(draft, language)
    return draft.finish()
  }

  /** Picks English most, and a language with many templates more often than one with few. */
  #pickLanguage(random: Random): Language {
    if (random.chance(0.12)) return this.#languages[0] as Language
    for (;;) {
      const language = random.pick(this.#languages)
      if (random.below(30) < 6 + language.templates.length) return language
    }
  }

  #writeTalk(draft: Draft, language: Language): void {
    const { random } = draft
    const parts = random.pick([1, 1, 1, 2, 2, 3])
    for (let part = 0; part < parts; part++) {
      if (part > 0) draft.add(random.pick([' ', '\n', '. ', '\n\n', ', ', ' ']))
      const isAside = random.chance(0.12)
      if (isAside) draft.add(random.pick(this.#harmless).slice(0, 200))
      else this.#fill(draft, random.pick(language.templates), language)
    }
  }

  /** Writes a name or an address after a phrase for it, or anywhere between words without meaning. */
  #writeIntroduced(draft: Draft, language: Language): void {
    const { random } = draft
    const isBare = random.chance(0.4) || language.introductions.length === 0
    if (random.chance(0.6)) draft.add(`${this.#smallWords(random, language)} `)
    const phrase = isBare ? (random.chance(0.8) ? '{p}' : '{a}') : random.pick(language.introductions)
    this.#fill(
      draft,
      random.chance(0.5) ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : phrase,
      language,
    )
    if (random.chance(0.6))
      draft.add(random.pick([' ', ', ', '. ', '\n']) + this.#smallWords(random, language))
  }

  #smallWords(random: Random, { small, prose, templates }: Language): string {
    if (prose.length > 0 && random.chance(0.5)) return pieceOf(random, random.pick(prose))
    if (small.length === 0) return ''
    const words = Array.from({ length: 1 + random.below(7) }, () => random.pick(small))
    return words.join(/^(?:zh|ja|th)/.test(templates[0] as string) ? '' : ' ')
  }

  #writeHarmless(draft: Draft, language: Language): void {
    const { random } = draft
    const kind = random.below(10)
    const parts = random.pick([1, 1, 2, 3])
    for (let part = 0; part < parts; part++) {
      if (part > 0) draft.add(random.pick(['\n', '\n\n']))
      if (kind < 4) draft.add(random.pick(this.#harmless))
      else if (kind < 5)
        draft.add(
          random.chance(0.5) && language.prose.length > 0
            ? random.pick(language.prose)
            : this.#smallWords(random, language),
        )
      else if (kind < 7) this.#fill(draft, random.pick(this.#mistaken), language)
      else {
        const harmless = language.templates.filter((template) => !/\{[pgfa]\}/.test(template))
        this.#fill(draft, random.pick(harmless.length > 0 && kind < 9 ? harmless : this.#mistaken), language)
      }
    }
  }

  /** Replaces the slots of a template. */
  #fill(draft: Draft, template: string, language: Language): void {
    const chosen = choose(draft.random, template)
    let at = 0
    for (const { 0: slot, 1: kind, index } of chosen.matchAll(/\{([a-z])\}/g)) {
      draft.add(chosen.slice(at, index))
      this.#put(draft, kind as string, language)
      at = index + slot.length
    }
    draft.add(chosen.slice(at))
  }

  #put(draft: Draft, kind: string, language: Language): void {
    const { random } = draft
    if (kind === 'p' || kind === 'g' || kind === 'f') this.#putName(draft, kind, language)
    else if (kind === 'a') this.#putAddress(draft, language)
    else draft.add(this.#word(random, kind, language))
  }

  #putName(draft: Draft, kind: string, language: Language): void {
    const { random } = draft
    const { name, origin } = this.#name(random, kind, language)
    const titles = TITLES[language.name]
    if (titles && (kind === 'p' ? random.chance(0.1) : kind === 'f' && random.chance(0.5)))
      draft.add(random.pick(titles.split('|')))
    draft.label('PERSON', name, origin)
  }

  #name(random: Random, kind: string, language: Language): { name: string; origin: string } {
    const isLatin = !NON_LATIN.has(language.name)
    const draw = random.below(100)
    if (draw < 6) {
      const name = kind === 'p' ? `${inventName(random)} ${inventName(random)}` : inventName(random)
      return { name, origin: 'invented' }
    }
    const isOwn = language.origins.length > 0 && draw < (isLatin ? 40 : 78)
    // A name in another script stands out of a sentence, whatever it is.
    const isForeign = !isOwn && draw < (isLatin ? 55 : 86)
    if (!isOwn && draw >= (isLatin ? 86 : 95)) {
      const words = [random.pick(this.#unsorted), random.pick(this.#unsorted)]
      return { name: kind === 'p' ? words.join(' ') : (words[0] as string), origin: 'unsorted' }
    }
    const origin = random.pick(isOwn ? language.origins : isForeign ? this.#native : this.#latin)
    const given = random.pick(origin.given)
    const family = random.pick(origin.family)
    if (kind === 'g') return { name: given, origin: origin.name }
    if (kind === 'f') {
      const particle = origin.isLatin && random.chance(0.06) ? random.pick(PARTICLES) : ''
      return { name: particle + family, origin: origin.name }
    }
    return {
      name: inflect(random, fullName(random, origin, given, family), language.name),
      origin: origin.name,
    }
  }

  #putAddress(draft: Draft, language: Language): void {
    const { random } = draft
    const isOwn = language.countries.length > 0 && random.chance(0.9)
    const spoken = isOwn ? language : (this.#languages[0] as Language)
    const country = random.pick(spoken.countries)
    const address = makeAddress(random, country, () => this.#streetName(random, spoken))
    draft.label(
      'LOCATION',
      random.chance(0.12) ? address.toLowerCase() : address,
      country.languages.join(' '),
    )
  }

  /** Returns a word that a street may be called by: a name, or a word of prose in its script. */
  #streetName(random: Random, { origins, prose, name }: Language): string {
    if (origins.length === 0 || random.chance(0.15))
      return NON_LATIN.has(name) ? this.#anyWord(random, prose, name) : inventName(random)
    if (prose.length > 0 && random.chance(0.35)) return this.#anyWord(random, prose, name)
    const origin = random.pick(origins)
    return random.pick(random.chance(0.5) ? origin.family : origin.given)
  }

  #anyWord(random: Random, prose: readonly string[], name: string): string {
    const sentence = prose.length > 0 ? random.pick(prose) : 'Oak Hill River Stone Castle Garden'
    if (/^(?:zh|ja|th|ko)/.test(name)) {
      const start = random.below(Math.max(1, sentence.length - 3))
      const word = sentence.slice(start, start + 2 + random.below(2)).replace(/[^\p{L}\p{M}]/gu, '')
      return word || (this.#native.length > 0 ? '中山' : word)
    }
    const words = sentence.split(' ').filter((word) => /^[\p{L}\p{M}]{4,}$/u.test(word))
    return words.length > 0 ? capitalized(random.pick(words)) : inventName(random)
  }

  #word(random: Random, kind: string, { name, countries }: Language): string {
    switch (kind) {
      case 'o':
        return (random.chance(0.3) ? '#' : '') + filled(random, random.pick(ORDERS))
      case 'n':
        return String(1 + random.below(random.pick([9, 30, 120, 2000])))
      case 'x':
        return codeOf(random)
      case 'd':
        return dateOf(random, name)
      case 't':
        return random.pick([
          `${1 + random.below(23)}:${random.pick(['00', '15', '30', '45'])}`,
          `${1 + random.below(11)}pm`,
          `${1 + random.below(23)} Uhr`,
        ])
      case 'm':
        return (
          random.pick(['$', '€', '£', '', '', '₹', '¥', '฿']) +
          random.pick(['', '', '', '1,', '2.']) +
          String(random.below(900)) +
          random.pick([
            '',
            '.50',
            ',99',
            ' EUR',
            '.00',
            ',90 €',
            ' €',
            ' kr',
            ' zł',
            ' ₽',
            ' ₺',
            ' TL',
            ' ft',
          ])
        )
      case 'e':
        return `${random
          .pick(this.#unsorted)
          .toLowerCase()
          .replace(
            /[^a-z]/g,
            'x',
          )}${random.digits(random.below(3))}@${random.pick(['gmail.com', 'example.com', 'web.de', 'mail.ru', 'corp.co.ke'])}`
      case 'h':
        return (
          random.pick(['+', '0', '', '(0']) +
          random.digits(3) +
          random.pick([' ', '-', ') ', '']) +
          random.digits(3) +
          random.pick([' ', '-', '']) +
          random.digits(4)
        )
      case 'r':
        return random.pick(this.#words.products)
      case 'c':
        return countries.length > 0 && random.chance(0.6)
          ? (random.pick(random.pick(countries).towns).split(',')[0] as string)
          : random.pick(this.#words.towns)
      default:
        return random.pick(this.#words.businesses)
    }
  }

  /** Writes fields with keys, in the ways in which forms and data are written. */
  #writeForm(draft: Draft, language: Language): void {
    const { random } = draft
    const keys = random.chance(0.25) ? (this.#languages[0] as Language).keys : language.keys
    const count = random.pick([1, 1, 1, 2, 3, 4, 5])
    const fields = Array.from({ length: count }, () => this.#field(random, keys))
    const form = random.below(10)
    const [open, before, between, behind, close] = FORMS[form] as (typeof FORMS)[number]
    draft.add(open)
    fields.forEach(({ key, kind }, at) => {
      const shown =
        form > 5
          ? key.replaceAll(' ', random.pick(['_', ' ', '-']))
          : random.chance(0.7)
            ? key
            : capitalized(key)
      draft.add(before.replace('K', shown) + between)
      this.#put(draft, kind, language)
      const end = behind.replace('K', shown)
      draft.add(at === count - 1 ? end.replace(/,? ?\n?$/, '') : end)
    })
    draft.add(close)
  }

  #field(random: Random, keys: Keys): { key: string; kind: string } {
    const draw = random.below(10)
    // What is called a name is often that of a thing.
    if (random.chance(0.05)) return { key: keys.people[0] as string, kind: random.pick(['r', 'b', 'r']) }
    if (draw < 3) return { key: random.pick(keys.people), kind: 'p' }
    if (draw < 4) return { key: random.pick(keys.given), kind: 'g' }
    if (draw < 5) return { key: random.pick(keys.family), kind: 'f' }
    if (draw < 7) return { key: random.pick(keys.addresses), kind: 'a' }
    return {
      key: random.pick(keys.others),
      kind: random.pick(['o', 'd', 'm', 'r', 'c', 'b', 't', 'x', 'x', 'r']),
    }
  }

  /** Writes rows below a header, as CSV, TSV, Markdown or SQL. */
  #writeTable(draft: Draft, language: Language): void {
    const { random } = draft
    const keys = random.chance(0.4) ? (this.#languages[0] as Language).keys : language.keys
    const columns = Array.from({ length: 2 + random.below(4) }, () => this.#field(random, keys))
    const form = random.below(5)
    const separator = [',', ';', '\t', ' | ', ', '][form] as string
    const [open, close] = form === 3 ? ['| ', ' |'] : ['', '']
    if (form === 4)
      draft.add(
        `INSERT INTO ${random.pick(['customers', 'orders', 'users'])} (${columns.map(({ key }) => key.replaceAll(' ', '_')).join(', ')}) VALUES\n`,
      )
    else if (random.chance(0.85)) {
      draft.add(`${open}${columns.map(({ key }) => key).join(separator)}${close}\n`)
      if (form === 3) draft.add(`|${columns.map(() => '---').join('|')}|\n`)
    }
    for (let row = 1 + random.below(4); row > 0; row--) {
      draft.add(form === 4 ? '(' : open)
      columns.forEach(({ kind }, at) => {
        if (at > 0) draft.add(separator)
        const quote = form === 4 ? "'" : kind === 'a' && form === 0 ? '"' : ''
        draft.add(quote)
        this.#put(draft, kind, language)
        draft.add(quote)
      })
      draft.add(form === 4 ? (row > 1 ? '),\n' : ');') : close + (row > 1 ? '\n' : ''))
    }
  }

  /** Writes names or addresses alone, one below the other or in one line. */
  #writeList(draft: Draft, language: Language): void {
    const { random } = draft
    const kind = random.pick(['p', 'p', 'a'])
    const between = random.pick(['\n', kind === 'p' ? ', ' : '\n', '\n- '])
    if (between === '\n- ') draft.add('- ')
    for (let left = 1 + random.below(4); left > 0; left--) {
      this.#put(draft, kind, language)
      if (left > 1) draft.add(between)
    }
  }
}

/** Ways to write fields: the text before all, the key (K), the text between key and value, behind a value, behind all. */
const FORMS = [
  ['', 'K', ': ', '\n', ''],
  ['', 'K', ': ', '\n', ''],
  ['', 'K', ': ', ', ', ''],
  ['', '**K:**', ' ', '\n', ''],
  ['<div>', '<b>K</b>', ' ', '<br>\n', '</div>'],
  ['', 'K', ' - ', '\n', ''],
  ['{', '"K"', ': "', '", ', '}'],
  ['', 'K', '=', '\n', ''],
  ['<r>', '<K>', '', '</K>\n', '</r>'],
  ['', 'K', ' = "', '"\n', ''],
] as const

class Draft {
  readonly random: Random
  readonly #language: string
  #text = ''
  readonly #labelled: Labelled[] = []
  readonly #isSmall: boolean
  readonly #isDictated: boolean
  readonly #isCapital: boolean

  constructor(random: Random, language: string) {
    this.random = random
    this.#language = language
    this.#isSmall = random.chance(0.2)
    this.#isCapital = !this.#isSmall && random.chance(0.02)
    this.#isDictated = this.#isSmall && random.chance(0.4)
  }

  add(piece: string): void {
    let written = view(piece).text
    if (this.#isSmall) written = written.toLowerCase()
    if (this.#isCapital) written = written.toUpperCase()
    if (this.#isDictated) written = written.replace(/(?<=\p{L})[,.!?](?=\s|$)/gu, '')
    this.#text += written
  }

  label(label: Labelled['label'], piece: string, origin: string): void {
    const start = this.#text.length
    this.add(piece)
    this.#labelled.push({ label, start, end: this.#text.length, origin })
  }

  finish(): Message {
    return { text: this.#text, labelled: this.#labelled, language: this.#language }
  }
}

/** Takes one of the choices in brackets, `[one|another]`, the innermost first. */
function choose(random: Random, template: string): string {
  let chosen = template
  for (let before = ''; chosen !== before; ) {
    before = chosen
    chosen = chosen.replace(/\[([^[\]]*\|[^[\]]*)\]/g, (_, choices: string) =>
      random.pick(choices.split('|')),
    )
  }
  return chosen
}

function fullName(random: Random, origin: Origin, given: string, family: string): string {
  if (origin.isJoined) return family + given
  const draw = random.below(100)
  const isFamilyFirst = origin.isFamilyFirst ? draw < 80 : draw < 8
  if (isFamilyFirst) return draw < 4 && !origin.isFamilyFirst ? `${family}, ${given}` : `${family} ${given}`
  if (draw > 96) return `${given.charAt(0)}. ${family}`
  if (draw > 93) return `${family} ${given.charAt(0)}. ${random.pick(origin.given).charAt(0)}.`
  if (draw > 88) return `${given} ${random.pick(origin.given)} ${family}`
  if (draw > 85) return `${given} ${family}-${random.pick(origin.family)}`
  if (draw > 83) return `${given} ${random.pick(origin.given).charAt(0)}. ${family}`
  if (draw > 80 && origin.isLatin) return `${given} ${random.pick(PARTICLES)}${family}`
  return `${given} ${family}`
}

/** Gives a Slavic name the ending of another case, as within a sentence. */
function inflect(random: Random, name: string, language: string): string {
  if (!/^(?:ru|uk|bg|sr|mk|be|pl|cs|sk|hr)$/.test(language) || !random.chance(0.2)) return name
  const isCyrillic = /\p{Script=Cyrillic}/u.test(name)
  const ends = isCyrillic ? ['у', 'а', 'ом', 'ой', 'е'] : ['a', 'owi', 'em', 'ou', 'u', 'ovi']
  return name
    .split(' ')
    .map((word) => word.replace(/[аяaь]?$/u, '') + random.pick(ends))
    .join(' ')
}

/** Returns some words of a sentence. */
function pieceOf(random: Random, sentence: string): string {
  const words = sentence.split(' ')
  if (words.length < 4) return sentence.slice(0, 4 + random.below(20))
  const start = random.below(words.length - 3)
  return words.slice(start, start + 2 + random.below(6)).join(' ')
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function keysOf(lines: string[]): Keys {
  const [people, given, family, addresses, others] = lines.map((line) => line.split('|'))
  return { people, given, family, addresses, others } as Keys
}

/** The forms of numbers and codes: # a digit, ? a capital letter, ~ a digit of hexadecimal numbers. */
const CODES =
  '978-#-####-####-#|978 # #### #### #|#.#.#|#.##.#|#-#, #-#, #-#|#-# #-# #-#|v#.##.#-rc.#|~~~~~~~~-~~~~-4~~~-a~~~-~~~~~~~~~~~~|~~~~~~~|~~~~~~~~~~~~~~~~|??-####-##|??###?#?##|202#-0#-1#T1#:2#:3#Z|1#:2#:3#.###|Q1 ##,### Q2 ##,### Q3 ##,###|# auto ##px #px|1#.2#.##.1#|#,###.##|#### x ####|## x ## x ## cm|#/#/##|1Z???########|##%|#:##|ISO ####-#|DIN ###|EN ## ###|SN????##??#|rgb(##, ##, ###)|###-###-####|########|#### #### ####|### ###|(#, #)|[#, #, #]|#e-#|0x~~~~|? ##|? ## ?|??? ###-#|##°##N ##°##E|#.####, -##.####'.split(
    '|',
  )

function codeOf(random: Random): string {
  return filled(random, random.pick(CODES))
}

function filled(random: Random, form: string): string {
  return form.replace(/[#?~]/g, (mark) =>
    mark === '#'
      ? String(random.below(10))
      : random.text(1, mark === '?' ? 'ABCDEFGHJKLMNPRSTUVWXYZ' : '0123456789abcdef'),
  )
}

/** The forms of order numbers; as in CODES. */
const ORDERS =
  '######|########|#########|###########|#######|#####|####|ORD-####-######|ORD-#####|?######|INV-2026-#####|RE####|RE-########|??########|###-#######-#######|SUP-#####|INC########|PO-####'.split(
    '|',
  )

interface Calendar {
  date?: {
    month?: { wide?: (string | null)[]; wide_context?: (string | null)[] }
    weekday?: { wide?: (string | null)[] }
  }
}

function dateOf(random: Random, language: string): string {
  const day = 1 + random.below(28)
  const month = random.below(12)
  const year =
    random.pick([2024, 2015, 1960]) + random.below(14) + (language === 'th' && random.chance(0.6) ? 543 : 0)
  const own = Object.entries(allLocales).filter(
    ([name]) => name === language || name.startsWith(`${language}_`),
  )
  const locales = own.length > 0 && random.chance(0.7) ? own : Object.entries(allLocales)
  const { date } = random.pick(locales)[1] as Calendar
  const months = (random.chance(0.5) ? date?.month?.wide_context : undefined) ?? date?.month?.wide
  const name = months?.[month] ?? 'March'
  const weekday = date?.weekday?.wide?.[random.below(7)] ?? 'Monday'
  const two = (value: number) => String(value).padStart(2, '0')
  return random.pick(
    [
      `${year}-${two(month + 1)}-${two(day)}`,
      `${day}.${month + 1}.${year}`,
      `${two(day)}.${two(month + 1)}.${year}`,
      `${two(day)}/${two(month + 1)}/${year}`,
      `${month + 1}/${day}/${year}`,
      `${day} ${name} ${year}`,
      `${day}. ${name} ${year}`,
      `${name} ${day}, ${year}`,
      `${name} ${day}`,
      `${day} ${name}`,
      weekday,
      `${weekday} ${day}. ${name}`,
      `${year}年${month + 1}月${day}日`,
    ].slice(0, /^(?:zh|ja)/.test(language) ? 13 : 12),
  )
}

/** Gathers words of other things: products, businesses, towns. */
function makeWords(countries: readonly Country[]): {
  products: string[]
  businesses: string[]
  towns: string[]
} {
  const locales = Object.values(allLocales) as unknown as {
    commerce?: { product_name?: Record<string, string[]> }
    vehicle?: Record<string, string[]>
    company?: { name?: string[]; legal_entity_type?: string[] }
    location?: { city_name?: string[] }
    person?: { last_name?: { generic?: string[] } }
  }[]
  const products = locales.flatMap(({ commerce, vehicle }) => {
    const { adjective = [], material = [], product = [] } = commerce?.product_name ?? {}
    const { manufacturer = [], model = [] } = vehicle ?? {}
    return [
      ...product,
      ...product.map((one, at) => `${adjective[at % (adjective.length || 1)] ?? ''} ${one}`.trim()),
      ...product.map((one, at) => `${material[at % (material.length || 1)] ?? ''} ${one}`.trim()),
      ...model
        .slice(0, 60)
        .map((one, at) => `${manufacturer[at % (manufacturer.length || 1)] ?? ''} ${one}`.trim()),
    ]
  })
  const own =
    'washing machine|router|Nova 3 Lamp|kettle|headphones|Smart Hub|jacket|sofa|phone case|printer|subscription|Waschmaschine|Bohrmaschine|aspirateur|lavadora|tablet|laptop|vacuum cleaner|coffee maker|toaster|bike|Galaxy S24|iPhone 15|Pro Max Case|Air Fryer XL'
  const businesses = locales.flatMap(({ company, person }) => {
    const types = company?.legal_entity_type ?? []
    const families = usableNames(person?.last_name?.generic ?? [])
    return types.flatMap((type, at) => [
      `Blue Sky ${type}`,
      `${families[at * 7] ?? 'Acme'} ${type}`,
      `Nordwind Logistik ${type}`,
    ])
  })
  return {
    products: [...products, ...own.split('|').flatMap((one) => Array(8).fill(one) as string[])],
    businesses: [
      ...businesses,
      ...'Acme Corp|Globex|Initech|Contoso|Northwind Traders|Umbrella Inc|Stark Industries|Blue Ocean GmbH|Sunrise Media|Deutsche Telekom|Orange|Vodafone'.split(
        '|',
      ),
    ],
    towns: [
      ...countries.flatMap(({ towns }) => towns),
      ...locales.flatMap(({ location }) => usablePlaces(location?.city_name ?? []).slice(0, 100)),
    ].map((town) => town.split(',')[0] as string),
  }
}
