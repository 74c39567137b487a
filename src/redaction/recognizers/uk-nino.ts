import type { Recognizer } from '../engine/recognizer.ts'

/** National Insurance numbers, according to HMRC's manual NIM39110. */
export const ukNino: Recognizer = {
  type: 'UK_NINO',
  label: 'UK National Insurance number',
  example: 'AB 12 34 56 C',
  isIdentity: true,
  context: ['national insurance*', 'ni number*', 'nino*', 'insurance number'],
  codes: [
    {
      letters: [2],
      digits: [6],
      pattern: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D](?![A-Za-z0-9])/iy,
      judge: (code) => (isAssigned(code) ? 'checked' : undefined),
    },
    {
      letters: [0],
      digits: [2, 6],
      pattern:
        /(?<=(?:^|[^A-Za-z0-9])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ -])\d\d([ -]?)\d\d\1\d\d[ -]?[A-D](?![A-Za-z0-9])/iy,
      before: 3,
      judge: (code) => (isAssigned(code) ? 'checked' : undefined),
    },
    {
      letters: [2],
      digits: [2, 4, 6],
      pattern: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d\d ?\d\d ?\d\d ?[A-D]?(?![A-Za-z0-9])/iy,
      judge: (code) =>
        isAssigned(code) ? (/^[A-Z]{2}\d\d \d\d \d\d [A-D]$/.test(code) ? 'checked' : 'context') : undefined,
    },
  ],
  examples: [
    'NI number «AB 12 34 56 C»',
    '«AB123456C»',
    'my nino is «ab 123456 c»',
    'national insurance «JG103759A»',
  ],
  counterExamples: ['BG123456C', 'order AB123456C', 'flight QF 12 34 56 C'],
}

const NEVER = /^(?:BG|GB|KN|NK|NT|TN|ZZ)/i

function isAssigned(code: string): boolean {
  return !NEVER.test(code)
}
