/**
 * Check digits of public numbering schemes, written only for the bench: the engine under test has its own, and a
 * mistake shared by both would otherwise go unnoticed.
 */

/** Luhn (ISO/IEC 7812-1): the digit that completes `body`. */
export function luhnDigit(body: string): string {
  let sum = 0
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body[body.length - 1 - i])
    const doubled = i % 2 === 0 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return String((10 - (sum % 10)) % 10)
}

/** ISO 7064 MOD 97-10 check digits of an IBAN with this country and account part. */
export function ibanDigits(country: string, account: string): string {
  const rearranged = [...`${account}${country}00`].map((c) => String(Number.parseInt(c, 36))).join('')
  return String(98n - (BigInt(rearranged) % 97n)).padStart(2, '0')
}

const VERHOEFF_PRODUCT = [
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
const VERHOEFF_PERMUTATION = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]
const VERHOEFF_INVERSE = '0432156789'

/** Verhoeff's dihedral check digit. */
export function verhoeffDigit(body: string): string {
  let check = 0
  for (let i = 0; i < body.length; i++) {
    const digit = Number(body[body.length - 1 - i])
    const permuted = Number(VERHOEFF_PERMUTATION[(i + 1) % 8]?.[digit])
    check = Number(VERHOEFF_PRODUCT[check]?.[permuted])
  }
  return VERHOEFF_INVERSE[check] ?? ''
}

function weightedSum(body: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * Number(body[i]), 0)
}

/** NHS number: mod 11; undefined where the body has no valid digit. */
export function nhsDigit(body: string): string | undefined {
  const rest = 11 - (weightedSum(body, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return rest === 10 ? undefined : String(rest % 11)
}

/** Australian tax file number: the ninth digit, undefined where it would be ten. */
export function tfnDigit(body: string): string | undefined {
  const sum = weightedSum(body, [1, 4, 3, 7, 5, 8, 6, 9])
  return [...'0123456789'].find((digit) => (sum + Number(digit) * 10) % 11 === 0)
}

/** Australian business number: the two leading check digits of a nine-digit body. */
export function abnDigits(body: string): string {
  const sum = weightedSum(body, [3, 5, 7, 9, 11, 13, 15, 17, 19])
  for (let lead = 10; lead <= 99; lead++) {
    if (((Math.floor(lead / 10) - 1) * 10 + (lead % 10) + sum) % 89 === 0) return String(lead)
  }
  throw new Error(`no ABN for ${body}`)
}

/** Australian Medicare card: the ninth digit of an eight-digit body. */
export function medicareDigit(body: string): string {
  return String(weightedSum(body, [1, 3, 7, 9, 1, 3, 7, 9]) % 10)
}

/** Brazilian CPF and CNPJ: two mod 11 digits. */
export function brazilianDigits(body: string): string {
  const digit = (text: string) => {
    const sum = [...text].reduce((total, c, i) => {
      const fromRight = text.length - 1 - i
      return total + Number(c) * (body.length === 9 ? 2 + fromRight : 2 + (fromRight % 8))
    }, 0)
    const rest = sum % 11
    return rest < 2 ? '0' : String(11 - rest)
  }
  const first = digit(body)
  return first + digit(body + first)
}

/** The letter of a Spanish DNI or NIE (X, Y, Z stand for 0, 1, 2). */
export function dniLetter(body: string): string {
  const number = Number(body.replace('X', '0').replace('Y', '1').replace('Z', '2'))
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23] ?? ''
}

const CODICE_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]

/** The last letter of an Italian codice fiscale (D.M. 23 December 1976). */
export function codiceFiscaleLetter(body: string): string {
  const order = (c: string) => (c >= 'A' ? c.charCodeAt(0) - 65 : Number(c))
  const sum = [...body].reduce(
    (total, c, i) => total + (i % 2 === 0 ? (CODICE_ODD[order(c)] ?? 0) : order(c)),
    0,
  )
  return String.fromCharCode(65 + (sum % 26))
}

/** The key of a French NIR; Corsican departments count as 19 and 18. */
export function nirKey(body: string): string {
  const number = BigInt(body.replace('2A', '19').replace('2B', '18'))
  return String(97n - (number % 97n)).padStart(2, '0')
}

/** German tax number: ISO 7064 MOD 11,10. */
export function steuerIdDigit(body: string): string {
  let product = 10
  for (const c of body) {
    const sum = (Number(c) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return String((11 - product) % 10)
}

/** Dutch BSN (eleven test), undefined where no digit fits. */
export function bsnDigit(body: string): string | undefined {
  const rest = weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return rest === 10 ? undefined : String(rest)
}

export function peselDigit(body: string): string {
  return String((10 - (weightedSum(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10)
}

/** Turkish identity number: the last two digits of a nine-digit body. */
export function tcknDigits(body: string): string {
  const odd = weightedSum(body, [1, 0, 1, 0, 1, 0, 1, 0, 1])
  const even = weightedSum(body, [0, 1, 0, 1, 0, 1, 0, 1, 0])
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return `${tenth}${(odd + even + tenth) % 10}`
}

/** Chinese resident identity number (GB 11643-1999). */
export function chineseDigit(body: string): string {
  const weights = Array.from({ length: 17 }, (_, i) => 2 ** (17 - i) % 11)
  return '10X98765432'[weightedSum(body, weights) % 11] ?? ''
}

/** Singapore NRIC and FIN: series letter and seven digits. */
export function nricLetter(series: string, digits: string): string {
  const offset = series === 'T' || series === 'G' ? 4 : series === 'M' ? 3 : 0
  const rest = (weightedSum(digits, [2, 7, 6, 5, 4, 3, 2]) + offset) % 11
  if (series === 'S' || series === 'T') return 'JZIHGFEDCBA'[rest] ?? ''
  return (series === 'M' ? 'XWUTRQPNJLK' : 'XWUTRQPNMLK')[rest] ?? ''
}

/** Korean resident registration number. */
export function rrnDigit(body: string): string {
  return String((11 - (weightedSum(body, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10)
}

/** Japanese individual number (ordinance 85 of 2014, article 5). */
export function myNumberDigit(body: string): string {
  const rest = weightedSum(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
  return rest <= 1 ? '0' : String(11 - rest)
}

export function thaiDigit(body: string): string {
  return String((11 - (weightedSum(body, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 10)
}

/** ABA routing number: the ninth digit. */
export function routingDigit(body: string): string {
  return String((10 - (weightedSum(body, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10)
}

/** GS1 check digit (EAN-13, ISBN-13, SSCC). */
export function gs1Digit(body: string): string {
  const sum = [...body].reduce((total, c, i) => total + Number(c) * ((body.length - i) % 2 === 1 ? 3 : 1), 0)
  return String((10 - (sum % 10)) % 10)
}

/** Returns 11 minus the weighted sum modulo 11, with 0 for 11; undefined where it would be ten. */
function elevensComplement(body: string, weights: readonly number[]): string | undefined {
  const rest = (11 - (weightedSum(body, weights) % 11)) % 11
  return rest === 10 ? undefined : String(rest)
}

/** Returns the weighted sum modulo 11; undefined where it would be ten. */
function elevensRest(body: string, weights: readonly number[]): string | undefined {
  const rest = weightedSum(body, weights) % 11
  return rest === 10 ? undefined : String(rest)
}

/** Bulgarian EGN. */
export function egnDigit(body: string): string {
  return String((weightedSum(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10)
}

/** Estonian and Lithuanian personal code. */
export function balticDigit(body: string): string {
  const first = weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const second = weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
  return String(first < 10 ? first : second % 10)
}

/** Slovenian EMŠO. */
export const emsoDigit = (body: string) => elevensComplement(body, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])

/** Czech and Slovak birth number: the number as a whole is divisible by 11. */
export function birthNumberDigit(body: string): string | undefined {
  const rest = Number(body) % 11
  return rest === 10 ? undefined : String(rest)
}

/** Hungarian TAJ. */
export const tajDigit = (body: string) => String(weightedSum(body, [3, 7, 3, 7, 3, 7, 3, 7]) % 10)

/** Hungarian personal tax number. */
export const hungarianTaxDigit = (body: string) => elevensRest(body, [1, 2, 3, 4, 5, 6, 7, 8, 9])

/** Greek AFM. */
export function afmDigit(body: string): string {
  return String((weightedSum(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10)
}

/** Irish PPS number: the letter after seven digits, with or without an A behind it. */
export function ppsnLetter(body: string, second: '' | 'A' = ''): string {
  const sum = weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) + (second ? 9 : 0)
  return 'WABCDEFGHIJKLMNOPQRSTUV'[sum % 23] ?? ''
}

/** Cypriot tax identification code. */
export function cypriotLetter(body: string): string {
  const sum = [...body].reduce(
    (total, c, i) => total + (i % 2 === 0 ? (CODICE_ODD[Number(c)] ?? 0) : Number(c)),
    0,
  )
  return String.fromCharCode(65 + (sum % 26))
}

/** Belgian national number. */
export const nationalRegisterDigits = (body: string) => String(97 - (Number(body) % 97)).padStart(2, '0')

/** Austrian insurance number: the fourth digit, from the three before it and the date behind it. */
export const svnrDigit = (body: string) => elevensRest(body, [3, 7, 9, 5, 8, 4, 2, 1, 6])

/** Danish CPR number, for births before 2007. */
export const cprDigit = (body: string) => elevensComplement(body, [4, 3, 2, 7, 6, 5, 4, 3, 2])

/** Finnish personal identity code: birth date and serial number in one. */
export const hetuSign = (body: string) => '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(body) % 31] ?? ''

/** Romanian CNP. */
export function cnpDigit(body: string): string {
  return elevensRest(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) ?? '1'
}

/** Portuguese NIF. */
export const portugueseNifDigit = (body: string) => elevensComplement(body, [9, 8, 7, 6, 5, 4, 3, 2]) ?? '0'

/** Norwegian birth number: both digits. */
export function fodselsnummerDigits(body: string): string | undefined {
  const first = elevensComplement(body, [3, 7, 6, 1, 8, 9, 4, 5, 2])
  if (first === undefined) return undefined
  const second = elevensComplement(body + first, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
  return second === undefined ? undefined : first + second
}

/** Russian SNILS. */
export function snilsDigits(body: string): string {
  return String((weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100).padStart(2, '0')
}

/** Ukrainian taxpayer number. */
export function ukrainianTaxDigit(body: string): string {
  return String(((weightedSum(body, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) + 1100) % 11) % 10)
}

/** Kazakh IIN, of those whose first weights do not give ten. */
export const iinDigit = (body: string) => elevensRest(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])

/** Chilean RUT of eight digits. */
export const rutDigit = (body: string) => elevensComplement(body, [3, 2, 7, 6, 5, 4, 3, 2]) ?? 'K'

/** Argentine CUIT. */
export const cuitDigit = (body: string) => elevensComplement(body, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2])

/** British UTR: the digit before the other nine. */
export function utrDigit(body: string): string {
  return '21987654321'[weightedSum(body, [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11] ?? ''
}

/** Polish NIP. */
export const nipDigit = (body: string) => elevensRest(body, [6, 5, 7, 2, 3, 4, 5, 6, 7])

/** Austrian VAT number: the digit after seven. */
export function austrianVatDigit(body: string): string {
  const luhn = 10 - Number(luhnDigit(`${body}0`))
  return String((16 - (luhn % 10)) % 10)
}

/** French VAT number: the two digits before the SIREN. */
export const frenchVatKey = (siren: string) => String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, '0')

const VIN_VALUES = '12345678.12345.7.923456789'

/** Vehicle identification number: the ninth sign, whatever stands in its place. */
export function vinSign(vin: string): string {
  const value = (c: string) => (/\d/.test(c) ? Number(c) : Number(VIN_VALUES[c.charCodeAt(0) - 65]))
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
  const rest = [...vin].reduce((sum, c, i) => sum + value(c) * (weights[i] ?? 0), 0) % 11
  return rest === 10 ? 'X' : String(rest)
}

const tensComplement = (sum: number) => String((10 - (sum % 10)) % 10)

/** Argentine CBU: the digit of the bank's seven digits, and that of the account's thirteen. */
export const cbuBankDigit = (body: string) => tensComplement(weightedSum(body, [7, 1, 3, 9, 7, 1, 3]))
export const cbuAccountDigit = (body: string) =>
  tensComplement(weightedSum(body, [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3]))

/** Mexican CLABE. */
export function clabeDigit(body: string): string {
  return tensComplement(
    [...body].reduce((sum, c, i) => sum + ((Number(c) * ([3, 7, 1][i % 3] ?? 0)) % 10), 0),
  )
}

/** A field of a machine-readable zone (ICAO 9303). */
export function mrzDigit(field: string): string {
  const value = (c: string) => (c === '<' ? 0 : Number.parseInt(c, 36))
  return String([...field].reduce((sum, c, i) => sum + value(c) * ([7, 3, 1][i % 3] ?? 0), 0) % 10)
}
