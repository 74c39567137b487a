import { isDate, passesLuhn } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Personnummer and samordningsnummer (day plus 60): birth date and a Luhn digit. */
export const sePersonnummer: Recognizer = {
  type: 'SE_PERSONNUMMER',
  label: 'Swedish personal identity number',
  example: '811218-9876',
  isIdentity: true,
  context: ['personnummer*', 'personnr', 'samordningsnummer*', 'pnr', 'person nr'],
  numbers: [
    { shapes: ['6-4', '8-4', '6 4', '8 4'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    {
      shapes: ['12'],
      judge: (digits) => (passes(digits) && /^(?:19|20)/.test(digits) ? 'checked' : undefined),
    },
    { shapes: ['10'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  codes: [
    {
      letters: [0],
      digits: [6],
      pattern: /\d{6}\+\d{4}(?!\d)/y,
      judge: (code) => (passes(code.replace('+', '')) ? 'checked' : undefined),
    },
  ],
  examples: [
    'personnummer «811218-9876»',
    '«19811218-9876»',
    'mitt personnummer är «198112189876»',
    'pnr «8112189876»',
  ],
  counterExamples: ['personnummer 811218-9877', 'order 811218-9876'],
}

function passes(digits: string): boolean {
  const short = digits.slice(-10)
  const day = Number(short.slice(4, 6))
  return (
    passesLuhn(short) &&
    isDate(Number(short.slice(0, 2)), Number(short.slice(2, 4)), day > 60 ? day - 60 : day)
  )
}
