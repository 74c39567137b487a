import * as check from '../check-digits.ts'
import type { Random } from '../random.ts'
import { fillMask, group } from './slot.ts'

/** National numbers beyond those of the first sets: the rest of the EU and its neighbours, Asia, Africa, America. */
export const moreNationalIds: Record<string, (random: Random) => string> = {
  'bg-egn': (random) =>
    ended(random, () => birthDigits(random) + random.digits(3), [2, 4, 8, 5, 10, 9, 7, 3, 6]),
  'hr-oib': (random) => {
    const body = random.digits(10)
    return body + check.steuerIdDigit(body)
  },
  'ee-id': balticId,
  'lt-id': balticId,
  'lv-id': (random) => `32${random.digits(4)}-${random.digits(5)}`,
  'si-emso': (random) => {
    const number = completed(() => {
      const body = `${dayMonth(random)}9${60 + random.below(39)}50${random.digits(3)}`
      const rest = 11 - (check.weightedSum(body, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)
      return rest === 10 ? undefined : body + (rest % 11)
    })
    return number
  },
  'sk-birth-number': czechBirthNumber,
  'cz-birth-number': czechBirthNumber,
  'hu-taj': (random) => {
    const body = random.digits(8)
    return group(body + (check.weightedSum(body, [3, 7, 3, 7, 3, 7, 3, 7]) % 10), [3, 3, 3], ' ')
  },
  'hu-tax-id': (random) =>
    completed(() => {
      const body = `8${random.digits(8)}`
      const rest = check.weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11
      return rest === 10 ? undefined : body + rest
    }),
  'gr-amka': (random) => {
    const body = `${dayMonth(random)}${60 + random.below(39)}${random.digits(4)}`
    return body + check.luhnDigit(body)
  },
  'gr-afm': (random) => {
    const body = `0${random.digits(7)}`
    return body + ((check.weightedSum(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10)
  },
  'ie-ppsn': (random) => {
    const body = random.digits(7)
    const letter = 'WABCDEFGHIJKLMNOPQRSTUV'[check.weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) % 23]
    return `${body}${letter}${random.pick(['', '', 'A'])}`.replace(/^(\d{7})(.)A$/, (_, digits: string) => {
      const withA = (check.weightedSum(digits, [8, 7, 6, 5, 4, 3, 2]) + 9) % 23
      return `${digits}${'WABCDEFGHIJKLMNOPQRSTUV'[withA]}A`
    })
  },
  'mt-id': (random) => `0${random.digits(6)}${random.pick([...'MGAPL'])}`,
  'cy-tic': (random) => {
    const body = `0${random.digits(7)}`
    const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
    const sum = [...body].reduce(
      (total, c, i) => total + (i % 2 === 0 ? (odd[Number(c)] ?? 0) : Number(c)),
      0,
    )
    return body + String.fromCharCode(65 + (sum % 26))
  },
  'lu-id': (random) => {
    const body = `19${50 + random.below(49)}${monthDay(random)}${random.digits(3)}`
    return body + check.luhnDigit(body) + check.verhoeffDigit(body)
  },
  'be-nrn': (random) => {
    const body = birthDigits(random) + fillMask(random, '###')
    const digits = body + String(97 - (Number(body) % 97)).padStart(2, '0')
    return random.chance(0.6) ? digits.replace(/(..)(..)(..)(...)(..)/, '$1.$2.$3-$4.$5') : digits
  },
  'at-svnr': (random) =>
    completed(() => {
      const serial = fillMask(random, 'N##')
      const birth = `${dayMonth(random)}${60 + random.below(39)}`
      const digit = check.weightedSum(serial + birth, [3, 7, 9, 5, 8, 4, 2, 1, 6]) % 11
      return digit === 10 ? undefined : `${serial}${digit} ${birth}`
    }),
  'dk-cpr': (random) =>
    completed(() => {
      const body = `${dayMonth(random)}${50 + random.below(49)}${random.below(4)}${random.digits(2)}`
      const rest = (11 - (check.weightedSum(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
      return rest === 10 ? undefined : `${body.slice(0, 6)}-${body.slice(6)}${rest}`
    }),
  'fi-hetu': (random) => {
    const birth = `${dayMonth(random)}${50 + random.below(49)}`
    const serial = fillMask(random, 'N##')
    return `${birth}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(birth + serial) % 31]}`
  },
  'ro-cnp': (random) => {
    const body = `${1 + random.below(2)}${birthDigits(random)}${10 + random.below(30)}${fillMask(random, '###')}`
    const rest = check.weightedSum(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
    return body + (rest === 10 ? 1 : rest)
  },
  'pt-nif': (random) => {
    const body = `2${random.digits(7)}`
    const rest = 11 - (check.weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)
    return group(body + (rest > 9 ? 0 : rest), [3, 3, 3], random.pick([' ', '']))
  },
  'no-fnr': (random) =>
    completed(() => {
      const body = `${dayMonth(random)}${50 + random.below(49)}${fillMask(random, '###')}`
      const first = (11 - (check.weightedSum(body, [3, 7, 6, 1, 8, 9, 4, 5, 2]) % 11)) % 11
      const second = (11 - (check.weightedSum(body + first, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
      if (first === 10 || second === 10) return undefined
      return `${body.slice(0, 6)} ${body.slice(6)}${first}${second}`
    }),
  'ch-ahv': (random) => {
    const body = `756${random.digits(9)}`
    return group(body + check.gs1Digit(body), [3, 4, 4, 2], '.')
  },
  'il-id': (random) => {
    const body = `0${random.digits(7)}`
    return body + check.luhnDigit(body)
  },
  'ru-snils': (random) => {
    const body = `1${random.digits(8)}`
    const rest = (check.weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100
    return `${group(body, [3, 3, 3], '-')} ${String(rest).padStart(2, '0')}`
  },
  'ua-tax-id': (random) => {
    const body = `3${random.digits(8)}`
    return body + (((check.weightedSum(body, [-1, 5, 7, 9, 4, 6, 10, 5, 7]) + 1100) % 11) % 10)
  },
  'kz-iin': (random) =>
    completed(() => {
      const body = birthDigits(random) + fillMask(random, '4####')
      const rest = check.weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) % 11
      return rest === 10 ? undefined : body + rest
    }),
  'vn-cccd': (random) => `0${fillMask(random, '01')}0${60 + random.below(39)}${random.digits(6)}`,
  'id-nik': (random) =>
    `3273${random.digits(2)}${dayMonth(random)}${60 + random.below(39)}000${1 + random.below(9)}`,
  'my-nric': (random) => `${birthDigits(random)}-14-${fillMask(random, '####')}`,
  'pk-cnic': (random) => fillMask(random, '3520#-#######-#'),
  'ae-id': (random) => {
    const body = `784${1960 + random.below(40)}${random.digits(7)}`
    return group(body + check.luhnDigit(body), [3, 4, 7, 1], '-')
  },
  'cl-rut': (random) => {
    const body = `1${random.digits(7)}`
    const rest = 11 - (check.weightedSum([...body].reverse().join(''), [2, 3, 4, 5, 6, 7, 2, 3]) % 11)
    return `${group(body, [2, 3, 3], '.')}-${rest === 11 ? '0' : rest === 10 ? 'K' : rest}`
  },
  'ar-cuit': (random) =>
    completed(() => {
      const body = `20${random.digits(8)}`
      const rest = (11 - (check.weightedSum(body, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11
      return rest === 10 ? undefined : `20-${body.slice(2)}-${rest}`
    }),
  'us-mbi': (random) => {
    const letter = () => random.pick([...'ACDEFGHJKMNPQRTUVWXY'])
    const number = `${1 + random.below(9)}${letter()}${letter()}${random.digits(1)}${letter()}${letter()}${random.digits(1)}${letter()}${letter()}${random.digits(2)}`
    return random.chance(0.5) ? group(number, [4, 3, 4], '-') : number
  },
  'us-a-number': (random) => fillMask(random, random.pick(['A#########', 'A### ### ###', 'A-###-###-###'])),
  'uk-utr': (random) => {
    const body = random.digits(9)
    const number = `${'21987654321'[check.weightedSum(body, [6, 7, 8, 9, 10, 5, 4, 3, 2]) % 11]}${body}`
    return random.chance(0.5) ? group(number, [5, 5], ' ') : number
  },
  'ng-nin': (random) => fillMask(random, 'N##########'),
  'ng-bvn': (random) => fillMask(random, '22#########'),
  'gh-card': (random) => fillMask(random, 'GHA-#########-#'),
}

function balticId(random: Random): string {
  const body = `${3 + random.below(2)}${birthDigits(random)}${fillMask(random, '###')}`
  const first = check.weightedSum(body, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1]) % 11
  const second = check.weightedSum(body, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 11
  return body + (first < 10 ? first : second % 10)
}

function czechBirthNumber(random: Random): string {
  return completed(() => {
    const body = birthDigits(random) + fillMask(random, '###')
    const rest = Number(body) % 11
    return rest === 10 ? undefined : `${body.slice(0, 6)}/${body.slice(6)}${rest}`
  })
}

/** Adds the sum of the weighted digits modulo 11, of which the last digit counts. */
function ended(_random: Random, body: () => string, weights: readonly number[]): string {
  const start = body()
  return start + ((check.weightedSum(start, weights) % 11) % 10)
}

function completed(make: () => string | undefined): string {
  for (;;) {
    const number = make()
    if (number !== undefined) return number
  }
}

const two = (number: number) => String(number).padStart(2, '0')
const monthDay = (random: Random) => two(1 + random.below(12)) + two(1 + random.below(28))
const dayMonth = (random: Random) => two(1 + random.below(28)) + two(1 + random.below(12))
/** Year, month and day of a birth before 2000, two digits each. */
const birthDigits = (random: Random) => `${55 + random.below(44)}${monthDay(random)}`
