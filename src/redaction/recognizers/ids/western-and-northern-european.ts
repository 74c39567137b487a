import {
  digitAt,
  isBornAt,
  isUniform,
  mod11,
  passesLuhn,
  passesMod11And10,
  passesVerhoeff,
  weigh,
} from '../../engine/check-digits.ts'
import type { Recognizer } from '../../engine/recognizer.ts'
import { code, idNumber } from './id-number.ts'

const isNino = (plain: string) => !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(plain)
const NINO = '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]'

function isFrench(plain: string): boolean {
  const month = Number(plain.slice(3, 5))
  if (month === 0 || (month > 12 && month < 20) || (month > 42 && month < 50)) return false
  const number = Number(plain.slice(0, 13).replace('2A', '19').replace('2B', '18'))
  return 97 - (number % 97) === Number(plain.slice(13))
}

function isSwedish(digits: string): boolean {
  const short = digits.slice(-10)
  const day = Number(short.slice(4, 6))
  return (
    passesLuhn(short) &&
    isBornAt(short, 0, 2, 4, undefined, day > 60 ? day - 60 : day) &&
    (digits.length < 12 || /^(?:19|20)/.test(digits))
  )
}

/** The letter stands for a remainder. */
function isIrish(plain: string): boolean {
  const second = plain.charAt(8)
  const sum =
    weigh(plain, [8, 7, 6, 5, 4, 3, 2]) + (second && second !== 'W' ? (second.charCodeAt(0) - 64) * 9 : 0)
  return 'WABCDEFGHIJKLMNOPQRSTUV'.charAt(sum % 23) === plain.charAt(7)
}

/** Numbers that countries in the west and north of Europe give to people and companies. */
export const westernAndNorthernEuropeanIds: readonly Recognizer[] = [
  idNumber({
    type: 'UK_NINO',
    label: 'UK National Insurance number',
    example: 'AB 12 34 56 C',
    words: 'national insurance*, ni number*, nino*, insurance number',
    codes: [
      code(new RegExp(`${NINO}\\d{6}[A-D]`, 'i'), 'checked', { letters: [2], digits: [6] }, isNino),
      code(
        /\d\d([ -]?)\d\d\1\d\d[ -]?[A-D]/i,
        'checked',
        { letters: [0], digits: [2, 6], lead: [`${NINO}[ -]`, 3] },
        isNino,
      ),
      code(
        new RegExp(`${NINO}\\d\\d \\d\\d \\d\\d [A-D]`, 'i'),
        'checked',
        { letters: [2], digits: [2] },
        isNino,
      ),
      code(new RegExp(`${NINO}\\d\\d ?\\d\\d ?\\d\\d ?[A-D]?`, 'i'), 'context', {}, isNino),
    ],
    found: [
      'NI number «AB 12 34 56 C»',
      '«AB123456C»',
      'my nino is «ab 123456 c»',
      'national insurance «JG103759A»',
    ],
    missed: ['BG123456C', 'order AB123456C', 'flight QF 12 34 56 C'],
  }),
  idNumber({
    type: 'UK_NHS',
    label: 'UK NHS number',
    example: '943 476 5919',
    words: 'nhs, nhs number*, nhs no, health service number',
    checked: '3 3 4|3-3-4',
    context: '10',
    passes(digits) {
      const check = 11 - mod11(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2])
      return (check === 11 ? 0 : check) === digitAt(digits, 9) && !isUniform(digits)
    },
    isIdentity: false,
    found: ['NHS number «943 476 5919»', 'nhs no: «9434765919»'],
    missed: ['NHS number 943 476 5918', 'the 9434765919th row'],
  }),
  idNumber({
    type: 'UK_UTR',
    label: 'UK unique taxpayer reference',
    example: '1955839661',
    words: 'utr, utr number*, unique taxpayer reference*, self assessment*, taxpayer reference*',
    context: '10|5 5|3 3 4|4 6',
    passes: (digits) =>
      '21987654321'.charAt(mod11(digits.slice(1), [6, 7, 8, 9, 10, 5, 4, 3, 2])) === digits.charAt(0),
    found: ['my UTR is «1955839661»', 'unique taxpayer reference: «19558 39661»'],
    missed: ['UTR 2955839661', '1955839661 views'],
  }),
  idNumber({
    type: 'FR_NIR',
    label: 'French NIR (social security number)',
    example: '1 85 05 78 006 084 91',
    words: 'nir, securite sociale, numero de secu*, secu, insee, carte vitale, n° secu*, num secu*',
    codes: [
      code(
        /[1-478]([ .-])\d\d\1\d\d\1(?:\d\d|2[AB])\1\d{3}\1\d{3}[ .-]?\d\d/i,
        'alone',
        { letters: [0], digits: [1] },
        isFrench,
      ),
      code(
        /[1-478]\d{4}(?:\d\d|2[AB])\d{6}[ .-]?\d\d/i,
        'checked',
        { letters: [0], digits: [6, 13, 15] },
        isFrench,
      ),
      code(/[1-478]([ .-]?)\d\d\1\d\d\1(?:\d\d|2[AB])\1\d{3}\1\d{3}/i, 'context'),
    ],
    found: [
      'Sécu : «1 85 05 78 006 084 91»',
      'mon NIR est «185057800608491»',
      'numéro de sécurité sociale «2 99 12 2A 004 012 28»',
    ],
    missed: ['NIR 185057800608492', 'commande 185057800608492'],
  }),
  idNumber({
    type: 'DE_TAX_ID',
    label: 'German tax identification number',
    example: '86 095 742 719',
    words:
      'steuer-id*, steuerid*, steueridentifikation*, steuer-identifikation*, steuernummer*, idnr, id-nr, tin, tax id*, identifikationsnummer*',
    checked: '2 3 3 3|2-3-3-3|2/3/3/3',
    context: '11',
    // One digit stands twice or thrice among the first ten.
    passes: (digits) =>
      !digits.startsWith('0') &&
      passesMod11And10(digits) &&
      [8, 9].includes(new Set(digits.slice(0, 10)).size),
    found: ['Steuer-ID «86 095 742 719»', 'Meine Steuer-ID lautet «86095742719».'],
    missed: ['Steuer-ID 86095742718', 'Bestellung 86095742719'],
  }),
  idNumber({
    type: 'NL_BSN',
    label: 'Dutch citizen service number',
    example: '111222333',
    words: 'bsn*, burgerservice*, sofi*, citizen service*',
    context: '9|4.2.3|4 2 3|3 3 3|3.3.3|2 3 2 2|4-2-3|8',
    passes: (digits) =>
      mod11(digits.padStart(9, '0'), [9, 8, 7, 6, 5, 4, 3, 2, -1]) === 0 && !isUniform(digits),
    found: ['BSN «111222333»', 'mijn burgerservicenummer is «1112.22.333»'],
    missed: ['BSN 111222334', '111222333'],
  }),
  idNumber({
    type: 'SE_PERSONNUMMER',
    label: 'Swedish personal identity number',
    example: '811218-9876',
    words: 'personnummer*, personnr, samordningsnummer*, pnr, person nr',
    checked: '6-4|8-4|6 4|8 4|12',
    context: '10',
    passes: isSwedish,
    codes: [code(/\d{6}\+\d{4}/, 'checked', { letters: [0], digits: [6] }, isSwedish)],
    found: [
      'personnummer «811218-9876»',
      '«19811218-9876»',
      'mitt personnummer är «198112189876»',
      'pnr «8112189876»',
    ],
    missed: ['personnummer 811218-9877', 'order 811218-9876'],
  }),
  idNumber({
    type: 'NO_FODSELSNUMMER',
    label: 'Norwegian birth number',
    example: '150780 10085',
    words: 'fodselsnummer*, personnummer*, fnr, d-nummer*',
    checked: '11|6 5|6-5',
    passes(digits) {
      const first = (11 - mod11(digits, [3, 7, 6, 1, 8, 9, 4, 5, 2])) % 11
      const second = (11 - mod11(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2])) % 11
      const isBorn = isBornAt(
        digits,
        -1,
        2,
        0,
        Number(digits.slice(2, 4)) % 40,
        Number(digits.slice(0, 2)) % 40,
      )
      return isBorn && first === digitAt(digits, 9) && second === digitAt(digits, 10)
    },
    found: ['fødselsnummer «15078010085»'],
    missed: ['fødselsnummer 15078010084', 'ordrenummer 15078010085'],
  }),
  idNumber({
    type: 'DK_CPR',
    label: 'Danish CPR number',
    example: '070761-4285',
    words: 'cpr*, personnummer*',
    checked: '6-4',
    context: '10|6 4',
    // Since 2007 there is no check digit.
    passes: (digits) => isBornAt(digits, 4, 2, 0),
    found: ['CPR «070761-4285»', 'mit CPR-nummer er «0707614285»'],
    missed: ['CPR 320761-4285', 'ordre 070761-4285'],
  }),
  idNumber({
    type: 'FI_PERSONAL_IDENTITY_CODE',
    label: 'Finnish personal identity code',
    example: '131052-308T',
    words: 'henkilotunnus*, hetu*, personbeteckning*',
    codes: [
      code(/[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-Y]/i, 'alone', { letters: [0], digits: [6] }, (plain) => {
        const digits = plain.slice(0, -1).replace(/\D/g, '')
        return (
          isBornAt(digits, 4, 2, 0) &&
          '0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(Number(digits) % 31) === plain.slice(-1)
        )
      }),
    ],
    found: ['hetu «131052-308T»', 'henkilötunnukseni on «131052A308T»'],
    missed: ['hetu 131052-308U'],
  }),
  idNumber({
    type: 'BE_NATIONAL_NUMBER',
    label: 'Belgian national register number',
    example: '85.07.30-033.28',
    words: 'rijksregister*, registre national, nationaal nummer, numero national, niss, insz, nrn',
    alone: '2.2.2-3.2|2.2.2-3-2|2.2.2.3.2|2 2 2 3 2|2-2-2-3-2|6 3 2|6-3-2',
    checked: '11',
    // For people born since 2000, a 2 is put in front for the calculation.
    passes(digits) {
      const number = Number(digits.slice(0, 9))
      const check = 97 - Number(digits.slice(9))
      return (
        Number(digits.slice(2, 4)) % 20 <= 12 &&
        (number % 97 === check || (2_000_000_000 + number) % 97 === check)
      )
    },
    found: ['rijksregisternummer «85.07.30-033.28»', 'NISS «85073003328»'],
    missed: ['rijksregisternummer 85.07.30-033.29'],
  }),
  idNumber({
    type: 'CH_AHV',
    label: 'Swiss AHV number',
    example: '756.9217.0769.85',
    words: 'ahv*, avs, oasi, sozialversicherungsnummer*',
    alone: '3.4.4.2|3 4 4 2|3-4-4-2',
    checked: '13',
    passes: (digits) =>
      digits.startsWith('756') && weigh(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0,
    // One with a slip, near a word.
    codes: [
      code(
        /756(?:[ .-]?\d{3,5}){2}[ .-]?\d{1,3}/,
        'context',
        {},
        ({ length }) => length >= 12 && length <= 14,
      ),
    ],
    found: [
      'AHV «756.9217.0769.85»',
      'AHV-Nummer «7569217076985»',
      'AHV «756.9217.0769.86»',
      'numéro AVS «756 9217 769 85»',
    ],
    missed: ['756.9217.0769.86', 'AHV 755.9217.0769.85', 'AHV 756.92'],
  }),
  idNumber({
    type: 'AT_SOCIAL_SECURITY',
    label: 'Austrian social insurance number',
    example: '1237 010180',
    words: 'sozialversicherung*, svnr*, sv-nummer*, sv-nr*, versicherungsnummer*',
    checked: '4 6|4-6|4/6',
    context: '10',
    passes: (digits) =>
      digits >= '1' &&
      mod11(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) === digitAt(digits, 3) &&
      Number(digits.slice(6, 8)) <= 15,
    found: ['SVNR «1237 010180»', 'Sozialversicherungsnummer: «1237010180»'],
    missed: ['SVNR 1238 010180'],
  }),
  idNumber({
    type: 'IE_PPSN',
    label: 'Irish PPS number',
    example: '1234567T',
    words: 'pps*, ppsn*, pps no*, personal public service*',
    codes: [code(/\d{7} ?[A-W][A-IW]?/i, 'context', {}, isIrish)],
    found: ['PPS number «1234567T»', 'my PPSN is «1234567FA»'],
    missed: ['PPS number 1234567A', '1234567T'],
  }),
  idNumber({
    type: 'LU_MATRICULE',
    label: 'Luxembourg national identification number',
    example: '1893120105732',
    words: 'matricule*, numero national*, matrikel*, cns',
    checked: '13|8 3 2|8-3-2|4 2 2 3 2|4 2 2 5|8 5',
    passes: (digits) =>
      isBornAt(digits, 2, 4, 6) &&
      /^(?:18|19|20)/.test(digits) &&
      passesLuhn(digits.slice(0, 12)) &&
      passesVerhoeff(digits.slice(0, 11) + digits.charAt(12)),
    found: ['matricule: «1893120105732»', 'Matrikelnummer «1893 12 01 057 32»'],
    missed: ['matricule 1893120105733'],
  }),
]
