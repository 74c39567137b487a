import { type CountryCode, Metadata, type NumberingPlan } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

interface Plan {
  pattern: RegExp
  lengths: ReadonlySet<number>
}

/** Numbering plans by country calling code, from libphonenumber's data. */
const PLANS = new Map<string, Plan[]>()

for (const [callingCode, countries] of Object.entries(metadata.country_calling_codes)) {
  PLANS.set(callingCode, countries.map(readPlan))
}

function readPlan(country: string): Plan {
  const reader = new Metadata(metadata)
  reader.selectNumberingPlan(country as CountryCode)
  // The library's types lack the pattern, which its documentation of Metadata describes.
  const plan = reader.numberingPlan as NumberingPlan & { nationalNumberPattern(): string }
  return {
    pattern: new RegExp(`^(?:${plan.nationalNumberPattern()})$`),
    lengths: new Set(plan.possibleLengths()),
  }
}

/** The degree to which digits that begin with a calling code fit the plans for that code. */
type Fit = 'valid' | 'possible' | 'none'

/** Judges an international number, without its `+`. */
export function fitInternational(digits: string): Fit {
  let fit: Fit = 'none'
  for (let length = 1; length <= 3; length++) {
    const plans = PLANS.get(digits.slice(0, length))
    if (!plans) continue
    const national = digits.slice(length)
    const bare = national.startsWith('0') ? national.slice(1) : national
    for (const plan of plans) {
      if (plan.pattern.test(national) || plan.pattern.test(bare)) return 'valid'
      if (plan.lengths.has(national.length)) fit = 'possible'
    }
  }
  return fit
}

/** Countries in which national numbers are dialled with a leading zero. */
const WITH_ZERO =
  'GB IE AU NZ ZA NG KE GH DE AT CH FR BE NL SE FI TR UA SK RO BG HR RS SI IL SA AE EG MA JO IQ LB TW JP KR TH VN ID MY PH PK BD IN AR EC IR'
const zeroPlans = WITH_ZERO.split(' ').map(readPlan)
const italy = readPlan('IT')

/** Tells whether national digits with a leading zero form a number in some country that dials so. */
export function isNationalWithZero(digits: string): boolean {
  const bare = digits.slice(1)
  return (
    italy.pattern.test(digits) ||
    zeroPlans.some((plan) => plan.lengths.has(bare.length) && plan.pattern.test(bare))
  )
}
