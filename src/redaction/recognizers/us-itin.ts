import type { Recognizer } from '../engine/recognizer.ts'

/** Individual taxpayer numbers: area 9, and the groups that the IRS issues. */
export const usItin: Recognizer = {
  type: 'US_ITIN',
  label: 'US individual taxpayer identification number',
  example: '912-70-1234',
  isIdentity: true,
  context: ['itin*', 'individual taxpayer*', 'taxpayer*', 'tax id*'],
  numbers: [
    { shapes: ['3-2-4'], judge: (digits) => (isAssigned(digits) ? 'alone' : undefined) },
    { shapes: ['3 2 4'], judge: (digits) => (isAssigned(digits) ? 'checked' : undefined) },
    { shapes: ['9'], judge: (digits) => (isAssigned(digits) ? 'context' : undefined) },
  ],
  examples: ['ITIN «912-70-1234»', 'my ITIN: «912701234»'],
  counterExamples: ['912-40-1234', 'ticket 912701234'],
}

function isAssigned(digits: string): boolean {
  const group = Number(digits.slice(3, 5))
  return (
    digits.startsWith('9') &&
    ((group >= 50 && group <= 65) || (group >= 70 && group <= 88) || group >= 90) &&
    group !== 93
  )
}
