import { isDate, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

/** Resident identity numbers according to GB 11643: region, birth date, order and a check character mod 11. */
export const cnResidentId: Recognizer = {
  type: 'CN_RESIDENT_ID',
  label: 'Chinese resident identity number',
  example: '11010519491231002X',
  isIdentity: true,
  context: ['身份证', '身份證', '证件号', '居民身份', 'resident id*', 'shenfenzheng'],
  codes: [
    {
      letters: [0],
      digits: [6, 10, 12, 14, 17, 18],
      pattern: /[1-9]\d{5}[ -]?(?:18|19|20)\d{2}[ -]?[01]\d[ -]?[0-3]\d[ -]?\d{3}[\dXx](?![A-Za-z0-9])/y,
      judge,
    },
  ],
  examples: [
    '我的身份证号是«11010519491231002X»',
    '身份证：«１１０１０５１９４９１２３１００２Ｘ»',
    'ID «110105 19491231 002X»',
  ],
  counterExamples: ['身份证号110105194912310021', '订单110105194913310020'],
}

function judge(code: string): 'alone' | undefined {
  const plain = code.replace(/[ -]/g, '')
  const isBorn = isDate(Number(plain.slice(6, 10)), Number(plain.slice(10, 12)), Number(plain.slice(12, 14)))
  return isBorn && '10X98765432'.charAt(weigh(plain, WEIGHTS) % 11) === plain.slice(-1).toUpperCase()
    ? 'alone'
    : undefined
}
