/**
 * Check-digit schemes that several kinds of numbers share. All of them take plain ASCII digits unless stated otherwise.
 */

/** Checks ISO/IEC 7812-1, annex B: credit cards, Canadian SIN, Swedish and South African numbers. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  let doubles = false
  for (let at = digits.length - 1; at >= 0; at--) {
    let digit = digits.charCodeAt(at) - 48
    if (doubles) digit = digit > 4 ? digit * 2 - 9 : digit * 2
    sum += digit
    doubles = !doubles
  }
  return sum % 10 === 0
}

/** Returns the sum of the digits, each multiplied by the weight at its position. */
export function weigh(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at++) sum += (digits.charCodeAt(at) - 48) * (weights[at] as number)
  return sum
}

/** Returns the weighted sum's remainder by 11. */
export function mod11(digits: string, weights: readonly number[]): number {
  return weigh(digits, weights) % 11
}

/** Returns the digit at a position; negative positions count from the end. */
export function digitAt(digits: string, at: number): number {
  return digits.charCodeAt(at < 0 ? digits.length + at : at) - 48
}

/**
 * Computes ISO/IEC 7064 MOD 97-10 over digits and letters (A is 10), given as character codes. The first four count
 * last.
 */
export function mod97(code: Uint8Array, length: number): number {
  let rest = 0
  for (let at = 4; at < length + 4; at++) {
    const char = code[at < length ? at : at - length] as number
    rest = (char < 58 ? rest * 10 + char - 48 : rest * 100 + (char & 31) + 9) % 97
  }
  return rest
}

/** Checks ISO/IEC 7064 MOD 11,10: German tax ids, the Croatian OIB. */
export function passesMod11And10(digits: string): boolean {
  let product = 10
  for (let at = 0; at < digits.length - 1; at++) {
    const sum = (digitAt(digits, at) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === digitAt(digits, -1)
}

const PRODUCT = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

/** Checks Verhoeff's scheme: Aadhaar, Luxembourg's numbers. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = digitAt(digits, digits.length - 1 - at)
    const moved = digitAt(PERMUTATION[at % 8] as string, digit)
    check = digitAt(PRODUCT[check] as string, moved)
  }
  return check === 0
}

/** Tells whether all digits are the same. Such a number passes many schemes and means nothing. */
export function isUniform(digits: string): boolean {
  for (let at = 1; at < digits.length; at++) if (digits.charCodeAt(at) !== digits.charCodeAt(0)) return false
  return true
}

/** Tells whether a year (two or four digits), a month and a day can form a date. */
export function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0 || year < 100)
  return day <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}

/**
 * Tells whether the pairs of digits at three positions form a date. `month` and `day` replace what stands there, in
 * schemes that add to it. At a negative position, the year is unknown.
 */
export function isBornAt(
  digits: string,
  yearAt: number,
  monthAt: number,
  dayAt: number,
  month: number = pairAt(digits, monthAt),
  day: number = pairAt(digits, dayAt),
): boolean {
  return isDate(yearAt < 0 ? 0 : pairAt(digits, yearAt), month, day)
}

function pairAt(digits: string, at: number): number {
  return digitAt(digits, at) * 10 + digitAt(digits, at + 1)
}
