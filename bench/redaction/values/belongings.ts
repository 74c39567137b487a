import { luhnDigit, steuerIdDigit, weightedSum } from '../check-digits.ts'
import { LOWER, type Random, UPPER } from '../random.ts'
import type { Filled, Generator } from './slot.ts'
import { fillMask, group } from './slot.ts'

/** Numbers and names of what belongs to one person, most of which only a label tells from other numbers. */
export const belongings: Record<string, Generator> = {
  plate: (random, language) =>
    letters(random, random.pick(PLATES[language] ?? ['@@ #### @', '@@@ ####', '@@-####'])),
  coordinates: (random) => {
    const degrees = (limit: number) => `${1 + random.below(limit)}.${random.digits(5)}`
    return random.pick([
      `${degrees(70)}, ${degrees(150)}`,
      `${degrees(50)},-${degrees(110)}`,
      `${1 + random.below(69)}°${10 + random.below(49)}'${10 + random.below(49)}"N ${1 + random.below(99)}°${10 + random.below(49)}'${10 + random.below(49)}"E`,
    ])
  },
  username: (random) =>
    `${random.text(4, LOWER)}${random.pick(['_', '.', ''])}${random.text(4, LOWER)}${random.digits(2)}`,
  vat: (random) => {
    const eight = random.digits(8)
    const siren = `5${random.digits(8)}`
    const seven = random.digits(7)
    const polish = completedNip(random)
    const belgian = `0${4 + random.below(5)}${random.digits(6)}`
    const italian = `0${random.digits(9)}`
    const even = [...seven].reduce((sum, c, i) => {
      const digit = Number(c) * (i % 2 === 1 ? 2 : 1)
      return sum + (digit > 9 ? digit - 9 : digit)
    }, 0)
    return random.pick([
      `DE${eight}${steuerIdDigit(eight)}`,
      `FR${String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, '0')}${siren}`,
      `ATU${seven}${(10 - ((even + 4) % 10)) % 10}`,
      `IT${italian}${luhnDigit(italian)}`,
      `BE${belgian}${String(97 - (Number(belgian) % 97)).padStart(2, '0')}`,
      `PL${polish}`,
    ])
  },
  vin: (random) => {
    const alphabet = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'
    const text = `${random.pick(['WVW', '1HG', 'JTD', 'WBA', 'VF1', 'KMH'])}${random.text(5, alphabet)}0${random.text(2, alphabet)}${random.digits(6)}`
    const value = (c: string) =>
      /\d/.test(c) ? Number(c) : '12345678.12345.7.923456789'.charCodeAt(c.charCodeAt(0) - 65) - 48
    const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
    const rest = [...text].reduce((sum, c, i) => sum + value(c) * (weights[i] ?? 0), 0) % 11
    return `${text.slice(0, 8)}${rest === 10 ? 'X' : rest}${text.slice(9)}`
  },
  imei: (random) => {
    const body = `35${random.digits(12)}`
    return random.chance(0.6) ? body + luhnDigit(body) : group(body + luhnDigit(body), [2, 6, 6, 1], '-')
  },
  'medical-record': (random) =>
    letters(random, random.pick(['MR########', '########', 'H-#######', '###-##-###'])),
  insurance: (random) =>
    letters(random, random.pick(['@#########', '@@@ ### ### ###', '####-####-##', 'POL-########'])),
  expiry: (random) => `${String(1 + random.below(12)).padStart(2, '0')}/${27 + random.below(6)}`,
  cvv: (random) => fillMask(random, random.chance(0.8) ? '###' : '####'),
  mrz: machineReadableZone,
  otp: (random) => fillMask(random, random.pick(['######', '######', '###-###', '### ###'])),
  cbu: (random) => {
    const bank = `0${random.digits(6)}`
    const account = random.digits(13)
    const digit = (body: string, weights: number[]) => (10 - (weightedSum(body, weights) % 10)) % 10
    return `${bank}${digit(bank, [7, 1, 3, 9, 7, 1, 3])}${account}${digit(account, [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3])}`
  },
  clabe: (random) => {
    const body = `0${random.pick(['12', '72', '02', '14'])}180${random.digits(11)}`
    const sum = [...body].reduce((total, c, i) => total + ((Number(c) * ([3, 7, 1][i % 3] ?? 0)) % 10), 0)
    return body + ((10 - (sum % 10)) % 10)
  },
  /** A card number with one digit wrong, as people type it. */
  'mistyped-card': (random) => {
    const body = `4${random.digits(14)}`
    return group(
      body + ((Number(luhnDigit(body)) + 1 + random.below(8)) % 10),
      [4, 4, 4, 4],
      random.pick([' ', '-', '']),
    )
  },
}

const PLATES: Record<string, string[]> = {
  en: ['@@## @@@', '#@@@###', '@@@-####'],
  de: ['B-@@ ####', 'M-@ ###', 'HH @@ ###'],
  fr: ['@@-###-@@'],
  it: ['@@ ### @@', '@@###@@'],
  es: ['#### BCD', '####-KLM'],
  pt: ['@@@#@##', '##-@@-##'],
  nl: ['##-BDF-#', 'GH-###-K'],
  pl: ['W@ #####', 'KR #@@##'],
  sv: ['@@@ ###', '@@@ ##K'],
  tr: ['34 @@ ###', '06 @@@ ##'],
  hi: ['MH 12 @@ ####', 'DL3C@@####'],
}

/** Replaces `@` with a capital letter and `#` with a digit. */
function letters(random: Random, mask: string): string {
  return fillMask(random, mask).replaceAll('@', () => random.text(1, UPPER))
}

function completedNip(random: Random): string {
  for (;;) {
    const body = `5${random.digits(8)}`
    const rest = weightedSum(body, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11
    if (rest < 10) return body + rest
  }
}

/** The two lines of a passport (ICAO 9303, TD3); both must go. */
function machineReadableZone(random: Random): Filled {
  const country = random.pick(['UTO', 'GBR', 'FRA', 'ITA', 'POL', 'IND'])
  const names = `${random.text(7, UPPER)}<<${random.text(5, UPPER)}<${random.text(4, UPPER)}`
  const first = `P<${country}${names}`.padEnd(44, '<')
  const value = (c: string) => (c === '<' ? 0 : Number.parseInt(c, 36))
  const digit = (text: string) =>
    String([...text].reduce((sum, c, i) => sum + value(c) * ([7, 3, 1][i % 3] ?? 0), 0) % 10)
  const number = `${random.text(2, UPPER)}${random.digits(7)}`
  const birth = `${60 + random.below(39)}0${1 + random.below(9)}1${random.below(9)}`
  const expiry = `3${random.below(5)}0${1 + random.below(9)}1${random.below(9)}`
  const filler = '<'.repeat(14)
  const checked = `${number}${digit(number)}${birth}${digit(birth)}${expiry}${digit(expiry)}${filler}0`
  const second = `${number}${digit(number)}${country}${birth}${digit(birth)}${random.pick(['F', 'M'])}${expiry}${digit(expiry)}${filler}0${digit(checked)}`
  return { text: `${first}\n${second}`, secrets: [names, number] }
}
