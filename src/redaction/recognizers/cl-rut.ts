import type { Recognizer } from '../engine/recognizer.ts'

/** RUT: seven or eight digits and a check character mod 11. */
export const clRut: Recognizer = {
  type: 'CL_RUT',
  label: 'Chilean RUT',
  example: '12.345.678-5',
  isIdentity: true,
  context: ['rut', 'run', 'rol unico*'],
  codes: [
    {
      letters: [0],
      digits: [1, 2],
      pattern: /\d{1,2}\.\d{3}\.\d{3}-[\dK](?![A-Za-z0-9])/iy,
      judge: (code) => (passes(code) ? 'alone' : undefined),
    },
    {
      letters: [0],
      digits: [7, 8],
      pattern: /\d{7,8}-[\dK](?![A-Za-z0-9])/iy,
      judge: (code) => (passes(code) ? 'checked' : undefined),
    },
    {
      letters: [0],
      digits: [7, 8, 9],
      pattern: /\d{7,8}[\dK](?![A-Za-z0-9])/iy,
      judge: (code) => (passes(code) ? 'context' : undefined),
    },
  ],
  examples: ['RUT «12.345.678-5»', 'mi rut es «12345678-5»'],
  counterExamples: ['RUT 12.345.678-6', 'pedido 12345678-5'],
}

function passes(code: string): boolean {
  const plain = code.replace(/[.-]/g, '').toUpperCase()
  let sum = 0
  for (let at = plain.length - 2, weight = 2; at >= 0; at--, weight = weight === 7 ? 2 : weight + 1) {
    sum += Number(plain.charAt(at)) * weight
  }
  return '0K987654321'.charAt(sum % 11) === plain.slice(-1)
}
