import type { Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

/** Passport numbers near a word for them. ICAO 9303 allows nine characters, and countries use a few forms. */
export const passport: Recognizer = {
  type: 'PASSPORT',
  label: 'Passport number',
  example: 'C01X00T47',
  context: wordList(
    'passport*, reisepass*, passnummer*, pass-nr*, passeport*, pasaporte*, passaporte*, passaporto',
    'paspoort*',
    'paszport*, pasport*, pas*port*, passnr, pasaport*, pasu, cislo pasu, pas c, cestovni pas*, cestovny pas, passi, pas numarasi, nr pasa, паспорт*, загранпаспорт*, جواز*, الجواز',
    'पासपोर्ट*',
    '护照, 護照, パスポート, 旅券, 여권*, หนังสือเดินทาง, พาสปอร์ต, ho chieu, paspor, utlevel*, διαβατηριο*, דרכון',
  ),
  codes: [
    { pattern: /(?=[A-Za-z]{0,3}\d)[A-Z\d]{6,10}(?![A-Za-z0-9])/iy, judge },
    {
      pattern: /\d\d \d\d (?:№ ?)?\d{6}(?!\d)|\d{4} (?:№ ?)?\d{6}(?!\d)|\d{2} ?\d{7}(?!\d)/y,
      judge: () => 'context',
    },
    { before: 3, pattern: /(?<=(?:^|[^A-Za-z0-9])[A-Z]{2}[ -])\d{6,7}(?!\d)/iy, judge: () => 'context' },
    { before: 2, pattern: /(?<=(?:^|[^A-Za-z0-9])[A-Z][ -])\d{6,8}(?!\d)/iy, judge: () => 'context' },
  ],
  examples: [
    'passport number «C01X00T47»',
    'Mein Reisepass hat die Nummer «C01X00T47»',
    'паспорт «4510 123456»',
    '护照号码是«E12345678»',
    'passeport n° «12AB34567»',
  ],
  counterExamples: ['E12345678', 'passport office opens 2024', 'invoice for the passport: order E12345678'],
}

function judge(code: string): 'context' | undefined {
  return code.replace(/\D/g, '').length >= 5 || /^[A-Z]\d\d[A-Z\d]{6}$/i.test(code) ? 'context' : undefined
}
