import * as check from '../check-digits.ts'
import { LOWER, type Random, UPPER } from '../random.ts'
import { completed } from './national-ids.ts'
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
  vat: (random) =>
    random.pick([
      () => `DE${completed(() => random.digits(8), check.steuerIdDigit)}`,
      () => `ATU${completed(() => random.digits(7), check.austrianVatDigit)}`,
      () => `IT${completed(() => `0${random.digits(9)}`, check.luhnDigit)}`,
      () =>
        `BE${completed(() => `0${4 + random.below(5)}${random.digits(6)}`, check.nationalRegisterDigits)}`,
      () => `PL${completed(() => `5${random.digits(8)}`, check.nipDigit)}`,
      () => {
        const siren = `5${random.digits(8)}`
        return `FR${check.frenchVatKey(siren)}${siren}`
      },
    ])(),
  vin: (random) => {
    const alphabet = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'
    const maker = random.pick(['WVW', '1HG', 'JTD', 'WBA', 'VF1', 'KMH'])
    const text = `${maker}${random.text(5, alphabet)}0${random.text(2, alphabet)}${random.digits(6)}`
    return `${text.slice(0, 8)}${check.vinSign(text)}${text.slice(9)}`
  },
  imei: (random) => {
    const number = completed(() => `35${random.digits(12)}`, check.luhnDigit)
    return random.chance(0.6) ? number : group(number, [2, 6, 6, 1], '-')
  },
  'medical-record': (random) =>
    letters(random, random.pick(['MR########', '########', 'H-#######', '###-##-###'])),
  insurance: (random) =>
    letters(random, random.pick(['@#########', '@@@ ### ### ###', '####-####-##', 'POL-########'])),
  expiry: (random) => `${String(1 + random.below(12)).padStart(2, '0')}/${27 + random.below(6)}`,
  cvv: (random) => fillMask(random, random.chance(0.8) ? '###' : '####'),
  mrz: machineReadableZone,
  otp: (random) => fillMask(random, random.pick(['######', '######', '###-###', '### ###'])),
  cbu: (random) =>
    completed(() => `0${random.digits(6)}`, check.cbuBankDigit) +
    completed(() => random.digits(13), check.cbuAccountDigit),
  clabe: (random) =>
    completed(() => `0${random.pick(['12', '72', '02', '14'])}180${random.digits(11)}`, check.clabeDigit),
  /** A card number with one digit wrong, as people type it. */
  'mistyped-card': (random) => {
    const body = `4${random.digits(14)}`
    return group(
      body + ((Number(check.luhnDigit(body)) + 1 + random.below(8)) % 10),
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

/** The two lines of a passport (ICAO 9303, TD3); both must go. */
function machineReadableZone(random: Random): Filled {
  const country = random.pick(['UTO', 'GBR', 'FRA', 'ITA', 'POL', 'IND'])
  const names = `${random.text(7, UPPER)}<<${random.text(5, UPPER)}<${random.text(4, UPPER)}`
  const first = `P<${country}${names}`.padEnd(44, '<')
  const digit = check.mrzDigit
  const number = `${random.text(2, UPPER)}${random.digits(7)}`
  const birth = `${60 + random.below(39)}0${1 + random.below(9)}1${random.below(9)}`
  const expiry = `3${random.below(5)}0${1 + random.below(9)}1${random.below(9)}`
  const filler = '<'.repeat(14)
  const checked = `${number}${digit(number)}${birth}${digit(birth)}${expiry}${digit(expiry)}${filler}0`
  const second = `${number}${digit(number)}${country}${birth}${digit(birth)}${random.pick(['F', 'M'])}${expiry}${digit(expiry)}${filler}0${digit(checked)}`
  return { text: `${first}\n${second}`, secrets: [names, number] }
}
