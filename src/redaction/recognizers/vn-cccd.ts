import type { Recognizer } from '../engine/recognizer.ts'

/** Căn cước công dân: province, century and sex, year of birth, six digits; the older card has nine. */
export const vnCccd: Recognizer = {
  type: 'VN_CCCD',
  label: 'Vietnamese citizen identity number',
  example: '001085012345',
  isIdentity: true,
  context: ['cccd*', 'can cuoc*', 'cmnd*', 'chung minh*', 'so dinh danh*'],
  numbers: [
    {
      shapes: ['12', '3 3 3 3', '3 1 2 6'],
      judge: (digits) => (/^0\d\d[0-3]/.test(digits) ? 'context' : undefined),
    },
    { shapes: ['9', '3 3 3'], judge: () => 'context' },
  ],
  examples: ['CCCD «001085012345»', 'số căn cước công dân: «001085012345»'],
  counterExamples: ['001085012345', 'đơn hàng 001085012345'],
}
