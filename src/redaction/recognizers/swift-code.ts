import { isAlphanumeric } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const COUNTRIES = new Set(
  'AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CU CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NZ OM PA PE PF PG PH PK PL PM PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR ST SV SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  ),
)
const CODE = /[A-Z]{4}([A-Z]{2})[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![A-Za-z0-9])/y
const REACH = 40
/** The distance from an IBAN within which a code needs no word. */
const BESIDE = 4

/** SWIFT/BIC codes (ISO 9362) near a word for them. Without such a word they look like words in capitals. */
export const swiftCode: Recognizer = {
  type: 'SWIFT_CODE',
  label: 'SWIFT/BIC code',
  example: 'DEUTDEFF500',
  phrases: {
    swiftWord: [
      'swift*',
      'bic',
      'bic*',
      'swift/bic',
      'bankleitzahl*',
      'код swift',
      'свифт',
      'بيك',
      'البيك',
      'سويفت',
      'السويفت',
      'swift कोड',
      'स्विफ्ट',
      'σουιφτ',
    ],
  },
  find(page) {
    const words = page.phrases('swiftWord')
    for (let at = 0; at < words.length; at += 2) {
      addFirst(page, words[at + 1] as number, REACH)
    }
    for (const { type, end } of [...page.findings]) if (type === 'IBAN_CODE') addFirst(page, end, BESIDE)
  },
  examples: ['SWIFT: «DEUTDEFF500»', 'the BIC is «BNPAFRPP»', 'BIC/SWIFT «CHASUS33»'],
  counterExamples: ['WELCOMED everyone', 'Taylor Swift DISCOVER tour'],
}

/** Adds the first code that begins within reach. */
function addFirst(page: Page, from: number, reach: number): void {
  const { text } = page
  for (let start = from; start < from + reach && start < text.length; start++) {
    if (isAlphanumeric(text.charCodeAt(start - 1))) continue
    CODE.lastIndex = start
    const match = CODE.exec(text)
    if (!match || !COUNTRIES.has(match[1] as string)) continue
    page.add('SWIFT_CODE', start, CODE.lastIndex, 'checked')
    return
  }
}
