import type { Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

/** Any number that is called an identity number. Kinds with a known scheme have recognizers of their own. */
export const nationalId: Recognizer = {
  type: 'NATIONAL_ID',
  label: 'Identity number of another country or kind',
  example: 'AB1234567',
  isIdentity: true,
  // The Kazakh number.
  context: wordList('жсн*, иин*, жеке сәйкестендіру нөмірі*'),
  codes: [
    {
      pattern:
        /(?=(?:[A-Za-z]*\d){5})[A-Za-z]{0,4}\d[A-Za-z\d]{4,17}(?:[-/][A-Za-z\d]{1,8}){0,3}(?![A-Za-z0-9])/y,
      judge,
    },
    { pattern: /\d{1,6}(?:[ .\-/]\d{1,8}){1,5}[- ]?[A-Za-z]?(?![A-Za-z0-9])/y, judge },
    // The German pension number, and the number of the Portuguese card.
    { pattern: /\d\d ?\d{6} ?[A-Z] ?\d{3}(?![A-Za-z0-9])/y, judge },
    { pattern: /\d{8} ?\d ?[A-Z\d]{2}\d(?![A-Za-z0-9])/y, judge },
    { before: 4, pattern: /(?<=(?:^|[^A-Za-z0-9])[A-Z]{3} )\d{6}(?![A-Za-z0-9])/y, judge },
  ],
  examples: [
    'my national ID is «AB1234567»',
    'رقم بطاقة الهوية «19009911234567»',
    'číslo: občanský průkaz «12AB3456»',
    'ID card number: «7-1234-5678-9»',
    "carta d'identità «CA12345AA»",
    'mi DNI es «30.123.456»',
    'Rentenversicherungsnummer «65 170839 J 003»',
    'RVNR «65170839J003»',
    'NUSS «28/12345678/40»',
    'St.-Nr. «93815/08152»',
    'EIN: «12-3456789»',
    '基礎年金番号は«1234-567890»です',
    'cartão de cidadão «12345678 9 ZZ4»',
    'nr dowodu «ABC 123456»',
    'жсн: «580413418033»',
  ],
  counterExamples: [
    'the id 12 of 2024',
    'AB1234567',
    'my id order 55512345',
    'national ID rules of 2019-2024',
  ],
}

function judge(code: string): 'context' | undefined {
  const digits = code.replace(/\D/g, '').length
  const isDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$|^(?:19|20)\d\d[-/](?:19|20)\d\d$/.test(code)
  const isLong = digits >= 6 || (digits === 5 && code.length >= 7)
  return isLong && digits <= 18 && !isDate ? 'context' : undefined
}
