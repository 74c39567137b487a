import type { Recognizer } from '../engine/recognizer.ts'

/** RFC of persons: letters of the name, birth date and three characters. */
export const mxRfc: Recognizer = {
  type: 'MX_RFC',
  label: 'Mexican RFC',
  example: 'GODE561231GR8',
  isIdentity: true,
  context: ['rfc', 'registro federal*'],
  codes: [
    {
      letters: [4],
      digits: [6, 7, 8, 9],
      pattern: /[A-ZÑ]{4}-?\d\d[01]\d[0-3]\d-?[A-Z\d]{3}(?![A-Za-z0-9])/iy,
      judge: (code) => (code === code.toUpperCase() ? 'checked' : 'context'),
    },
  ],
  examples: ['RFC «GODE561231GR8»'],
  counterExamples: ['pedido GODE561231GR8', 'RFC 7231'],
}
