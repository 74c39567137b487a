import { digitAt, isUniform, passesLuhn } from '../engine/check-digits.ts'
import type { Strength } from '../engine/finding.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

const SIXTEEN = ['4 4 4 4', '4-4-4-4', '4.4.4.4', '4/4/4/4', '4 6 6', '4-6-6', '8 8', '6 10', '6-10']
const FIFTEEN = ['4 6 5', '4-6-5', '4.6.5', '5 5 5']
const FOURTEEN = ['4 6 4', '4-6-4', '4.6.4']
const OTHERS = [
  '4 3 3 3',
  '4-3-3-3',
  '4 4 4 1',
  '4 4 4 4 1',
  '4 4 4 4 2',
  '4 4 4 4 3',
  '4-4-4-4-3',
  '4 4 4 3',
  '4-4-4-3',
]
const LONGER = ['6 13', '6-13', '8 11', '6 12', '6 11']

/** ISO/IEC 7812 card numbers with an issuer's prefix and length, or in a usual grouping. */
export const creditCard: Recognizer = {
  type: 'CREDIT_CARD',
  label: 'Credit or debit card number',
  example: '4111 1111 1111 1111',
  context: wordList(
    'card, cards, credit card*, debit card*, visa, mastercard, amex, american express, maestro, pan',
    'kreditkart*, kartennummer*, karte, carte, carte bancaire, tarjeta*, carta di credito, carta, cartao',
    'creditcard*, betaalkaart*, pinpas, kart*, kredi karti*, kortnummer*, kort, kreditkort*, карт*',
    'kreditni kart*',
    'بطاقة, بطاقتي, البطاقة, बطاقة الائتمان, कार्ड, क्रेडिट कार्ड, 卡号, 信用卡, 银行卡, 卡號, カード, カード番号, 카드',
    'บัตรเครดิต, หมายเลขบัตร, บัตร, the tin dung, so the, kartu kredit, kartu, nomor kartu, unionpay',
    'diners, jcb',
  ),
  numbers: [
    { shapes: ['16', '15', '14', '19', '18', '17'], judge: judgePlain },
    { shapes: ['12', '13'], judge: (digits) => (isCard(digits) ? 'context' : undefined) },
    { shapes: [...SIXTEEN, ...FIFTEEN, ...FOURTEEN, ...OTHERS, ...LONGER], judge: judgeGrouped },
    // People mistype numbers of cards, and these are as personal.
    {
      shapes: ['16', '15', '14', ...SIXTEEN, ...FIFTEEN, ...FOURTEEN],
      judge: (digits) => (hasIssuer(digits) && !isUniform(digits) ? 'context' : undefined),
    },
  ],
  examples: [
    'card «4111 1111 1111 1111» is mine',
    'my card number is «4111 1111 1111 1112»',
    'pay with «5500005555555559»',
    '«3782 822463 10005»',
    'use «4111-1111-1111-1111»',
    '卡号４１１１１１１１１１１１１１１１。'.replace(/４.*１/, (card) => `«${card}»`),
    'Karte: «6011 0009 9013 9424»',
    'Diners «3056 930902 5904»',
  ],
  counterExamples: [
    '4111 1111 1111 1112',
    'at 1700000000000 ms',
    'tracking 9400 1000 0000 0000 0000 00',
    'total 1234567890123456',
    'order no. 5500005555555550',
  ],
}

function judgePlain(digits: string): Strength | undefined {
  if (!isCard(digits)) return
  return digits.length >= 17 && !digits.startsWith('62') ? 'checked' : 'alone'
}

function judgeGrouped(digits: string): Strength | undefined {
  if (!passesLuhn(digits) || isUniform(digits)) return
  return hasIssuer(digits) ? 'alone' : digitAt(digits, 0) > 1 ? 'checked' : undefined
}

function isCard(digits: string): boolean {
  return hasIssuer(digits) && passesLuhn(digits) && !isUniform(digits)
}

/** Tells whether a number has an issuer's prefix and a length that its network issues. */
function hasIssuer(digits: string): boolean {
  const { length } = digits
  const two = Number(digits.slice(0, 2))
  const four = Number(digits.slice(0, 4))
  switch (digitAt(digits, 0)) {
    case 4:
      return length === 16 || length === 13 || length === 19
    case 5:
      if (two >= 51 && two <= 55) return length === 16
      return (two === 50 || two >= 56) && length >= 12 && length <= 19
    case 6:
      return length >= (two === 62 || two === 60 || two === 65 ? 16 : 12) && length <= 19
    case 2:
      if (four >= 2221 && four <= 2720) return length === 16
      if (four >= 2200 && four <= 2205) return length >= 16 && length <= 19
      return four === 2131 && length === 15
    case 3:
      if (two === 34 || two === 37) return length === 15
      if (two === 36 || two === 38 || two === 39 || (four >= 3000 && four <= 3059))
        return length === 14 || length === 16
      return two === 35 && length >= 16 && length <= 19
    case 1:
      return four === 1800 && length === 15
    case 8:
      return (two === 81 || two === 82) && length === 16
    case 9:
      return four === 9792 && length === 16
    default:
      return false
  }
}
