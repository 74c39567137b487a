import { digitAt, isUniform, mod11, passesLuhn, weigh } from '../../engine/check-digits.ts'
import type { Recognizer } from '../../engine/recognizer.ts'
import { code, idNumber } from './id-number.ts'
import { lookForAnswer } from './lone-answer.ts'

const isSsn = (digits: string) =>
  !/^(?:000|666|9)/.test(digits) && digits.slice(3, 5) !== '00' && digits.slice(5) !== '0000'

function isCpf(digits: string): boolean {
  const check = (length: number) => {
    let sum = 0
    for (let at = 0; at < length; at++) sum += digitAt(digits, at) * (length + 1 - at)
    return ((sum * 10) % 11) % 10
  }
  return !isUniform(digits) && check(9) === digitAt(digits, 9) && check(10) === digitAt(digits, 10)
}

const CNPJ = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

function isCnpj(digits: string): boolean {
  const first = mod11(digits, CNPJ.slice(1))
  const second = mod11(digits, CNPJ)
  const isFirst = digitAt(digits, 12) === (first < 2 ? 0 : 11 - first)
  return isFirst && digitAt(digits, 13) === (second < 2 ? 0 : 11 - second) && !isUniform(digits)
}

function isRut(plain: string): boolean {
  let sum = 0
  for (let at = plain.length - 2, weight = 2; at >= 0; at--, weight = weight === 7 ? 2 : weight + 1)
    sum += digitAt(plain, at) * weight
  return '0K987654321'.charAt(sum % 11) === plain.slice(-1)
}

const CURP = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ'

function isCurp(plain: string): boolean {
  let sum = 0
  for (let at = 0; at < 17; at++) sum += CURP.indexOf(plain.charAt(at)) * (18 - at)
  return (10 - (sum % 10)) % 10 === Number(plain.charAt(17))
}

const CURP_FORM = /[A-Z]{4}\d\d[01]\d[0-3]\d[HMX][A-Z]{2}[B-DF-HJ-NP-TV-Z]{3}[A-Z\d]\d/i

/** Numbers that American countries give to people and companies. */
export const americanIds: readonly Recognizer[] = [
  {
    ...idNumber({
      type: 'US_SSN',
      label: 'US Social Security number',
      example: '536-90-4399',
      words:
        'ssn*, social security*, social, soc sec, seguro social, ss number, ss#, social sec, soc. sec*, s.s.n',
      alone: '3-2-4',
      checked: '3 2 4|3.2.4|3/2/4',
      context: '9',
      passes: isSsn,
      isIdentity: false,
      found: [
        'My SSN is «536-90-4399».',
        'social security number «536904399»',
        'ssn: «536 90 4399»',
        '«219-09-9999»',
        'Here it is:\n«536904399»\nthanks',
      ],
      missed: [
        '000-12-3456',
        '666-12-3456',
        'order 536904399',
        'SKU 123-45-67890',
        '536904399\n536904400',
        'order:\n536904399',
      ],
    }),
    look: lookForAnswer(isSsn),
  },
  idNumber({
    type: 'US_ITIN',
    label: 'US individual taxpayer identification number',
    example: '912-70-1234',
    words: 'itin*, individual taxpayer*, taxpayer*, tax id*',
    alone: '3-2-4',
    checked: '3 2 4',
    context: '9',
    // The groups that the IRS gives out.
    passes: (digits) => /^9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])/.test(digits),
    isIdentity: false,
    found: ['ITIN «912-70-1234»', 'my ITIN: «912701234»'],
    missed: ['912-40-1234', 'ticket 912701234'],
  }),
  idNumber({
    type: 'US_MBI',
    label: 'US Medicare beneficiary identifier',
    example: '1EG4-TE5-MK73',
    words: 'mbi, medicare*, medicare beneficiary*, beneficiary id*',
    codes: [
      code(
        /[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d-?[AC-HJKMNP-RT-Y]{2}\d\d/i,
        'checked',
        { letters: [0], digits: [1] },
      ),
    ],
    isIdentity: false,
    found: ['Medicare number: «1EG4-TE5-MK73»', 'my MBI is «1EG4TE5MK73»'],
    missed: ['order 1EG4TE5MK73', '1EB4-TE5-MK73'],
  }),
  idNumber({
    type: 'US_ALIEN_NUMBER',
    label: 'US alien registration number',
    example: 'A123-456-789',
    words: 'alien number*, alien registration*, a-number*, a number, a#, uscis*, green card*, immigration*',
    codes: [
      code(/A[- ]?\d{8,9}/i, 'context'),
      code(/A[- ]?\d{3}[- ]\d{3}[- ]\d{3}/i, 'context'),
      code(/\d{3}[- ]\d{3}[- ]\d{3}/, 'context', { lead: ['A[- ]', 2] }),
      code(/\d{8,9}|\d{3}-\d{3}-\d{3}/, 'context'),
    ],
    isIdentity: false,
    found: ['A-Number: «A123-456-789»', 'alien registration number «A012345678»', 'USCIS# «123-456-789»'],
    missed: ['A123456789', 'A number of people'],
  }),
  idNumber({
    type: 'CA_SIN',
    label: 'Canadian Social Insurance number',
    example: '046 454 286',
    words: 'sin, s.i.n, sin number, social insurance*, assurance sociale, nas',
    checked: '3 3 3|3-3-3',
    context: '9',
    passes: (digits) => passesLuhn(digits) && !/^(?:8|000)/.test(digits),
    found: ['SIN «046-454-286»', 'mon NAS est «046 454 286»', 'my SIN is «046454286»'],
    missed: ['SIN 046-454-287', 'parcel 046 454 286'],
  }),
  idNumber({
    type: 'BR_CPF',
    label: 'Brazilian CPF',
    example: '529.982.247-25',
    words: 'cpf*, cadastro de pessoa*',
    alone: '3.3.3-2|3-3-3-2|3 3 3 2|3.3.3.2|3 3 3-2|3.3.3/2',
    checked: '11|9-2',
    passes: isCpf,
    found: ['CPF «529.982.247-25»', 'cpf: «52998224725»', 'o meu é «529.982.247-25», ok?'],
    missed: ['CPF 529.982.247-26', 'pedido 52998224725'],
  }),
  idNumber({
    type: 'BR_CNPJ',
    label: 'Brazilian CNPJ',
    example: '11.222.333/0001-81',
    words: 'cnpj*',
    alone: '2.3.3/4-2|2 3 3 4 2|2.3.3.4-2|2 3 3/4-2|2-3-3-4-2',
    checked: '14|8/4-2|12-2',
    passes: isCnpj,
    isIdentity: false,
    found: ['CNPJ «11.222.333/0001-81»', 'cnpj «11222333000181»'],
    missed: ['CNPJ 11.222.333/0001-82', 'pedido 11222333000181'],
  }),
  idNumber({
    type: 'MX_CURP',
    label: 'Mexican CURP',
    example: 'HEGG560427MVZRRL04',
    words: 'curp*, clave unica*',
    codes: [code(CURP_FORM, 'alone', { letters: [4], digits: [6] }, isCurp), code(CURP_FORM, 'context')],
    found: ['mi CURP es «HEGG560427MVZRRL04»', '«HEGG560427MVZRRL04»'],
    missed: ['HEGG561327MVZRRL0'],
  }),
  idNumber({
    type: 'MX_RFC',
    label: 'Mexican RFC',
    example: 'GODE561231GR8',
    words: 'rfc, registro federal*',
    codes: [
      code(/[A-ZÑ]{4}-?\d\d[01]\d[0-3]\d-?[A-Z\d]{3}/, 'checked', { letters: [4], digits: [6, 7, 8, 9] }),
      code(/[A-ZÑ]{4}-?\d\d[01]\d[0-3]\d-?[A-Z\d]{3}/i, 'context'),
    ],
    found: ['RFC «GODE561231GR8»'],
    missed: ['pedido GODE561231GR8', 'RFC 7231'],
  }),
  idNumber({
    type: 'CL_RUT',
    label: 'Chilean RUT',
    example: '12.345.678-5',
    words: 'rut, run, rol unico*',
    codes: [
      code(/\d{1,2}\.\d{3}\.\d{3}-[\dK]/i, 'alone', { letters: [0], digits: [1, 2] }, isRut),
      code(/\d{7,8}-[\dK]/i, 'checked', { letters: [0], digits: [7, 8] }, isRut),
      code(/\d{7,8}[\dK]/i, 'context', {}, isRut),
    ],
    found: ['RUT «12.345.678-5»', 'mi rut es «12345678-5»'],
    missed: ['RUT 12.345.678-6', 'pedido 12345678-5'],
  }),
  idNumber({
    type: 'AR_CUIT',
    label: 'Argentine CUIT or CUIL',
    example: '20-12345678-6',
    words: 'cuit*, cuil*, dni',
    alone: '2-8-1|2 8 1|2.8.1',
    checked: '11',
    passes: (digits) =>
      /^(?:2[03467]|3[034])/.test(digits) && mod11(digits, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) === 0,
    found: ['CUIT «20-12345678-6»', 'mi CUIL: «20123456786»'],
    missed: ['CUIT 20-12345678-7'],
  }),
  idNumber({
    type: 'ABA_ROUTING_NUMBER',
    label: 'US bank routing number',
    example: '021000021',
    words: 'routing*, aba, rtn, transit number, wire, ach',
    context: '9|4-4-1|3 3 3',
    // The districts in use.
    passes: (digits) =>
      /^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80|00)/.test(digits) &&
      digits !== '000000000' &&
      weigh(digits, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0,
    isIdentity: false,
    found: ['routing number «021000021»', 'ABA: «011401533»'],
    missed: ['routing number 021000022', '021000021'],
  }),
]
