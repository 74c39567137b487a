import { CLASS, isAlphanumeric, UNSPACED, wordEnd } from '../engine/characters.ts'
import type { Finding } from '../engine/finding.ts'
import { firstIndex } from '../engine/first-index.ts'
import { isAmount } from '../engine/is-amount.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { addressAround, japaneseAddress } from './location/asian-address.ts'
import { extendAddress } from './location/extend-address.ts'
import { findStreet } from './location/find-street.ts'
import { introducedAddress, LONGEST } from './location/introduced-address.ts'
import { streetBefore } from './location/street-before.ts'
import { REACH } from './location/street-pieces.ts'
import { ADDRESS_INTRODUCTIONS, BOX_WORDS, POSTCODE_WORDS, STREET_WORDS } from './location/words.ts'
import { NO_NAMES, plain } from './person/lists.ts'

const TYPE = 'LOCATION'
const SHORTEST = 6
const PREFECTURES =
  '東京都 北海道 大阪府 京都府 神奈川県 愛知県 埼玉県 千葉県 兵庫県 福岡県 静岡県 茨城県 広島県 宮城県 新潟県 長野県 岐阜県 群馬県 栃木県 岡山県 福島県 三重県 熊本県 鹿児島県 沖縄県 滋賀県 山口県 愛媛県 長崎県 奈良県 青森県 岩手県 大分県 石川県 山形県 宮崎県 富山県 秋田県 香川県 和歌山県 佐賀県 山梨県 福井県 徳島県 高知県 島根県 鳥取県'.split(
    ' ',
  )

const BOX_NUMBER =
  /\.?\s{0,2}(?:nº|no\.?|nr\.?|n°|number|رقم|第)?[:#]?\s{0,2}(?:\d{2,6}(?:\s\d{2}){0,3}|\d{1,6})(?:号)?(?![\d\p{L}])/iuy
const POSTCODE =
  /[^\p{L}\p{N}\n]{0,4}(?:(?:is|ist|est|es|é|è|e|to|är|jest|हे|है|هو|是|は|는|은|คือ|là|adalah|number|no\.?|nr\.?)[^\p{L}\p{N}\n]{1,3}|[是はは는은]\s?){0,2}((?:[A-Z]{1,2}-)?(?:\d{5}-\d{3,5}|\d{10}|\d{4}-\d{3}|\d{2}-\d{3}|\d{3}-\d{4}|\d{3} \d{2,3}|\d{4} ?[A-Z]{2}|\d{3,7})|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![\p{Script=Latin}\p{Script=Cyrillic}\d]|[-.,]\d)/iuy
/** British postcodes, which are recognizable without a word near them. */
const BRITISH =
  /(?:AB|AL|B|BA|BB|BD|BH|BL|BN|BR|BS|BT|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|EH|EN|EX|FK|FY|G|GL|GU|GY|HA|HD|HG|HP|HR|HS|HU|HX|IG|IM|IP|IV|JE|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE)\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}(?![A-Za-z\d])/y
/** A place after a house number: `Am Bahnhof 5, 10969 Berlin`. */
const PLACE_BEHIND =
  /[,\n]\s{0,2}(?:[A-Z]{1,2}-)?\d{2,5}(?:[- ]\d{2,3})?(?: [A-Z]{2})? \p{Lu}[\p{L}\p{M}]{2}/uy

/** Street addresses, post boxes, and postcodes near a word for them. Each is found whole, with all its parts. */
export const location: Recognizer = {
  type: TYPE,
  label: 'Address',
  example: '12 Maple Street, Springfield, IL 62704',
  phrases: {
    street: STREET_WORDS,
    addressIntroduction: ADDRESS_INTRODUCTIONS,
    box: BOX_WORDS,
    postcode: POSTCODE_WORDS,
    prefecture: PREFECTURES,
  },
  find(page) {
    if (page.tokenCount === 0) return
    let read = 0
    page.eachPhrase('street', (start, end) => {
      // A street word within an address is a part of the address.
      if (end <= read || !page.hasTokenWithin(start - REACH, end + REACH)) return
      const street = findStreet(page.text, start, end)
      if (street) read = addWhole(page, street.start, street.end)
    })
    addIntroduced(page)
    page.eachPhrase('box', (start, end) => addBox(page, start, end))
    page.eachPhrase('postcode', (_, end) => addPostcode(page, end))
    page.eachPhrase('prefecture', (start) => {
      const address = japaneseAddress(page.text, start)
      if (address) page.add(TYPE, withPostcodeBefore(page.text, address.start), address.end, 'checked')
    })
    for (let token = 0; token < page.tokenCount; token++) findAroundNumber(page, token)
  },
  examples: [
    'I live at «12 Maple Street, Springfield, IL 62704». Bye',
    'send it to «Flat 3, 14 Church Lane, Leeds LS6 3AB»',
    'Ich wohne in der «Lindenstraße 12, 10969 Berlin».',
    "j'habite au «12 rue de la République, 69001 Lyon»",
    'Mi dirección es «Calle Mayor 12, 28013 Madrid».',
    'Indirizzo: «Via Roma 12, 20121 Milano»',
    'Moro na «Rua Augusta, 1500, São Paulo - SP, 01310-100».',
    'adres: «Keizersgracht 12, 1015 CJ Amsterdam»',
    '«ul. Długa 12/4, 00-238 Warszawa»',
    'Jag bor på «Storgatan 12, 114 55 Stockholm».',
    'Adresim «Atatürk Caddesi No: 12, 34722 Kadıköy/İstanbul»',
    'адрес: «ул. Ленина, д. 12, кв. 5, Москва, 125009»',
    '住所は«東京都渋谷区神南1-2-3»です',
    '我住在«北京市朝阳区建国路88号»',
    '주소는 «서울특별시 강남구 테헤란로 123»입니다',
    'PO box: «P.O. Box 1234»'.replace('PO box: ', ''),
    'my postcode is «SW1A 1AA»',
    '〒150-0002'.replace('150-0002', '«150-0002»'),
    '«221b Baker Street» is where I live',
    'alamat: «Jl. Sudirman No. 12, Jakarta Pusat 10220»',
    'ที่อยู่ «99/1 ถนนสุขุมวิท แขวงคลองเตย กรุงเทพมหานคร 10110»',
    'Abito in «via Garibaldi 12, 10122 Torino»',
    'Bitte liefern Sie an «An der Mühle 52»',
    'I live at «66 Oak Avenue, Leeds LS6 3AB». You can call me',
    'địa chỉ: «12 đường Lê Lợi, Quận 1, TP. Hồ Chí Minh»',
  ],
  counterExamples: [
    'it is 5 minutes down the street',
    'a 20 street party',
    'we walked along the road for 2 hours',
    'Wall Street fell by 12 percent',
    'open the way to 3 more',
    'the email address is wrong',
    'see page 12, 2024 edition',
    'send to 5 people',
    'moved to 2nd floor',
    'Copyright 2017 - 2022 R. Thomas',
    'Oferta hasta el 19-02-2026 La calle está cortada',
    'Nummer C024U7WK4CJ8 De straat is afgesloten',
    'the score was 2:3. The Golden Gate Bridge was closed',
    'it finished in 3512 ms Road trip',
    'Flug SQ1024',
    'founded on June 6, 2027 Berlin time',
    'iPhone with 256 GB Wall Street',
    'Speicherplatz 500 GB',
    'Postfach 2 GB voll',
    'Arbeitsplatz 12 hat kein Netz',
    'Versandweg 3 Tage',
    'Rückweg 12 km',
    'Fertigungsstraße 4 meldet Fehler 12',
    'the meeting moved to Monday 10:30',
    'const address: Address4 = parse(1234)',
    'the address 0x7ffee4c0',
    '카드로 50000원 결제했어요',
    '이메일로 2번 보냈어요',
    '할부로 12개월 가능해요?',
    '東京都の送料は500円ですか',
    '北海道への配送は3日かかります',
    '横浜市への配送は2-3日ですか',
    '苹果园12号线坏了',
  ],
}

/** Adds the addresses after introductions. Each ends where another finding begins. */
function addIntroduced(page: Page): void {
  const phrases = page.phrases('addressIntroduction')
  if (phrases.length === 0) return
  const others = page.findings
    .filter(({ type, strength }) => type !== TYPE && (strength === 'alone' || strength === 'checked'))
    .sort((a, b) => a.start - b.start)
  let next = 0
  for (let at = 0; at < phrases.length; at += 2) {
    const start = phrases[at] as number
    // If several introductions begin at the same place, the longest counts: `عنوان التوصيل`.
    if (phrases[at + 2] === start) continue
    const behind = phrases[at + 1] as number
    const address =
      page.hasTokenWithin(behind, behind + LONGEST) && introducedAddress(page.text, start, behind)
    if (!address) continue
    while (next < others.length && (others[next] as Finding).end <= address.start) next++
    const end = Math.min(address.end, others[next]?.start ?? address.end)
    const found = page.text.slice(address.start, end).trimEnd()
    // The words that introduce the other finding do not belong to the address.
    const kept = end < address.end ? found.replace(/[,،]\s*[^,،\d]*$/, '') : found
    if (end === address.end || (/\d/.test(kept) && kept.length >= SHORTEST))
      page.add(TYPE, address.start, address.start + kept.length, 'context')
  }
}

/** Adds the address whose street and number stand between two places. Returns its end. */
function addWhole(page: Page, start: number, end: number): number {
  const from = Math.max(start, behindIntroduction(page, end))
  const whole = extendAddress(page.text, end)
  page.add(TYPE, withPartBefore(page.text, from), whole, 'checked')
  return whole
}

/** Returns the end of the last introducing phrase before `end`. Its capital does not begin the name of the street. */
function behindIntroduction(page: Page, end: number): number {
  const found = page.phrases('addressIntroduction')
  const next = firstIndex(found.length / 2, (at) => (found[at * 2 + 1] as number) >= end)
  if (next === 0) return 0
  const behind = found[next * 2 - 1] as number
  return /^\s{0,3}$/.test(page.text.slice(behind, behind + 1)) ? behind + 1 : behind
}

const CITY_BEFORE =
  /(?:^|[^\p{L}\p{N}])((?:\d{5,6}, )?(?:г\. ?)?\p{Lu}[\p{Script=Cyrillic}-]{2,20}(?: \p{Lu}[\p{Script=Cyrillic}-]{2,20})?, (?:\d{5,6}, )?)$/u
const FLAT_BEFORE =
  /(?:^|[^\p{L}\p{N}])((?:flat|apt|apartment|unit|suite|floor|room|appt|appartement|wohnung|मकान नं|फ्लैट|प्लॉट|บ้านเลขที่|số)\.?\s?#?\d{1,5}\p{L}?,?\s)$/iu

/** Returns the start of the address if parts precede street and number: a flat or, in Russian order, the city. */
function withPartBefore(text: string, start: number): number {
  const before = text.slice(Math.max(0, start - 56), start)
  const part = FLAT_BEFORE.exec(before) ?? CITY_BEFORE.exec(before)
  return part ? start - (part[1] as string).length : start
}

function withPostcodeBefore(text: string, start: number): number {
  const match = /〒?\d{3}-\d{4}\s{0,2}$/.exec(text.slice(Math.max(0, start - 12), start))
  return match ? start - match[0].length : start
}

function addBox(page: Page, start: number, end: number): void {
  if (isAlphanumeric(page.text.charCodeAt(start - 1))) return
  BOX_NUMBER.lastIndex = end
  if (!BOX_NUMBER.test(page.text) || isAmount(page.text, end, BOX_NUMBER.lastIndex)) return
  const word = page.text.slice(start, end)
  // After short words for boxes, a place must follow the number, or the words must be in capitals.
  const whole = extendAddress(page.text, BOX_NUMBER.lastIndex)
  const isShort = /^(?:pl|pk|p\.k|cs|bp|b\.p|c\.p|box|casilla|apartado|т\.д)$/i.test(word)
  if (isShort && (whole === BOX_NUMBER.lastIndex ? word !== 'BP' : word === word.toLowerCase())) return
  page.add(TYPE, start, whole, 'checked')
}

function addPostcode(page: Page, end: number): void {
  POSTCODE.lastIndex = wordEnd(page.text, end)
  const match = POSTCODE.exec(page.text)
  if (match) page.add(TYPE, POSTCODE.lastIndex - (match[1] as string).length, POSTCODE.lastIndex, 'checked')
}

/** Adds addresses recognized by their house number: `Hauptstraße 12`, `建国路88号`, `Am Bahnhof 5, 10969 Berlin`. */
function findAroundNumber(page: Page, token: number): void {
  const { text } = page
  const start = page.tokenStart(token)
  const end = page.tokenEnd(token)
  if (page.tokenLetters(token) > 0) {
    if (page.tokenLetters(token) <= 2 && end - start <= 4) addBritish(page, start)
    return
  }
  if (end - start > 6) return
  const before = text.charCodeAt(start - 1)
  if (CLASS[before] === UNSPACED || (before === 32 && CLASS[text.charCodeAt(start - 2)] === UNSPACED)) {
    const address = addressAround(text, start, end)
    if (address) page.add(TYPE, withPostcodeBefore(text, address.start), address.end, 'checked')
    return
  }
  if (before !== 32) return
  const street = streetBefore(text, start)
  if (street >= 0) {
    if (isAmount(text, start, end)) return
    addWhole(page, street, houseEnd(text, end))
    return
  }
  const behind = text.charCodeAt(end)
  if (behind !== 44 && behind !== 10) return
  PLACE_BEHIND.lastIndex = end
  if (end - start > 4 || !PLACE_BEHIND.test(text)) return
  const name =
    /(?:^|[^\p{L}\p{N}])((?:(?:Am|Im|An der|Auf der|Zum|Zur|In der|Unter den|Alte[rs]?|Große[rs]?|Neue[rs]?|\p{Lu}[\p{L}.-]+) ){0,2}\p{Lu}[\p{L}.-]{2,30} )$/u.exec(
      text.slice(Math.max(0, start - 60), start),
    )
  // `June 6, 2027 Berlin` is a date.
  if (name && !NO_NAMES.has(plain((name[1] as string).trim())))
    addWhole(page, start - (name[1] as string).length, end)
}

/** Returns the end of the house number, possibly with a letter or a second number: `12 a`, `12-14`, `12/4`. */
function houseEnd(text: string, end: number): number {
  const match = /^(?:[-/]\d{1,4}[a-z]?(?![\d.])| ?[a-z](?![\p{L}\d'.]))/iu.exec(text.slice(end, end + 8))
  return match ? end + match[0].length : end
}

function addBritish(page: Page, start: number): void {
  BRITISH.lastIndex = start
  if (BRITISH.test(page.text)) page.add(TYPE, start, BRITISH.lastIndex, 'checked')
}
