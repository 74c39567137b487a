import { createHash } from 'node:crypto'
import { gs1Digit } from '../check-digits.ts'
import { ALNUM, DIGITS, HEX, type Random, UPPER } from '../random.ts'
import { plainDate } from './dates.ts'
import type { Generator } from './slot.ts'
import { fillMask, group } from './slot.ts'

/** Numbers and codes that are not personal data, for the hard negatives. */
export const harmless: Record<string, Generator> = {
  order: (random) =>
    random.pick([
      `#${random.digits(6)}`,
      random.digits(8 + random.below(5)),
      `ORD-${random.digits(4)}-${random.digits(6)}`,
      `${random.digits(3)}-${random.digits(7)}-${random.digits(7)}`,
      `${random.text(2, UPPER)}${random.digits(8)}`,
    ]),
  tracking: (random) =>
    random.pick([
      `1Z${random.text(6, DIGITS + UPPER)}${random.digits(10)}`,
      `${random.text(2, UPPER)}${random.digits(9)}${random.pick(['DE', 'GB', 'US', 'CN'])}`,
      random.digits(20),
      `JD${random.digits(18)}`,
      random.digits(12),
      `00${sscc(random)}`,
    ]),
  invoice: (random) =>
    random.pick([
      `INV-20${20 + random.below(7)}-${random.digits(5)}`,
      `RE-${random.digits(8)}`,
      random.digits(9),
    ]),
  ticket: (random) =>
    random.pick([
      `#${random.digits(7)}`,
      `INC${random.digits(8)}`,
      `SUP-${random.digits(5)}`,
      random.digits(10),
    ]),
  price: (random) =>
    random.pick([
      `€${random.digits(2)}.99`,
      `$1,${fillMask(random, '###')}.50`,
      `${random.digits(3)},90 €`,
      `£${fillMask(random, 'N##')}`,
    ]),
  'price-number': (random) => `${1 + random.below(900)}.${random.digits(2)}`,
  version: (random) =>
    `${random.below(30)}.${random.below(20)}.${random.below(40)}${random.pick(['', '-rc.1', '-beta2', ''])}`,
  version4: (random) => `${10 + random.below(130)}.0.${random.below(6000) + 1000}.${300 + random.below(600)}`,
  uuid: (random) =>
    `${random.text(8, HEX)}-${random.text(4, HEX)}-4${random.text(3, HEX)}-${random.pick([...'89ab'])}${random.text(3, HEX)}-${random.text(12, HEX)}`,
  isbn: (random) => {
    const body = `978${random.pick(['0', '1', '3', '2', '84', '88', '5'])}${random.digits(9)}`.slice(0, 12)
    const code = body + gs1Digit(body)
    return random.pick([code, group(code, [3, 1, 4, 4, 1], '-'), group(code, [3, 1, 4, 4, 1], ' ')])
  },
  ean: (random) => {
    const body = random.pick(['400', '590', '871', '301', '690', '45']).padEnd(3, '0') + random.digits(9)
    return body + gs1Digit(body)
  },
  seconds: (random) => String(1_500_000_000 + random.below(300_000_000)),
  millis: (random) => `${1_500_000_000 + random.below(300_000_000)}${random.digits(3)}`,
  iso: (random) =>
    `202${random.below(7)}-0${1 + random.below(9)}-1${random.below(9)}T1${random.below(9)}:4${random.below(9)}:0${random.below(9)}Z`,
  sha256: (random) => hash('sha256', random),
  sha1: (random) => hash('sha1', random),
  md5: (random) => hash('md5', random),
  commit: (random) => random.text(7 + random.below(4), HEX),
  serial: (random) =>
    random.pick([
      `SN${random.text(10, DIGITS + UPPER)}`,
      `${random.text(3, UPPER)}-${random.digits(5)}-${random.text(2, UPPER)}`,
      `C02${random.text(9, DIGITS + UPPER)}`,
    ]),
  part: (random) =>
    random.pick([
      `${random.digits(3)}-${random.digits(4)}-${random.text(2, UPPER)}`,
      `${random.digits(5)}-${random.digits(3)}`,
      `WH-${random.digits(4)}XM4`,
      `${random.digits(3)}.${random.digits(3)}.${random.digits(2)}`,
    ]),
  flight: (random) =>
    `${random.pick(['LH', 'BA', 'AF', 'TK', 'SQ', 'KE', 'NH'])}${random.chance(0.5) ? ' ' : ''}${100 + random.below(1900)}`,
  coords: (random) => `${random.below(80)}.${random.digits(6)}, ${random.below(170)}.${random.digits(6)}`,
  amount: (random) =>
    random.pick([
      random.digits(5),
      `${1 + random.below(9)},${random.digits(3)},${random.digits(3)}`,
      `${1 + random.below(9)}.${random.digits(3)}.${random.digits(3)}`,
      `${1 + random.below(9)} ${random.digits(3)} ${random.digits(3)}`,
    ]),
  score: (random) => `${random.below(6)}:${random.below(6)}`,
  date: (random, language) => plainDate(random, language),
  loopback: (random) => random.pick(['127.0.0.1', '::1', '0.0.0.0', '127.0.1.1', '127.0.0.53']),
  netmask: (random) => random.pick(['255.255.255.0', '255.255.0.0', '255.255.255.240', '255.255.254.0']),
  base64: (random) => Buffer.from(random.text(24, ALNUM)).toString('base64'),
  color: (random) => `#${random.text(6, HEX)}`,
  percent: (random) => `${random.below(100)}.${random.digits(2)} %`,
}

function hash(algorithm: string, random: Random): string {
  return createHash(algorithm).update(random.digits(20)).digest('hex')
}

/** A serial shipping container code. */
function sscc(random: Random): string {
  const body = `3${random.digits(16)}`
  return body + gs1Digit(body)
}
