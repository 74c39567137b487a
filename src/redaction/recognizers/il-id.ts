import { passesLuhn } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Teudat zehut: nine digits with a Luhn digit. */
export const ilId: Recognizer = {
  type: 'IL_ID',
  label: 'Israeli identity number',
  example: '123456782',
  isIdentity: true,
  context: ['teudat zehut', 'תעודת זהות', 'ת.ז', 'מספר זהות', 'israeli id*'],
  numbers: [
    {
      shapes: ['9', '8-1', '1-7-1', '3 3 3'],
      judge: (digits) => (passesLuhn(digits) ? 'context' : undefined),
    },
  ],
  examples: ['תעודת זהות «123456782»', 'teudat zehut «123456782»'],
  counterExamples: ['teudat zehut 123456783'],
}
