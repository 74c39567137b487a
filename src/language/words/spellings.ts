import { stem } from './stemming/stem.ts'
import { transliterate } from './transliterate.ts'
import { plainWords, type Word } from './words.ts'

/** Spellings of letters with marks where a keyboard lacks them, in German and the languages of Scandinavia. */
const SPELT_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }
const MARKED = /[äöüåø]/g
const PAIR = /ae|oe|ue|aa/g
/** The most pairs of vowels that are read both ways. Each doubles the number of spellings. */
const MOST_PAIRS = 3

/** Matches infinitives of Spanish with the pronouns at their ends: `devolverlo`. */
const WITH_PRONOUNS = /^(\p{L}{2,}[aei]r)(?:[mts]e|nos)?(?:l[aeo]s?)?$/u

/**
 * Returns other spellings of a word, in the form in which words are indexed: `Rueckgabe` for `Rückgabe` and the other
 * way round, the word in Latin or Cyrillic letters, and an infinitive without the pronouns behind it.
 */
export function otherSpellings({ written, plain }: Word): string[] {
  const speltOut = written.normalize('NFC').replace(MARKED, (letter) => SPELT_OUT[letter] ?? letter)
  const infinitive = WITH_PRONOUNS.exec(plain)?.[1] ?? []
  const others = [
    ...plainWords(speltOut),
    ...withoutPairs(plain),
    ...transliterate(plain),
    ...[infinitive].flat(),
  ].map(stem)
  return [...new Set(others)].filter((other) => other !== stem(plain))
}

/** Returns a word as it is and with one or more of its pairs of vowels read as one vowel that has a mark. */
function withoutPairs(word: string): string[] {
  let ways = ['']
  let from = 0
  for (const { 0: pair, index } of [...word.matchAll(PAIR)].slice(0, MOST_PAIRS)) {
    const before = word.slice(from, index)
    ways = ways.flatMap((way) => [way + before + pair, way + before + pair[0]])
    from = index + pair.length
  }
  return ways.map((way) => way + word.slice(from))
}

/** Letters that join the parts of compounds in German, Dutch and the languages of Scandinavia. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
const SHORTEST_PART = 4

/**
 * Returns the two words that a compound may be made of, in the form in which words are indexed, for all ways to split
 * it.
 */
export function compoundParts(plain: string): [string, string][] {
  const all: [string, string][] = []
  for (let at = SHORTEST_PART; at <= plain.length - SHORTEST_PART; at++) {
    const head = plain.slice(0, at)
    for (const link of LINKS) {
      if (head.endsWith(link) && at - link.length >= SHORTEST_PART)
        all.push([stem(head.slice(0, at - link.length)), stem(plain.slice(at))])
    }
  }
  return all
}

const SHORTEST_STEM = 4
const LONGEST_ENDING = 3
/** The least share of the longer word that two forms of one word have in common. */
const SHARED = 0.7

/**
 * Returns the number of letters by which the ends of two words differ that may be forms of one word; null if they
 * differ too much.
 */
export function endingsBetween(one: string, other: string): number | null {
  const shared = sharedBeginning(one, other)
  const longer = Math.max(one.length, other.length)
  const ending = longer - shared
  return shared >= SHORTEST_STEM && ending <= LONGEST_ENDING && shared >= SHARED * longer ? ending : null
}

/** Tells whether two words differ by one slip: a letter too many, too few or wrong, or two letters swapped. */
export function isSlip(one: string, other: string): boolean {
  const start = sharedBeginning(one, other)
  const [left, right] = [one.slice(start), other.slice(start)]
  const end = Math.min(sharedBeginning(reversed(left), reversed(right)), left.length, right.length)
  const [here, there] = [left.slice(0, left.length - end), right.slice(0, right.length - end)]
  if (here.length <= 1 && there.length <= 1) return true
  return here.length === 2 && there === reversed(here)
}

/** The number of first letters among which `slipsAtBeginning` looks for a slip. */
const BEGINNING = 4

/**
 * Returns the words that somebody may have meant who slipped in the first letters: two of them swapped, one typed once
 * in place of twice, or one too many. The first letter itself is not taken for one too many.
 */
export function slipsAtBeginning(word: string): string[] {
  const letters = Array.from(word)
  const slips = letters.slice(0, BEGINNING).flatMap((letter, at) => {
    const [before, behind] = [letters.slice(0, at).join(''), letters.slice(at + 1)]
    const [next = '', ...rest] = behind
    const swapped = at < BEGINNING - 1 ? [before + next + letter + rest.join('')] : []
    const without = at > 0 ? [before + behind.join('')] : []
    return [...swapped, before + letter + letter + behind.join(''), ...without]
  })
  return [...new Set(slips)].filter((slip) => slip !== word)
}

function sharedBeginning(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function reversed(word: string): string {
  return Array.from(word).reverse().join('')
}
