import type { Recognizer } from '../engine/recognizer.ts'

/** Social Security numbers, as the Social Security Administration assigns them: no area 000, 666 or 900 and above. */
export const usSsn: Recognizer = {
  type: 'US_SSN',
  label: 'US Social Security number',
  example: '536-90-4399',
  isIdentity: true,
  context: [
    'ssn*',
    'social security*',
    'social',
    'soc sec',
    'seguro social',
    'ss number',
    'ss#',
    'social sec',
  ],
  numbers: [
    { shapes: ['3-2-4'], judge: (digits) => (isAssigned(digits) ? 'alone' : undefined) },
    { shapes: ['3 2 4', '3.2.4', '3/2/4'], judge: (digits) => (isAssigned(digits) ? 'checked' : undefined) },
    { shapes: ['9'], judge: (digits) => (isAssigned(digits) ? 'context' : undefined) },
  ],
  examples: [
    'My SSN is «536-90-4399».',
    'social security number «536904399»',
    'ssn: «536 90 4399»',
    '«219-09-9999»',
  ],
  counterExamples: ['000-12-3456', '666-12-3456', 'order 536904399', 'SKU 123-45-67890'],
}

function isAssigned(digits: string): boolean {
  const area = digits.slice(0, 3)
  return (
    area !== '000' &&
    area !== '666' &&
    area < '900' &&
    digits.slice(3, 5) !== '00' &&
    digits.slice(5) !== '0000'
  )
}
