import { weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const TYPE = 'AU_ABN'

/** Business numbers, mod 89. */
export const auAbn: Recognizer = {
  type: TYPE,
  label: 'Australian business number',
  example: '51 824 753 556',
  context: ['abn', 'australian business number'],
  numbers: [{ shapes: ['2 3 3 3', '2-3-3-3'], judge: (digits) => (passes(digits) ? 'alone' : undefined) }],
  look(page, token) {
    // Business numbers stand on invoices, so a word for an invoice does not speak against one.
    const start = page.tokenStart(token)
    const end = page.tokenEnd(token)
    if (end - start !== 11 || !page.isNumber(token) || page.distance(TYPE, start, end) === Infinity) return
    return passes(page.text.slice(start, end)) ? { start, end, strength: 'alone' } : undefined
  },
  examples: ['the ABN on the invoice is «51824753556»', 'ABN «51 824 753 556»', 'abn: «51824753556»'],
  counterExamples: ['ABN 51 824 753 557', '51 824 753 551 people'],
}

function passes(digits: string): boolean {
  return (weigh(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0 && !digits.startsWith('0')
}
