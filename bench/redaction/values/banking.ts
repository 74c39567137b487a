import { ibanDigits, luhnDigit, routingDigit } from '../check-digits.ts'
import type { Random } from '../random.ts'
import { fillMask, group } from './slot.ts'

/** Issuer prefix, length and the usual grouping. */
const CARDS: [prefix: string, length: number, groups: number[]][] = [
  ['4', 16, [4, 4, 4, 4]],
  ['4', 16, [4, 4, 4, 4]],
  ['51', 16, [4, 4, 4, 4]],
  ['54', 16, [4, 4, 4, 4]],
  ['2221', 16, [4, 4, 4, 4]],
  ['2720', 16, [4, 4, 4, 4]],
  ['34', 15, [4, 6, 5]],
  ['37', 15, [4, 6, 5]],
  ['6011', 16, [4, 4, 4, 4]],
  ['65', 16, [4, 4, 4, 4]],
  ['3528', 16, [4, 4, 4, 4]],
  ['3589', 16, [4, 4, 4, 4]],
  ['36', 14, [4, 6, 4]],
  ['305', 14, [4, 6, 4]],
  ['6212', 16, [4, 4, 4, 4]],
  ['6225', 19, [6, 13]],
  ['5018', 16, [4, 4, 4, 4]],
  ['6759', 16, [4, 4, 4, 4]],
  ['2200', 16, [4, 4, 4, 4]],
  ['508', 16, [4, 4, 4, 4]],
]

/** A payment card number of any of the issuers, grouped or not. */
export function cardNumber(random: Random): string {
  const [prefix, length, groups] = random.pick(CARDS)
  const body = prefix + random.digits(length - prefix.length - 1)
  return group(body + luhnDigit(body), groups, random.pick([' ', ' ', '-', '']))
}

/** Country, length of the whole IBAN (ISO 13616 registry) and the letters that the account part starts with. */
const IBANS: [country: string, length: number, bank: string][] = [
  ['AD', 24, ''],
  ['AE', 23, ''],
  ['AT', 20, ''],
  ['BE', 16, ''],
  ['BG', 22, 'UNCR'],
  ['CH', 21, ''],
  ['CY', 28, ''],
  ['CZ', 24, ''],
  ['DE', 22, ''],
  ['DK', 18, ''],
  ['EE', 20, ''],
  ['ES', 24, ''],
  ['FI', 18, ''],
  ['FR', 27, ''],
  ['GB', 22, 'BARC'],
  ['GR', 27, ''],
  ['HR', 21, ''],
  ['HU', 28, ''],
  ['IE', 22, 'AIBK'],
  ['IL', 23, ''],
  ['IS', 26, ''],
  ['IT', 27, 'X'],
  ['LT', 20, ''],
  ['LU', 20, ''],
  ['LV', 21, 'HABA'],
  ['MT', 31, 'MALT'],
  ['NL', 18, 'INGB'],
  ['NO', 15, ''],
  ['PK', 24, 'HABB'],
  ['PL', 28, ''],
  ['PT', 25, ''],
  ['QA', 29, 'DOHB'],
  ['RO', 24, 'BTRL'],
  ['SA', 24, ''],
  ['SE', 24, ''],
  ['SI', 19, ''],
  ['SK', 24, ''],
  ['TR', 26, ''],
  ['UA', 29, ''],
]

/** An IBAN with right check digits and its country's length, in groups of four or in one run. */
export function ibanNumber(random: Random): string {
  const [country, length, bank] = random.pick(IBANS)
  const account = bank + random.digits(length - 4 - bank.length)
  const iban = country + ibanDigits(country, account) + account
  const inFours = (iban.match(/.{1,4}/g) ?? []).join(' ')
  return random.pick([inFours, inFours, iban, random.chance(0.2) ? iban.toLowerCase() : iban])
}

const BICS = [
  'DEUTDEFF',
  'DEUTDEFF500',
  'COBADEFFXXX',
  'BNPAFRPP',
  'AGRIFRPP882',
  'CAIXESBB',
  'BBVAESMMXXX',
  'UNCRITMM',
  'BCITITMMXXX',
  'INGBNL2A',
  'RABONL2U',
  'BARCGB22',
  'MIDLGB22',
  'PKOPPLPW',
  'SWEDSESS',
  'HANDSESS',
  'CHASUS33',
  'BOFAUS3N',
  'CITIUS33XXX',
  'SABRRUMM',
  'ICBKCNBJ',
  'BKCHCNBJ110',
  'BOTKJPJT',
  'MHCBJPJT',
  'CZNBKRSE',
  'HVBKKRSE',
  'NCBKSAJE',
  'SBININBB',
  'HDFCINBB',
  'ISBKTRIS',
  'TGBATRIS',
  'CGDIPTPL',
  'BRASBRRJ',
  'BKKBTHBK',
  'BFTVVNVX',
  'CENAIDJA',
  'KOMBCZPP',
  'PBANUA2X',
]

export const bicCode = (random: Random): string => random.pick(BICS)

/** A bank account number without a check digit, which only its context identifies. */
export function accountNumber(random: Random): string {
  return fillMask(
    random,
    random.pick(['N#######', 'N#########', 'N###########', 'N######-#', 'N### #### ##']),
  )
}

export function routingNumber(random: Random): string {
  const body = random.pick(['02', '03', '06', '07', '11', '12', '26', '31', '32']) + random.digits(6)
  return body + routingDigit(body)
}

/** A British sort code. */
export function sortCode(random: Random): string {
  return fillMask(random, random.pick(['20-##-##', '40-##-##', '60-##-##', '09-01-##', '30 ## ##']))
}
