import * as check from '../check-digits.ts'
import type { Random } from '../random.ts'
import { completed, day, layout, month } from './national-ids.ts'
import { fillMask, group } from './slot.ts'

/** National numbers beyond those of the first sets: the rest of the EU and its neighbours, Asia, Africa, America. */
export const moreNationalIds: Record<string, (random: Random) => string> = {
  'bg-egn': (random) => completed(() => birthDigits(random) + random.digits(3), check.egnDigit),
  'hr-oib': (random) => completed(() => random.digits(10), check.steuerIdDigit),
  'ee-id': balticId,
  'lt-id': balticId,
  'lv-id': (random) => `32${random.digits(4)}-${random.digits(5)}`,
  'si-emso': (random) =>
    completed(() => `${dayMonth(random)}9${60 + random.below(39)}50${random.digits(3)}`, check.emsoDigit),
  'cz-birth-number': birthNumber,
  'sk-birth-number': birthNumber,
  'hu-taj': (random) =>
    group(
      completed(() => random.digits(8), check.tajDigit),
      [3, 3, 3],
      ' ',
    ),
  'hu-tax-id': (random) => completed(() => `8${random.digits(8)}`, check.hungarianTaxDigit),
  'gr-amka': (random) => completed(() => dayMonth(random) + year(random) + random.digits(4), check.luhnDigit),
  'gr-afm': (random) => completed(() => `0${random.digits(7)}`, check.afmDigit),
  'ie-ppsn': (random) => {
    const body = random.digits(7)
    const second = random.chance(0.3) ? 'A' : ''
    return body + check.ppsnLetter(body, second) + second
  },
  'mt-id': (random) => `0${random.digits(6)}${random.pick([...'MGAPL'])}`,
  'cy-tic': (random) => completed(() => `0${random.digits(7)}`, check.cypriotLetter),
  'lu-id': (random) => {
    const body = `19${birthDigits(random)}${random.digits(3)}`
    return body + check.luhnDigit(body) + check.verhoeffDigit(body)
  },
  'be-nrn': (random) => {
    const digits = completed(() => birthDigits(random) + random.digits(3), check.nationalRegisterDigits)
    return random.chance(0.6) ? digits.replace(/(..)(..)(..)(...)(..)/, '$1.$2.$3-$4.$5') : digits
  },
  'at-svnr': (random) => {
    const digits = completed(() => fillMask(random, 'N##') + dayMonth(random) + year(random), check.svnrDigit)
    return `${digits.slice(0, 3)}${digits.slice(9)} ${digits.slice(3, 9)}`
  },
  'dk-cpr': (random) => {
    const body = () => dayMonth(random) + year(random) + random.below(4) + random.digits(2)
    return group(completed(body, check.cprDigit), [6, 4], '-')
  },
  'fi-hetu': (random) => {
    const code = completed(() => dayMonth(random) + year(random) + fillMask(random, 'N##'), check.hetuSign)
    return group(code, [6, 4], '-')
  },
  'ro-cnp': (random) =>
    completed(
      () => `${1 + random.below(2)}${birthDigits(random)}${10 + random.below(30)}${random.digits(3)}`,
      check.cnpDigit,
    ),
  'pt-nif': (random) =>
    layout(
      random,
      completed(() => `2${random.digits(7)}`, check.portugueseNifDigit),
      [3, 3, 3],
      [' ', ''],
    ),
  'no-fnr': (random) => {
    const body = () => dayMonth(random) + year(random) + fillMask(random, '###')
    return group(completed(body, check.fodselsnummerDigits), [6, 5], ' ')
  },
  'ch-ahv': (random) =>
    group(
      completed(() => `756${random.digits(9)}`, check.gs1Digit),
      [3, 4, 4, 2],
      '.',
    ),
  'il-id': (random) => completed(() => `0${random.digits(7)}`, check.luhnDigit),
  'ru-snils': (random) => {
    const digits = completed(() => `1${random.digits(8)}`, check.snilsDigits)
    return `${group(digits.slice(0, 9), [3, 3, 3], '-')} ${digits.slice(9)}`
  },
  'ua-tax-id': (random) => completed(() => `3${random.digits(8)}`, check.ukrainianTaxDigit),
  'kz-iin': (random) => completed(() => `${birthDigits(random)}4${random.digits(4)}`, check.iinDigit),
  'vn-cccd': (random) => `001${random.pick(['0', '1'])}${year(random)}${random.digits(6)}`,
  'id-nik': (random) => `3273${random.digits(2)}${dayMonth(random)}${year(random)}000${1 + random.below(9)}`,
  'my-nric': (random) => `${birthDigits(random)}-14-${random.digits(4)}`,
  'pk-cnic': (random) => fillMask(random, '3520#-#######-#'),
  'ae-id': (random) =>
    group(
      completed(() => `784${1960 + random.below(40)}${random.digits(7)}`, check.luhnDigit),
      [3, 4, 7, 1],
      '-',
    ),
  'cl-rut': (random) => {
    const number = completed(() => `1${random.digits(7)}`, check.rutDigit)
    return `${group(number.slice(0, 8), [2, 3, 3], '.')}-${number.slice(8)}`
  },
  'ar-cuit': (random) =>
    group(
      completed(() => `20${random.digits(8)}`, check.cuitDigit),
      [2, 8, 1],
      '-',
    ),
  'us-mbi': (random) => {
    const mask = '#@@#@@#@@##'.replaceAll('@', () => random.pick([...'ACDEFGHJKMNPQRTUVWXY']))
    const number = mask.replaceAll('#', () => String(1 + random.below(9)))
    return layout(random, number, [4, 3, 4], ['-', ''])
  },
  'us-a-number': (random) => fillMask(random, random.pick(['A#########', 'A### ### ###', 'A-###-###-###'])),
  'uk-utr': (random) => {
    const body = random.digits(9)
    return layout(random, check.utrDigit(body) + body, [5, 5], [' ', ''])
  },
  'ng-nin': (random) => fillMask(random, 'N##########'),
  'ng-bvn': (random) => `22${random.digits(9)}`,
  'gh-card': (random) => fillMask(random, 'GHA-#########-#'),
}

function balticId(random: Random): string {
  return completed(() => `${3 + random.below(2)}${birthDigits(random)}${random.digits(3)}`, check.balticDigit)
}

function birthNumber(random: Random): string {
  return group(
    completed(() => birthDigits(random) + random.digits(3), check.birthNumberDigit),
    [6, 4],
    '/',
  )
}

/** The last two digits of a year of birth before 2000. */
const year = (random: Random) => String(55 + random.below(44))
const dayMonth = (random: Random) => day(random) + month(random)
const birthDigits = (random: Random) => year(random) + month(random) + day(random)
