import type { Recognizer } from '../engine/recognizer.ts'

/** Hong Kong identity cards: one or two letters, six digits and a check character mod 11. */
export const hkId: Recognizer = {
  type: 'HK_ID',
  label: 'Hong Kong identity card number',
  example: 'A123456(3)',
  isIdentity: true,
  context: ['hkid*', '身份證', '身份证', 'hong kong id*'],
  codes: [
    {
      letters: [1, 2],
      digits: [6],
      pattern: /[A-Z]{1,2}\d{6}\([\dA]\)/iy,
      judge: (code) => (passes(code) ? 'alone' : undefined),
    },
    {
      letters: [1, 2],
      digits: [6, 7],
      pattern: /[A-Z]{1,2}\d{6}[\dA](?![A-Za-z0-9])/iy,
      judge: (code) => (passes(code) ? 'context' : undefined),
    },
  ],
  examples: ['HKID «A123456(3)»', '身份證 «A1234563»'],
  counterExamples: ['HKID A123456(4)', 'A1234563'],
}

function passes(code: string): boolean {
  const plain = code.replace(/[()]/g, '').toUpperCase().padStart(9, ' ')
  let sum = 0
  for (let at = 0; at < 8; at++) {
    const char = plain.charAt(at)
    const value = char === ' ' ? 36 : Number.parseInt(char, 36)
    sum += value * (9 - at)
  }
  const check = (11 - (sum % 11)) % 11
  return (check === 10 ? 'A' : String(check)) === plain.charAt(8)
}
