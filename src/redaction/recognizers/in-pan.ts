import type { Recognizer } from '../engine/recognizer.ts'

/** Permanent account numbers. The fourth letter tells the kind of holder. */
export const inPan: Recognizer = {
  type: 'IN_PAN',
  label: 'Indian permanent account number',
  example: 'ABCPE1234F',
  isIdentity: true,
  context: ['pan', 'pan card*', 'permanent account*', 'पैन'],
  codes: [
    {
      letters: [5],
      digits: [4],
      pattern: /[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![A-Za-z0-9])/y,
      judge: () => 'checked',
    },
    {
      letters: [5],
      digits: [4],
      pattern: /[a-z]{3}[abcfghjlpt][a-z]\d{4}[a-z](?![A-Za-z0-9])/y,
      judge: () => 'context',
    },
  ],
  examples: [
    'PAN «ABCPE1234F»',
    'मेरा पैन «ABCPE1234F» है',
    'pan card abcpe1234f'.replace('abcpe1234f', '«abcpe1234f»'),
  ],
  counterExamples: ['model ABCPE1234F', 'ABCDE1234F'],
}
