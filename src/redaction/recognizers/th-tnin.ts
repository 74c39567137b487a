import { digitAt, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Thai national identification numbers: thirteen digits, the last mod 11. */
export const thTnin: Recognizer = {
  type: 'TH_TNIN',
  label: 'Thai national identification number',
  example: '1-1017-00230-70-8',
  isIdentity: true,
  context: ['บัตรประชาชน', 'เลขประจำตัว', 'เลขบัตร', 'เลขประชาชน', 'thai id*'],
  numbers: [
    { shapes: ['1-4-5-2-1', '1 4 5 2 1'], judge: (digits) => (passes(digits) ? 'alone' : undefined) },
    { shapes: ['13'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: [
    'เลขบัตรประชาชน «1-1017-00230-70-8»',
    'เลขประจำตัวประชาชน «1101700230708»',
    'บัตร «๑-๑๐๑๗-๐๐๒๓๐-๗๐-๘»',
  ],
  counterExamples: ['เลขบัตร 1-1017-00230-70-9', 'คำสั่งซื้อ 1101700230708'],
}

function passes(digits: string): boolean {
  const sum = weigh(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  const first = digitAt(digits, 0)
  return first >= 1 && first <= 8 && (11 - (sum % 11)) % 10 === digitAt(digits, 12)
}
