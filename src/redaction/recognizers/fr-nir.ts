import type { Recognizer } from '../engine/recognizer.ts'

/** NIR, the social security number: sex, year, month, department, commune, order and a key mod 97. */
export const frNir: Recognizer = {
  type: 'FR_NIR',
  label: 'French NIR (social security number)',
  example: '1 85 05 78 006 084 91',
  isIdentity: true,
  context: [
    'nir',
    'securite sociale',
    'numero de secu*',
    'secu',
    'insee',
    'carte vitale',
    'n° secu*',
    'num secu*',
  ],
  codes: [
    {
      letters: [0],
      digits: [1, 6, 13, 15],
      pattern: /[1-478]([ .-]?)\d\d\1[0-9]\d\1(?:\d\d|2[AB])\1\d{3}\1\d{3}[ .-]?\d\d(?![A-Za-z0-9])/iy,
      judge,
    },
    {
      letters: [0],
      digits: [1, 6, 13],
      pattern: /[1-478]([ .-]?)\d\d\1[0-9]\d\1(?:\d\d|2[AB])\1\d{3}\1\d{3}(?![A-Za-z0-9])/iy,
      judge: () => 'context',
    },
  ],
  examples: [
    'Sécu : «1 85 05 78 006 084 91»',
    'mon NIR est «185057800608491»',
    'numéro de sécurité sociale «2 99 12 2A 004 012 28»',
  ],
  counterExamples: ['NIR 185057800608492', 'commande 185057800608492'],
}

function judge(code: string): 'alone' | 'checked' | undefined {
  const plain = code.replace(/[ .-]/g, '').toUpperCase()
  const month = Number(plain.slice(3, 5))
  if (month === 0 || (month > 12 && month < 20) || (month > 42 && month < 50)) return
  const number = Number(plain.slice(0, 13).replace('2A', '19').replace('2B', '18'))
  if (97 - (number % 97) !== Number(plain.slice(13))) return
  return plain.length < code.length ? 'alone' : 'checked'
}
