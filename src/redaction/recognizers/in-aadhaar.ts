import { passesVerhoeff } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'

/** Aadhaar numbers with their Verhoeff digit; none begins with 0 or 1. */
export const inAadhaar: Recognizer = {
  type: 'IN_AADHAAR',
  label: 'Indian Aadhaar number',
  example: '2341 2341 2346',
  isIdentity: true,
  context: ['aadhaar*', 'aadhar*', 'adhar*', 'uidai', 'uid', 'आधार*', 'ஆதார்', 'ఆధార్', 'আধার'],
  numbers: [
    { shapes: ['4 4 4', '4-4-4'], judge: (digits) => (passes(digits) ? 'checked' : undefined) },
    { shapes: ['12'], judge: (digits) => (passes(digits) ? 'context' : undefined) },
  ],
  examples: ['Aadhaar «2341 2341 2346»', 'मेरा आधार नंबर «२३४१ २३४१ २३४६» है', 'aadhar no «234123412346»'],
  counterExamples: ['Aadhaar 2341 2341 2347', 'tracking 2341 2341 2346'],
}

function passes(digits: string): boolean {
  return digits > '2' && passesVerhoeff(digits)
}
