import * as check from '../check-digits.ts'
import { type Random, UPPER } from '../random.ts'
import { fillMask, group } from './slot.ts'

/** National identity numbers with right check digits, in the layouts that people write. */
export const nationalIds: Record<string, (random: Random) => string> = {
  'us-ssn': (random) => {
    const area = random.pick([100 + random.below(566), 667 + random.below(233)])
    const digits = `${String(area).padStart(3, '0')}${10 + random.below(90)}${1000 + random.below(9000)}`
    return layout(random, digits, [3, 2, 4], ['-', '-', '-', ' ', ''])
  },
  'us-itin': (random) => {
    const middle = random.pick([50 + random.below(16), 70 + random.below(19), 90 + random.below(3)])
    return layout(random, `9${random.digits(2)}${middle}${random.digits(4)}`, [3, 2, 4], ['-', '-', ' '])
  },
  'uk-nino': (random) => {
    const prefix = random.pick(['AB', 'CE', 'JG', 'HK', 'PX', 'SM', 'WL', 'YZ', 'TW', 'EA', 'LR'])
    return layout(
      random,
      `${prefix}${random.digits(6)}${random.pick([...'ABCD'])}`,
      [2, 2, 2, 2, 1],
      ['', ' ', ' '],
    )
  },
  'uk-nhs': (random) => {
    const number = completed(() => `${random.pick([4, 6, 7])}${random.digits(8)}`, check.nhsDigit)
    return layout(random, number, [3, 3, 4], [' ', ' ', '', '-'])
  },
  'ca-sin': (random) => {
    const body = `${1 + random.below(7)}${random.digits(7)}`
    return layout(random, body + check.luhnDigit(body), [3, 3, 3], [' ', '-', ''])
  },
  'au-tfn': (random) => {
    const number = completed(() => `${1 + random.below(8)}${random.digits(7)}`, check.tfnDigit)
    return layout(random, number, [3, 3, 3], [' ', ' ', ''])
  },
  'au-abn': (random) => {
    const body = random.digits(9)
    return layout(random, check.abnDigits(body) + body, [2, 3, 3, 3], [' ', ' ', ''])
  },
  'au-medicare': (random) => {
    const body = `${2 + random.below(5)}${random.digits(7)}`
    return layout(
      random,
      `${body}${check.medicareDigit(body)}${1 + random.below(5)}`,
      [4, 5, 1],
      [' ', ' ', ''],
    )
  },
  'in-aadhaar': (random) => {
    const body = `${2 + random.below(8)}${random.digits(10)}`
    return layout(random, body + check.verhoeffDigit(body), [4, 4, 4], [' ', ' ', '-', ''])
  },
  'in-pan': (random) =>
    `${random.text(3, UPPER)}P${random.text(1, UPPER)}${1 + random.below(9)}${random.digits(3)}${random.text(1, UPPER)}`,
  'br-cpf': (random) => {
    const body = random.digits(9)
    const d = check.brazilianDigits(body)
    return random.chance(0.7) ? `${group(body, [3, 3, 3], '.')}-${d}` : body + d
  },
  'br-cnpj': (random) => {
    const body = `${1 + random.below(9)}${random.digits(7)}0001`
    const d = check.brazilianDigits(body)
    return random.chance(0.8) ? `${group(body.slice(0, 8), [2, 3, 3], '.')}/0001-${d}` : body + d
  },
  'es-dni': (random) => {
    const body = `${1 + random.below(7)}${random.digits(7)}`
    const dotted = group(body, [2, 3, 3], '.')
    const letter = check.dniLetter(body)
    return random.pick([body + letter, `${body}-${letter}`, `${dotted}-${letter}`, `${body} ${letter}`])
  },
  'es-nie': (random) => {
    const body = random.pick([...'XYZ']) + random.digits(7)
    const letter = check.dniLetter(body)
    return random.pick([body + letter, `${body[0]}-${body.slice(1)}-${letter}`])
  },
  'it-cf': (random) => {
    const consonants = 'BCDFGLMNPRSTVZ'
    const day = 1 + random.below(28) + (random.chance(0.5) ? 40 : 0)
    const body =
      random.text(6, consonants) +
      random.digits(2) +
      random.pick([...'ABCDEHLMPRST']) +
      String(day).padStart(2, '0') +
      random.pick(['H501', 'F205', 'L219', 'A662', 'F839', 'D612', 'G273'])
    const code = body + check.codiceFiscaleLetter(body)
    return random.chance(0.15) ? group(code, [3, 3, 5, 5], ' ') : code
  },
  'fr-nir': (random) => {
    const department = random.pick(['75', '13', '69', '33', '59', '2A', '2B', '92', '06'])
    const body = `${1 + random.below(2)}${random.digits(2)}${month(random)}${department}${fillMask(random, '###')}${fillMask(random, '###')}`
    return layout(random, body + check.nirKey(body), [1, 2, 2, 2, 3, 3, 2], [' ', ' ', ''])
  },
  'de-steuer-id': (random) => {
    const body = steuerBody(random)
    return layout(random, body + check.steuerIdDigit(body), [2, 3, 3, 3], [' ', ''])
  },
  'nl-bsn': (random) => {
    const number = completed(() => `${1 + random.below(8)}${random.digits(7)}`, check.bsnDigit)
    return random.pick([number, number, group(number, [4, 2, 3], '.'), group(number, [3, 3, 3], ' ')])
  },
  'pl-pesel': (random) => {
    const late = random.chance(0.2)
    const mm = String(1 + random.below(12) + (late ? 20 : 0)).padStart(2, '0')
    const yy = late ? `0${random.digits(1)}` : `${4 + random.below(6)}${random.digits(1)}`
    const body = `${yy}${mm}${day(random)}${random.digits(4)}`
    return body + check.peselDigit(body)
  },
  'se-personnummer': (random) => {
    const year = 1940 + random.below(60)
    const short = `${String(year).slice(2)}${month(random)}${day(random)}${random.digits(3)}`
    const number = short + check.luhnDigit(short)
    const dashed = `${number.slice(0, 6)}-${number.slice(6)}`
    return random.pick([dashed, dashed, String(year).slice(0, 2) + dashed, String(year).slice(0, 2) + number])
  },
  'tr-tckn': (random) => {
    const body = `${1 + random.below(9)}${random.digits(8)}`
    return body + check.tcknDigits(body)
  },
  'za-id': (random) => {
    const body = `${5 + random.below(5)}${random.digits(1)}${month(random)}${day(random)}${random.digits(4)}08`
    return layout(random, body + check.luhnDigit(body), [6, 4, 2, 1], ['', '', ' '])
  },
  'cn-id': (random) => {
    const region = random.pick(['110105', '310115', '440305', '330106', '510104', '420106', '320583'])
    const body = `${region}${1950 + random.below(55)}${month(random)}${day(random)}${random.digits(3)}`
    return body + check.chineseDigit(body)
  },
  'sg-nric': (random) => {
    const series = random.pick([...'STFG'])
    const digits = random.digits(7)
    return series + digits + check.nricLetter(series, digits)
  },
  'kr-rrn': (random) => {
    const body = `${5 + random.below(5)}${random.digits(1)}${month(random)}${day(random)}${1 + random.below(2)}${random.digits(5)}`
    const number = body + check.rrnDigit(body)
    return random.chance(0.85) ? group(number, [6, 7], '-') : number
  },
  'jp-my-number': (random) => {
    const body = random.digits(11)
    return layout(random, body + check.myNumberDigit(body), [4, 4, 4], [' ', '-', ''])
  },
  'th-id': (random) => {
    const body = `${1 + random.below(8)}${random.digits(11)}`
    return layout(random, body + check.thaiDigit(body), [1, 4, 5, 2, 1], ['-', '-', ' ', ''])
  },
}

export function layout(
  random: Random,
  digits: string,
  sizes: readonly number[],
  separators: readonly string[],
): string {
  return group(digits, sizes, random.pick(separators))
}

/** Draws bodies until one has a check digit, and appends it. */
export function completed(body: () => string, digit: (body: string) => string | undefined): string {
  for (;;) {
    const start = body()
    const last = digit(start)
    if (last !== undefined) return start + last
  }
}

export const month = (random: Random) => String(1 + random.below(12)).padStart(2, '0')
export const day = (random: Random) => String(1 + random.below(28)).padStart(2, '0')

/** Ten digits, the first not zero, of which exactly one occurs twice (the rule of numbers given before 2016). */
function steuerBody(random: Random): string {
  for (;;) {
    const body = `${1 + random.below(9)}${random.digits(9)}`
    if (new Set(body).size === 9 && !/(.)\1/.test(body)) return body
  }
}
