import { weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Routing transit numbers with a valid check digit and a district in use, near a word for them. */
export const abaRouting: Recognizer = {
  type: 'ABA_ROUTING_NUMBER',
  label: 'US bank routing number',
  example: '021000021',
  context: ['routing*', 'aba', 'rtn', 'transit number', 'wire', 'ach'],
  numbers: [{ shapes: ['9', '4-4-1', '3 3 3'], judge: (digits) => (passes(digits) ? 'context' : undefined) }],
  examples: ['routing number «021000021»', 'ABA: «011401533»'],
  counterExamples: ['routing number 021000022', '021000021'],
}

function passes(digits: string): boolean {
  const district = Number(digits.slice(0, 2))
  const isUsed =
    district <= 12 ||
    (district >= 21 && district <= 32) ||
    (district >= 61 && district <= 72) ||
    district === 80
  return isUsed && digits !== '000000000' && weigh(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
}
