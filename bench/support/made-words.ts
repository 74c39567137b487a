import { randomFrom } from '../../test/support/random.ts'

const VOCABULARY = 50_000

/** The generator of numbers that are the same in each run. */
export const random = randomFrom(1)

/** Returns a word for each rank: the first words are nearly everywhere, most of the others hardly anywhere. */
export function wordOf(rank: number): string {
  return `${syllable(rank)}${syllable(rank * 7 + 3)}${rank.toString(36)}`
}

/** Draws words with the frequencies of a natural language. */
export function drawWords(count: number): string {
  return Array.from({ length: count }, () => wordOf(Math.floor(VOCABULARY ** random()))).join(' ')
}

function syllable(number: number): string {
  return 'bcdfghklmnprstvz'.charAt(number % 16) + 'aeiou'.charAt(number % 5)
}
