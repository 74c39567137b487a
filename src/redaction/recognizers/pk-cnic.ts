import type { Recognizer } from '../engine/recognizer.ts'

/** CNIC: thirteen digits in a layout that no other number uses. */
export const pkCnic: Recognizer = {
  type: 'PK_CNIC',
  label: 'Pakistani identity card number',
  example: '35202-1234567-1',
  isIdentity: true,
  context: ['cnic*', 'nadra', 'شناختی کارڈ'],
  numbers: [
    { shapes: ['5-7-1'], judge: (digits) => (/^[1-7]/.test(digits) ? 'alone' : undefined) },
    { shapes: ['13'], judge: (digits) => (/^[1-7]/.test(digits) ? 'context' : undefined) },
  ],
  examples: ['CNIC «35202-1234567-1»', 'my cnic is «3520212345671»'],
  counterExamples: ['order 3520212345671', '95202-1234567-1'],
}
