import type { Recognizer } from '../engine/recognizer.ts'

/** Taiwan identity numbers: a letter, nine digits, mod 10. */
export const twId: Recognizer = {
  type: 'TW_ID',
  label: 'Taiwanese identity number',
  example: 'A123456789',
  isIdentity: true,
  context: ['身分證*', '身份證', 'taiwan id*'],
  codes: [
    {
      letters: [1],
      digits: [9],
      pattern: /[A-Z][1289]\d{8}(?![A-Za-z0-9])/iy,
      judge: (code) => (passes(code.toUpperCase()) ? 'checked' : undefined),
    },
  ],
  examples: ['身分證字號 «A123456789»'],
  counterExamples: ['身分證字號 A123456788', '訂單 A123456789'],
}

function passes(code: string): boolean {
  const letter = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(code.charAt(0)) + 10
  let sum = Math.floor(letter / 10) + (letter % 10) * 9
  for (let at = 1; at < 9; at++) sum += Number(code.charAt(at)) * (9 - at)
  return (sum + Number(code.charAt(9))) % 10 === 0
}
