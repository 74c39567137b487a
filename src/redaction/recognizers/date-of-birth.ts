import { CLASS, UNSPACED } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { step } from '../engine/step.ts'
import { BIRTH_WORDS, BORN_BEHIND_WORDS } from './birth-words.ts'

const TYPE = 'DATE_OF_BIRTH'
const REACH = 36
/** The largest distances before a phrase at which a date may end, and at which the date's last number may begin. */
const CLOSEST = 14
const CLOSE = 24
/** The most characters before the first digit of a date. */
const LONGEST_LEAD = 20

/**
 * Dates in the layouts used around the world. Any word may stand for the month, because only dates near a word for
 * birth are examined.
 */
const MONTH = "[\\p{L}\\p{M}.']{2,16}"
const DATES = [
  '(?:ngày |mồng |mùng )?\\d{1,2} tháng \\d{1,2}(?: năm|,)? \\d{4}',
  '\\d{4}[-./]\\d{1,2}[-./]\\d{1,2}',
  '\\d{1,2}([-./]) ?\\d{1,2}\\1 ?(?:\\d{4}|\\d{2})',
  '\\d{1,2} \\d{1,2} \\d{4}',
  '(?:19|20)\\d{2}[01]\\d[0-3]\\d',
  `\\d{1,2}(?:st|nd|rd|th|er|º|ª|°|\\.|-го|-е)?(?: of| de| del|e)?[ -]${MONTH},?(?: of| de| del| do ano|)?[ -](?:พ\\.ศ\\. ?|b\\.e\\. ?)?(?:\\d{4}|'?\\d{2}(?!\\d))(?: ?(?:г\\.|года|року|р\\.))?`,
  `${MONTH} \\d{1,2}(?:st|nd|rd|th)?,? (?:\\d{4}|'\\d{2})`,
  '(?:昭和|平成|令和|大正|民國|民国|[shr])?\\d{1,4} ?[年년] ?\\d{1,2} ?[月월] ?\\d{1,2} ?[日号號일]?',
  `\\d{4}[ -]${MONTH}[ -]\\d{1,2}`,
]
/** Years in words, and the words that go on with them. A month's name stands between the day and the year. */
const YEAR_WORDS =
  '(?:nineteen|twenty|two thousand|neunzehnhundert|zweitausend|mille neuf cent|deux mille|dix-neuf cent|mil novecientos|dos mil|mil novecentos|dois mil|millenovecento|duemila|negentien|negentienhonderd|tweeduizend|nittonhundra|tvåtusen|nittenhundre|totusen|тысяча девятьсот|две тысячи|tysiąc dziewięćset|dwa tysiące)'
const NUMBER_WORD =
  '(?:and|und|et|e|y|en|og|och|i|hundred|hundert|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thir|four|fif|six|seven|eigh|nine|twenty|forty|fifty|oh|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dreiß|vierz|un|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quator|quinze|seize|vingt|trente|quarante|cinquante|soixante|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|cator|quince|dieci|veint|treint|cuarent|cincuent|sesent|setent|ochent|novent|dois|três|sete|oito|nove|dez|vinte|trinta|quarenta|sessenta|setenta|oitenta|due|tre|quattro|cinque|sei|sette|otto|undici|vent|trent|quarant|cinquant|sessant|settant|ottant|novant|тридцат|сорок|пятьдесят|шестьдесят|семьдесят|восемьдесят|девяност|перв|втор|трет|четв|пят|шест|седьм|восьм|девят|десят|год)'
const MONTH_NAMES =
  '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|jän|mär|mai|okt|dez|janv|févr|fevr|avril|juin|juil|août|aout|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|out|mrt|maart|mei|maj|янв|февр|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|stycz|lut|kwie|czerw|lip|sierp|wrze|paźdz|listop|grud)'
/** Bare digits: day, month and year in any order. */
DATES.push(
  '(?:0[1-9]|[12]\\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)?\\d{2}',
  '(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:19|20)?\\d{2}',
  '\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])',
)
const WORDED = new RegExp(
  `(?:${[
    `(?:(?:the|am|le|el|il|dia|den|на|de) )?(?:[\\p{L}-]{2,20}|\\d{1,2}(?:st|nd|rd|th|\\.)?)(?: [\\p{L}-]{2,12})? (?:of |de |d')?${MONTH_NAMES}[\\p{L}\\p{M}]{0,8},? (?:of |de |del |do ano )?`,
    `${MONTH_NAMES}[\\p{L}\\p{M}]{0,8} (?:the )?[\\p{L}-]{2,20},? `,
  ].join('|')})${YEAR_WORDS}[\\p{L}\\p{M}-]{0,30}(?: ${NUMBER_WORD}[\\p{L}\\p{M}-]{0,16}){0,5}`,
  'iuy',
)
const WORDED_BEFORE = new RegExp(`(?:^|[^\\p{L}\\p{M}\\d])(${WORDED.source})[^\\S\\n]{0,2}$`, 'iu')
const WORDED_REACH = 90
const A_YEAR = new RegExp(YEAR_WORDS, 'iu')
const A_MONTH = new RegExp(MONTH_NAMES, 'iu')
const TO_WORDS = /[^\S\n]{0,2}[:：]?[^\S\n]{0,2}(?:(?:is|on|ist|est|es|è|é) )?/iuy
const DATE = new RegExp(`(?:${DATES.join('|')})(?!\\d|[\\p{Script=Latin}\\p{Script=Cyrillic}]{2})`, 'iuy')
const ANY_DATE = new RegExp(`(?:${DATES.join('|')})`, 'giu')

/** Dates near a word which says that somebody was born then. */
export const dateOfBirth: Recognizer = {
  type: TYPE,
  label: 'Date of birth',
  example: '12 March 1985',
  phrases: { birth: BIRTH_WORDS, bornBehind: BORN_BEHIND_WORDS },
  find(page) {
    const before = page.phrases('birth')
    let read = 0
    for (let at = 0; at < before.length; at += 2) {
      const end = before[at + 1] as number
      if (isNegation(page.text, before[at] as number, end)) continue
      const from = step(TO_WORDS, page.text, end)
      const worded = step(WORDED, page.text, from)
      if (worded > from) page.add(TYPE, from, worded, 'alone')
      else read = findBehind(page, end, read)
    }
    const behind = page.phrases('bornBehind')
    for (let at = 0; at < behind.length; at += 2) {
      const start = behind[at] as number
      if (isWithinWord(page.text, start, behind[at + 1] as number)) continue
      if (!findWordedBefore(page, start)) findBefore(page, start)
    }
  },
  examples: [
    'I was born on «12 March 1985» in Leeds',
    'DOB: «03/12/1985»',
    'geboren am «12.03.1985»',
    'née le «12 mars 1985»',
    'nací el «12 de marzo de 1985»',
    'date of birth «1985-03-12»',
    'дата рождения: «12.03.1985»',
    '«1985年3月12日»生まれです',
    '生年月日は«1985年3月12日»です',
    'my birthday is «March 12, 1985»',
    '생년월일: «1985년 3월 12일»',
    'ngày sinh: «12/03/1985»',
    'DOB «12031985»',
    'Geburtsdatum: «120385»',
    'date of birth: «twelfth of March nineteen eighty-five»',
    'geboren «am zwölften März neunzehnhundertfünfundachtzig»',
    'née «le douze mars mille neuf cent quatre-vingt-cinq», merci',
    'bin «am siebten januar neunzehnhundertneunzig» geboren',
    'დაბადების თარიღი «1940-01-15»',
    'nací «el doce de marzo de mil novecientos ochenta y cinco».',
  ],
  counterExamples: [
    'meet on 12 March 2024',
    'the invoice of 03/12/2024',
    'born to be wild',
    'La version ne bouge pas depuis le 27/09/2020',
    '优惠截止2025-11-16，先生您好',
    'The company was founded on 1985-03-12',
  ],
}

/** Tells whether `ne` is a negation, as in `ne bouge pas`, rather than French for "born" without its accent. */
function isNegation(text: string, start: number, end: number): boolean {
  return /^nee?$/i.test(text.slice(start, end)) && !/^ (?:le|en) /i.test(text.slice(end, end + 4))
}

/** Tells whether the single character for "born" is part of a word, as in `先生`, rather than directly after a date. */
function isWithinWord(text: string, start: number, end: number): boolean {
  return (
    end - start === 1 &&
    CLASS[text.charCodeAt(start - 1)] === UNSPACED &&
    !/[日号號月年일]/.test(text.charAt(start - 1))
  )
}

/**
 * Finds the first date within reach after a phrase, in the same sentence. No date begins before `read`. Returns the
 * next `read`.
 */
function findBehind(page: Page, from: number, read: number): number {
  const { text } = page
  const limit = Math.min(text.length, from + REACH)
  if (!page.hasTokenWithin(from, limit + LONGEST_LEAD)) return read
  for (let at = Math.max(from, read); at < limit; at++) {
    const char = text.charAt(at)
    const mayBegin = char !== ' ' && page.hasTokenWithin(at, at + LONGEST_LEAD)
    if (mayBegin && (at === from || !WORDLY.test(text.charAt(at - 1)))) {
      DATE.lastIndex = at
      if (DATE.test(text)) {
        page.add(TYPE, at, DATE.lastIndex, 'alone')
        return at
      }
    }
    if (char === '\n' && text.charAt(at + 1) === '\n') return at
    if (/[.!?。]/.test(char) && /\s/.test(text.charAt(at + 1)) && at > from + 4) return at
  }
  return Math.max(limit, read)
}

const WORDLY = /[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]/u

/** Finds the date in words that ends right before a phrase. */
function findWordedBefore(page: Page, until: number): boolean {
  const from = Math.max(0, until - WORDED_REACH)
  const before = page.text.slice(from, until)
  const match = A_YEAR.test(before) && A_MONTH.test(before) ? WORDED_BEFORE.exec(before) : null
  if (!match) return false
  const start = from + match.index + match[0].indexOf(match[1] as string)
  page.add(TYPE, start, start + (match[1] as string).length, 'alone')
  return true
}

/** Finds the date that ends shortly before a phrase. */
function findBefore(page: Page, until: number): void {
  const from = Math.max(0, until - REACH - 8)
  if (!page.hasTokenWithin(Math.max(from, until - CLOSE), until)) return
  const before = page.text.slice(from, until)
  for (const match of before.matchAll(ANY_DATE)) {
    const end = match.index + match[0].length
    if (before.length - end > CLOSEST || /[\n.!?。]/.test(before.slice(end))) continue
    if (/[\d\p{Script=Latin}]/u.test(before.charAt(match.index - 1))) continue
    page.add(TYPE, from + match.index, from + end, 'alone')
  }
}
