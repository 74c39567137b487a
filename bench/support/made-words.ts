import { randomFrom } from '../knowledge/random.ts'

const VOCABULARY = 50_000

/** The same numbers in each run. */
export const random = randomFrom(1)

/** A word for each rank: the first of them stand nearly everywhere, most of the others hardly anywhere. */
export function wordOf(rank: number): string {
  return `${syllable(rank)}${syllable(rank * 7 + 3)}${rank.toString(36)}`
}

/** Words as often as in a language. */
export function drawWords(count: number): string {
  return Array.from({ length: count }, () => wordOf(Math.floor(VOCABULARY ** random()))).join(' ')
}

function syllable(number: number): string {
  return 'bcdfghklmnprstvz'.charAt(number % 16) + 'aeiou'.charAt(number % 5)
}
