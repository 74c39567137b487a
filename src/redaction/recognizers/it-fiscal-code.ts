import type { Recognizer } from '../engine/recognizer.ts'

/** The values of characters at odd positions. At even positions, each character stands for its own value. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/**
 * Codice fiscale: its layout, with letters in place of digits where two people would have the same code, and its
 * control letter.
 */
export const itFiscalCode: Recognizer = {
  type: 'IT_FISCAL_CODE',
  label: 'Italian codice fiscale',
  example: 'RSSMRA85T10A562S',
  isIdentity: true,
  context: ['codice fiscale', 'cod. fisc*', 'cod fisc*', 'c.f', 'cf', 'fiscal code'],
  codes: [
    {
      letters: [6, 7, 8],
      pattern: /[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?![A-Za-z0-9])/iy,
      judge,
    },
    {
      letters: [0],
      digits: [2],
      before: 8,
      pattern:
        /(?<=(?:^|[^A-Za-z0-9])[A-Z]{3} [A-Z]{3} )\d\d[A-EHLMPRST]\d\d [A-Z]\d{3} ?[A-Z](?![A-Za-z0-9])/iy,
      judge,
    },
  ],
  examples: ['codice fiscale «RSSMRA85T10A562S»', 'CF: «rssmra85t10a562s»', 'CF «RSS MRA 85T10 A562S»'],
  counterExamples: ['codice fiscale RSSMRA85T10A562T', 'RSSMRA85T10A562'],
}

function judge(code: string): 'alone' | undefined {
  const plain = code.replaceAll(' ', '').toUpperCase()
  let sum = 0
  for (let at = 0; at < 15; at++) {
    const value = Number.parseInt(plain.charAt(at), 36)
    const index = value > 9 ? value - 10 : value
    sum += at % 2 === 0 ? (ODD[index] as number) : index
  }
  return plain.length === 16 && String.fromCharCode(65 + (sum % 26)) === plain.charAt(15)
    ? 'alone'
    : undefined
}
