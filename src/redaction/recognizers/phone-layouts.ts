import type { Strength } from '../engine/finding.ts'
import type { NumberRule } from '../engine/recognizer.ts'

function layout(shapes: string, form: RegExp): NumberRule {
  return {
    shapes: shapes.split('|'),
    judge: (digits): Strength | undefined => (form.test(digits) ? 'checked' : undefined),
  }
}

/** Groupings that countries use for numbers without a leading zero and that are distinctive enough on their own. */
export const NATIONAL_LAYOUTS: readonly NumberRule[] = [
  // North America; Italian mobile numbers look the same
  layout('3-3-4|3.3.4|3 3 4|3 3-4|3.3-4|3-3 4', /^[2-9]\d\d[2-9]/),
  layout('1-3-3-4|1 3 3 4|1.3.3.4|1 3-3-4|1 3 3-4', /^1[2-9]\d\d[2-9]/),
  // Russia
  layout('1 3 3-2-2|1-3-3-2-2|1 3 3 2 2|1 3 3 4|1-3-3-4|1 3 3-4|1 3 7|1-3-7|11', /^8[3489]\d{9}$/),
  layout('3 3-2-2|3-3-2-2|3 3 2 2', /^[3-9]/),
  // China
  layout('3 4 4|3-4-4|11|3 8', /^1[3-9]\d{9}$/),
  // Brazil
  layout('2 5-4|2 5 4|2 9|2-5-4', /^[1-9]\d9/),
  // India
  layout('5 5|5-5', /^[6-9]/),
  // Spain, Portugal, Mexico, Chile
  layout('3 2 2 2', /^[6-9]/),
  layout('2 4 4', /^[2-9]\d[2-9]/),
  layout('1 4 4', /^9[2-9]/),
]
