import { DIGITS, type Random, UPPER } from '../random.ts'

const PASSPORTS: Record<string, string[]> = {
  en: ['#########', 'A########', 'E#######', 'AB######'],
  de: ['C01X0###6', 'CF4K9###7', 'P#######'],
  fr: ['##AB#####', '##CV#####'],
  es: ['XDA######', 'PAB######'],
  it: ['YA#######', 'AA#######'],
  pt: ['FX######', 'CA######'],
  nl: ['NX4R7#P#3', 'BE1L5#C#8'],
  pl: ['EH#######', 'AT#######'],
  sv: ['########', 'AA#######'],
  tr: ['U########', 'S########'],
  ru: ['7# #######', '5########'],
  zh: ['E########', 'G########'],
  ja: ['TK#######', 'MZ#######'],
  ko: ['M########', 'M1##B####'],
  hi: ['J#######', 'Z#######'],
  vi: ['B#######', 'C#######'],
  id: ['A#######', 'X#######'],
}

const LICENCES: Record<string, string[]> = {
  en: ['I#######', 'D###-####-####', 'S###-###-##-###-#', 'MORGA657###SM9IJ', '########'],
  de: ['B072RRE#I##', 'N0704578###'],
  fr: ['##########14', '13AA#####'],
  es: ['########K', '########Z'],
  it: ['U1##X#####Y', 'MI#######K'],
  pt: ['###########', '0##########'],
  nl: ['32########', '50########'],
  pl: ['#####/12/1465', '0####/09/0264'],
  sv: ['######-####'],
  tr: ['######', '########'],
  ru: ['77 ## ######', '99 ## ######'],
  cs: ['EK ######', 'EH######'],
  zh: ['11010119800101####', '310########'],
  ja: ['30##########', '62##########'],
  ko: ['11-##-######-##', '26-##-######-##'],
  ar: ['########', '##########'],
  hi: ['MH12 2015#######', 'DL-0420110######', 'KA0520090######'],
  vi: ['79##########', '01##########'],
  id: ['98##########', '8506########'],
}

/** A passport number of the language's country, which only its context identifies. */
export function passportNumber(random: Random, language: string): string {
  return fill(random, random.pick(PASSPORTS[language] ?? ['AB#######']))
}

/** A driver's licence number of the language's country. */
export function licenceNumber(random: Random, language: string): string {
  return fill(random, random.pick(LICENCES[language] ?? [`${random.text(2, UPPER)}######`]))
}

const fill = (random: Random, mask: string) => mask.replaceAll('#', () => random.text(1, DIGITS))
