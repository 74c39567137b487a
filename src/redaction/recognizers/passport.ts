import { isAlphanumeric } from '../engine/characters.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { step } from '../engine/step.ts'
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
  phrases: { machineReadable: ['p<*', 'i<*', 'id*', 'a<*', 'c<*', 'v<*', 'ac*', 'po*', 'pd*', 'ps*', 'ip*'] },
  find: findMachineReadable,
  examples: [
    '«P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10»',
    '«IDD<<T220001293<<<<<<<<<<<<<<<\n6408125<1010318D<<<<<<<<<<<<<4\nMUSTERMANN<<ERIKA<<<<<<<<<<<<<»',
    'passport number «C01X00T47»',
    'Mein Reisepass hat die Nummer «C01X00T47»',
    'паспорт «4510 123456»',
    '护照号码是«E12345678»',
    'passeport n° «12AB34567»',
  ],
  counterExamples: ['E12345678', 'passport office opens 2024', 'invoice for the passport: order E12345678'],
}

/** A line of a machine-readable zone (ICAO 9303) of 30, 36 or 44 characters. People copy it with a few too many or few. */
const MACHINE_LINE = /(?=[A-Z\d]{0,40}<)[A-Z\d<]{28,46}(?![A-Z\d<])/y
const NEXT_LINE = /\s{1,2}(?=[A-Z\d<]{28})/y

function findMachineReadable(page: Page): void {
  const { text } = page
  let read = 0
  page.eachPhrase('machineReadable', (start) => {
    if (start < read || isAlphanumeric(text.charCodeAt(start - 1))) return
    let end = step(MACHINE_LINE, text, start)
    if (end === start || !text.slice(start, end).includes('<<')) return
    for (let lines = 1; lines < 3; lines++) {
      const from = step(NEXT_LINE, text, end)
      const to = step(MACHINE_LINE, text, from)
      if (to === from || from === end) break
      end = to
    }
    page.add('PASSPORT', start, end, 'alone')
    read = end
  })
}

function judge(code: string): 'context' | undefined {
  return code.replace(/\D/g, '').length >= 5 || /^[A-Z]\d\d[A-Z\d]{6}$/i.test(code) ? 'context' : undefined
}
