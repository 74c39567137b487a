import { CLASS, UNSPACED } from '../engine/characters.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { findAgain } from './person/find-again.ts'
import { type Name, readJapaneseName, readName, readSmallName } from './person/read-name.ts'
import {
  isThaiGivenName,
  readHanBefore,
  readHangulBefore,
  readJapaneseBefore,
} from './person/read-unspaced.ts'
import {
  CLOSINGS,
  GREETINGS,
  INTRODUCTIONS,
  LABELS,
  TITLES,
  TITLES_BEHIND,
  WEAK_INTRODUCTIONS,
} from './person/words.ts'

const TYPE = 'PERSON'

/** Names where they are introduced, in greetings, closings and behind titles, and wherever they stand again. */
export const person: Recognizer = {
  type: TYPE,
  label: "Person's name",
  example: 'Maria Schneider',
  phrases: {
    introduction: INTRODUCTIONS,
    nameLabel: LABELS,
    weakIntroduction: WEAK_INTRODUCTIONS,
    nameTitle: TITLES,
    titleBehind: TITLES_BEHIND,
    greeting: GREETINGS,
    closing: CLOSINGS,
  },
  find(page) {
    const names: Name[] = []
    const closings = new Set(page.phrases('closing'))
    for (const [kind, read] of READERS) {
      const found = page.phrases(kind)
      let last: Name | undefined
      for (let at = 0; at < found.length; at += 2) {
        const start = found[at] as number
        // A phrase within a name is a part of it.
        if (last && start >= last.start && start < last.end) continue
        const name = read(page.text, found[at + 1] as number, start)
        if (!name || closings.has(name.start)) continue
        names.push(name)
        last = name
      }
    }
    for (const { start, end } of names) page.add(TYPE, start, end, 'context')
    findAgain(page.text, names, (start, end) => page.add(TYPE, start, end, 'context'))
  },
  examples: [
    'my name is «Anna Smith». Please tell Anna'.replace(/Anna$/, '«Anna»'),
    'my name is «john smith», hello',
    'Sehr geehrte Frau «Schneider»,',
    'Dear «Emily»,\nthank you',
    'Regards,\n«Jean-Pierre Lambert»',
    "I'm «Maria» from accounting",
    'Me llamo «José García López» y vivo aquí',
    'Nazywam się «Małgorzata Zielińska».',
    'меня зовут «Иван Петров», здравствуйте',
    'اسمي «محمد أحمد» وأريد المساعدة',
    'मेरा नाम «राहुल शर्मा» है',
    '我叫«王小明»，你好',
    '请联系«王»先生',
    '私の名前は«田中太郎»です',
    '«山田»様、お世話になります',
    '제 이름은 «김민수»입니다',
    '«김민수»님 안녕하세요',
    'ผมชื่อ«สมชาย ใจดี» ครับ',
    'Tôi tên là «Nguyễn Văn An», xin chào',
    'Nama saya «Budi Santoso».',
    'Name: «Hannah Morgan»',
    'Adım «Ayşe Aydın», merhaba',
    'Yours, Dr. «van der Berg»',
    'Name: «Müller, Sabine»',
    'The record {"first_name":"«Hannah»","last_name":"«Morgan»"}',
    '**Name:** «Emily Thompson»',
    '氏名　«佐藤花子»',
    'LG «Sabine»',
    'Please contact «Hannah Morgan» at once',
    'Kontoinhaber «Anna Hoffmann»',
    'Naam: «S. de Vries»',
    'С уважением,\n«Морозова С. В.»',
    'Soy «Íñigo Etxeberria»',
    'Chào chị «Mai»,',
    'คุณ«วรรณา» โทรมา',
    'ผมชื่อ«กิตติ มีสุข»ครับ',
  ],
  counterExamples: [
    'Hi Team, any news?',
    'Dear Customer, thank you',
    'This is important',
    'I am American and happy',
    'Thanks for the help',
    'my name is on the list',
    'Best regards',
    'お客様、皆様',
    '고객님 안녕하세요',
    'The file name is config',
    'Hello World',
    'I miss Paris',
    'call me later',
    'ask for help',
    'a function is called TryAgain',
    'product name: Blue Widget',
    '{"name": "Blue Widget"}',
    'Dr. Pepper and Miss Universe',
    'From: Berlin To: Munich',
    'Hóa đơn INV-2024-44189',
    'คุณช่วยได้ไหม',
  ],
}

type ReadAfter = (text: string, end: number, start: number) => Name | undefined

const READERS: readonly (readonly [string, ReadAfter])[] = [
  ['introduction', readIntroduced],
  ['nameLabel', readLabelled],
  ['weakIntroduction', readWeak],
  ['nameTitle', readTitled],
  ['titleBehind', readBeforeTitle],
  ['greeting', readGreeted],
  ['closing', readClosing],
]

/** What may stand between an introduction and the name. */
const JOINT =
  /(?:\s{0,2}(?:is|ist|lautet|est|es|e|é|è|jest|to|är|er|:|-|=|,|"|'|“|«|\(|هو|هي|是|叫|는|은|คือ|là|la|adalah|—|ค่ะ|ครับ)(?![\p{L}\p{M}])){0,2}\s{0,2}["'“«„]?(?:(?:mr|mrs|ms|miss|dr|prof|herr|frau|sr|sra|sig|pan|pani|г-н|г-жа|السيد|السيدة|श्री|श्रीमती|นาย|นางสาว|นาง|คุณ)\.?\s)?/iuy
const COLON =
  /(?:\*\*|__|<\/\w{1,8}>)?\s{0,2}(?:\([^)\n]{0,20}\)\s?)?(?:[:=|]|\t|は|-(?= ))(?:\*\*|__|<\/\w{1,8}>)?\s{0,3}["'“«„]?(?:(?:mr|mrs|ms|miss|dr|prof|herr|frau|sr|sra|sig|pan|pani)\.?\s)?/iuy

/** Between the key and the value of JSON. */
const KEY_COLON = /["']\s{0,2}:\s{0,2}["']/y
/** Labels behind which forms leave a space alone. */
const SPACED_LABEL =
  /^(?:氏名|お名前|ご氏名|姓名|フリガナ|ふりがな|성명|성함|이름|ชื่อ-นามสกุล|ชื่อ-สกุล|ชื่อ นามสกุล)$/
/** Labels of letters that are everyday words besides. */
const OF_MAIL = /^(?:from|to|cc|author)$/i

const DEVANAGARI = /[\u0900-\u097f]/

/** What else has a name. */
const OF_THINGS =
  /(?:file|folder|host|domain|user|product|company|brand|variable|column|table|class|function|project|package|model|server|branch|app|pet|dog|cat|store|shop|city|street|school|team|group|event|firmen|datei|produkt|marken)[ -]?$/i

function isOfThing(text: string, start: number): boolean {
  return (
    start > 0 &&
    text.charCodeAt(start - 1) < 128 &&
    OF_THINGS.test(text.slice(Math.max(0, start - 16), start))
  )
}

function readIntroduced(text: string, end: number, start: number): Name | undefined {
  if (isOfThing(text, start)) return
  const from = after(JOINT, text, end)
  const name = readAny(text, from)
  const goesOn = /^\s?(?:[,.।!\n]|है|हैं|हूँ|और|$)/
  if (name && DEVANAGARI.test(text.charAt(from)) && !goesOn.test(text.slice(name.end, name.end + 5))) return
  const phrase = text.slice(start, end)
  if (name || /^(?:the\s+)?names?\s+(?:is|are)$/i.test(phrase) || OF_ANYBODY.test(phrase)) return name
  const small = readSmallName(text, from)
  return small && (small.isGiven || !/^call me$/i.test(phrase)) ? small : undefined
}

/** Introductions behind which words in small letters say who is meant without a name: `ask for help`. */
const OF_ANYBODY =
  /^(?:ask for|spoke (?:with|to)|speaking with|talked to|account of|in the name of|under the name|registered to|addressed to|signed by|holder is|account holder is|patient is|the patient)$/i

function readLabelled(text: string, end: number, start: number): Name | undefined {
  if (/[@\w/]/.test(text.charAt(start - 1)) || isOfThing(text, start)) return
  const label = text.slice(start, end)
  if (OF_MAIL.test(label) && !beginsLine(text, start)) return
  const isKey = /["']/.test(text.charAt(end))
  const from = isKey ? after(KEY_COLON, text, end) : labelEnd(text, end, label)
  if (from <= end) return
  const name = readAny(text, from)
  if (!name) return
  // What JSON calls a name may be that of anything.
  if (isKey && label.toLowerCase() === 'name' && !name.isGiven) return
  const isWhole = isKey ? /["']/.test(text.charAt(name.end)) : endsLine(text, name.end)
  return withGivenName(text, name) ?? (name.words > 1 || name.isGiven || isWhole ? name : undefined)
}

/** Where what a label speaks of begins: behind a colon, or behind a space in forms that have none. */
function labelEnd(text: string, end: number, label: string): number {
  const colon = after(COLON, text, end)
  return colon === end && SPACED_LABEL.test(label) ? after(/ {1,3}(?=\S)/y, text, end) : colon
}

/** `Müller, Sabine` */
function withGivenName(text: string, family: Name): Name | undefined {
  if (family.words > 2 || text.charAt(family.end) !== ',') return
  const given = readName(text, after(/,\s?/y, text, family.end))
  return given?.isGiven && given.words < 4
    ? { ...family, end: given.end, words: family.words + given.words }
    : undefined
}

/** Japanese where kana stand near, else whatever the script is. */
function readAny(text: string, from: number): Name | undefined {
  if (CLASS[text.charCodeAt(from)] !== UNSPACED) return readName(text, from)
  const near = text.slice(Math.max(0, from - 12), from + 12)
  const isJapanese = /[\u3041-\u30ff]/.test(near) || /氏名|名前|宛名|名義|受取人|差出人|様/.test(near)
  return isJapanese ? readJapaneseName(text, from) : readName(text, from)
}

/** «I am» in languages that write small what else one can be. */
const OF_ONESELF =
  /^(?:soy|sono|je suis|sou|sou [oa]|ik ben|jag är|jeg er|olen|jestem|jsem|ben|ici|hier ist|hier spricht|aqui [eé]|qui [eè]|u spreekt met|tu|tady|eu sunt|ja sam|ειμαι|είμαι|я)$/i

function readWeak(text: string, end: number, start: number): Name | undefined {
  const from = after(/\s?[:,-]?\s{0,2}/y, text, end)
  const name = readName(text, from)
  if (!name) return
  const char = text.charCodeAt(from)
  const rest = text.slice(name.end, name.end + 24)
  if (CLASS[char] === UNSPACED) {
    return /^(?:입니다|이에요|예요|라고|이라고|です|と申|[，,。.!！\s]|$)/.test(rest) ? name : undefined
  }
  if (name.isGiven && name.words <= 4) return name
  const isShort = name.words === 2 || name.words === 3
  if (
    isShort &&
    OF_ONESELF.test(text.slice(start, end)) &&
    /^(?:[.,!\n]|$| (?:e|y|et|en|i|ve|och|og|и) )/.test(rest)
  )
    return name
  const speaks =
    /^(?:,| (?:from|calling|here|speaking|aus|von|vom|de|da|van|z|ze|från|из|из|з|dari|aquí|hier|à l'appareil)\b| (?:बोल|से)(?= ))/u.test(
      rest,
    )
  return name.words >= 2 && name.words <= 3 && speaks ? name : undefined
}

const CAPITAL_TITLES =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|doctor|captain|capt|judge|coach|don|dona|m\.|fr|hr|ing|lic|dl|sn|bayan|sig|sr|em|ba|co|mas|bang|bac|chu|thay|mang|madam|nurse|aunt|uncle|auntie|sgt|hon|rev)/i

function readTitled(text: string, end: number, start: number): Name | undefined {
  const title = text.slice(start, end)
  if (text.charAt(start - 1) === '.' || text.charAt(start - 1) === "'" || text.charAt(start - 1) === '-')
    return
  const isThai = /[\u0e00-\u0e7f]/.test(title)
  const from = isThai ? after(/\s?/y, text, end) : after(/\.?(?: {1,2}(?:dr|prof|doc)\.)? {1,2}/iy, text, end)
  if (!isThai && from === end) return
  // In languages that write such titles small a capital behind it is enough; English ones begin with a capital.
  const isSmall = title.charAt(0) === title.charAt(0).toLowerCase()
  if (
    isSmall &&
    /^(?:mr|mrs|ms|miss|dr|prof|sir|doctor|captain|judge|coach|madam|nurse|hon|rev|ing|fr|hr|sn|m\.|dl|em|co|mas|bang|aunt|uncle|auntie|ba|bac)$/i.test(
      title,
    ) &&
    !/^(?:mr|mrs|dr|prof)$/.test(title) &&
    !isVietnamese(text, from)
  )
    return
  const name = readName(text, from)
  if (!name || NOBODY.test(`${title} ${text.slice(from, name.end)}`)) return
  // Of itself the title is «you».
  if (isThai) return title !== 'คุณ' || isThaiGivenName(text, from) ? name : undefined
  if (title.toLowerCase() === 'don' && title.charAt(0) === 'D') return name.words > 1 ? name : undefined
  return CAPITAL_TITLES.test(title) || name.words < 5 ? name : undefined
}

/** Products, shows and figures that bear a title. */
const NOBODY =
  /^(?:dr (?:pepper|martens|oetker|who|dre|evil|zhivago)|doctor (?:who|zhivago)|mr (?:robot|clean|beast|potato|muscle)|mrs (?:doubtfire|maisel|dalloway)|miss (?:universe|world|america|marple)|captain (?:america|marvel|hook|planet)|sir lancelot|judge dredd|uncle sam|aunt jemima|frau holle|pan[aeu]? (?:tadeusz|wołodyjowsk|twardowsk)\p{L}*|don (?:quijote|quixote|giovanni|corleone)|madame (?:bovary|tussauds|butterfly))(?!\p{L})/iu

function isVietnamese(text: string, at: number): boolean {
  return /[ăâđêôơưĂÂĐÊÔƠƯ\u1ea0-\u1ef9]/.test(text.slice(Math.max(0, at - 40), at + 40))
}

function readBeforeTitle(text: string, end: number, start: number): Name | undefined {
  const title = text.slice(start, end)
  if (title.charAt(0) === '様' && /[々子式態相]/.test(text.charAt(end))) return
  if (title === '君' && /[のがは]/.test(text.charAt(end))) return
  let from = start
  // «이라고 합니다» is a phrase of its own, and its copula none of the name.
  if (title.startsWith('라고') && text.charAt(start - 1) === '이') return
  if (/^[\uac00-\ud7af]/.test(title)) from = readHangulBefore(text, start)
  else if (/^[ぁ-ん様氏君]/.test(title))
    from = title.startsWith('です') ? start : readJapaneseBefore(text, start)
  else if (/^[\u3400-\u9fff]/.test(title))
    from = isJapaneseNear(text, start) ? readJapaneseBefore(text, start) : readHanBefore(text, start)
  else {
    const before =
      /(?:^|[^\p{L}\p{M}])(\p{Lu}[\p{L}\p{M}]+(?: \p{Lu}[\p{L}\p{M}]+)?|[\u0900-\u097f]{3,16}) $/u.exec(
        text.slice(Math.max(0, start - 40), start),
      )
    if (before) {
      const name = before[1] as string
      return { start: start - 1 - name.length, end: start - 1, words: 1, isGiven: false }
    }
  }
  const until = text.charAt(start - 1) === ' ' ? start - 1 : start
  return from < until ? { start: from, end: until, words: 1, isGiven: false } : undefined
}

function isJapaneseNear(text: string, at: number): boolean {
  return /[\u3041-\u3096]/.test(text.slice(Math.max(0, at - 20), at + 12))
}

/** Greetings at the head of a letter alone. */
const OF_ENVELOPES = /^(?:to|attn|gui|yth|kepada)$/i

/** Greetings that are said to one person alone, in scripts without capitals. */
const DEAR = /^(?:عزيز|أخي|أختي|الأخ|प्रिय|आदरणीय|প্রিয়)/

function readGreeted(text: string, end: number, start: number): Name | undefined {
  if (OF_ENVELOPES.test(text.slice(start, end)) && !beginsLine(text, start)) return
  const from = after(
    /[ \t]{0,2},?[ \t]?(?:(?:and|dear|liebe|lieber|cher|chère|caro|cara|frau|herr|fru|pan|pani|mr|mrs|ms|dr|sr|sra)\.?\s)?/iy,
    text,
    end,
  )
  const isGlued = from === end && /[\uac00-\ud7af\u0e00-\u0e7f]/.test(text.charAt(end))
  if (isGlued) return
  const name = from > end || CLASS[text.charCodeAt(end)] === UNSPACED ? readName(text, from) : undefined
  if (!name || name.words > 4) return
  const closes = /^\s?(?:[,!.:;?،，！。—-]|\n|$)/.test(text.slice(name.end, name.end + 3))
  if (HAS_CASE.test(text.charAt(from))) return closes || name.isGiven ? name : undefined
  const isUnspaced = CLASS[text.charCodeAt(from)] === UNSPACED
  return closes && (isUnspaced || name.isGiven || DEAR.test(text.slice(start, end))) ? name : undefined
}

const HAS_CASE = /\p{Lu}/u
const CLOSING_GAP =
  /(?:[,.!:،，、।。~♥]|[^\S\n]|\p{Extended_Pictographic}|\ufe0f|(?:und|and|a|e|et|y|en|och|i|и)(?= )){0,6}/uy
const LINE_GAP =
  /[^\S\n]{0,4}(?:\n[^\S\n]{0,4}){0,3}(?:[-–—~][^\S\n]?)?(?:(?:mr|mrs|ms|dr|prof|your|ihr|ihre|votre|su|dein|deine|ваш|ваша|pan|pani)\.?\s)?/iuy

function readClosing(text: string, end: number): Name | undefined {
  // Most words of thanks go on with the sentence.
  const next = text.charCodeAt(end + 1)
  if (text.charCodeAt(end) === 32 && next >= 97 && next <= 122) return
  const gap = after(CLOSING_GAP, text, end)
  const from = after(LINE_GAP, text, gap)
  const isNewLine = text.slice(gap, from).includes('\n')
  if (!isNewLine && !HAS_CASE.test(text.charAt(from))) return
  if (from === end) return
  const name = readAny(text, from)
  if (!name || name.words > 4) return
  // Without a comma it may be what the greetings are for.
  if (!isNewLine && !name.isGiven && !/[,،،，、]/.test(text.slice(end, gap))) return
  return endsLine(text, name.end) &&
    (isNewLine || name.isGiven || name.words > 1 || text.length - name.end < 3)
    ? name
    : undefined
}

/** Whether nothing but a full stop or a title stands between here and the end of the line. */
function endsLine(text: string, at: number): boolean {
  return /^[^\S\n]{0,3}(?:[.!,"'”»)]|드림|올림|拝|敬上)?[^\S\n]{0,3}(?:\n|$)/.test(text.slice(at, at + 12))
}

/** Whether nothing but spaces stands between here and the beginning of the line. */
function beginsLine(text: string, at: number): boolean {
  return /(?:^|\n)[^\S\n]*$/.test(text.slice(Math.max(0, at - 4), at))
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
