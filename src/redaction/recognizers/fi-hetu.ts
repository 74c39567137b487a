import { isDate } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Henkilötunnus: birth date, a sign for the century, individual number and a check character mod 31. */
export const fiHetu: Recognizer = {
  type: 'FI_PERSONAL_IDENTITY_CODE',
  label: 'Finnish personal identity code',
  example: '131052-308T',
  isIdentity: true,
  context: ['henkilotunnus*', 'hetu*', 'personbeteckning*'],
  codes: [
    { letters: [0], digits: [6], pattern: /[0-3]\d[01]\d{3}[-+A-FU-Y]\d{3}[0-9A-Y](?![A-Za-z0-9])/iy, judge },
  ],
  examples: ['hetu «131052-308T»', 'henkilötunnukseni on «131052A308T»'],
  counterExamples: ['hetu 131052-308U'],
}

function judge(code: string): 'alone' | undefined {
  if (!isDate(Number(code.slice(4, 6)), Number(code.slice(2, 4)), Number(code.slice(0, 2)))) return
  const rest = Number(code.slice(0, 6) + code.slice(7, 10)) % 31
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'.charAt(rest) === code.slice(-1).toUpperCase() ? 'alone' : undefined
}
