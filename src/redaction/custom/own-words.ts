import { isEdge } from '../engine/is-edge.ts'
import { compilePhrases } from '../engine/phrases.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import type { Stretch } from '../engine/stretch.ts'
import { view } from '../engine/view.ts'

/** Words and phrases that an agent always redacts, and those that it never does. */
export interface OwnWords {
  readonly deny: readonly string[]
  readonly allow: readonly string[]
}

/** The type of denied words in placeholders. */
const CUSTOM = 'CUSTOM'

/** Returns the places of whole words and phrases in a text, in order; some may overlap. */
export type FindWords = (text: string) => Stretch[]

/**
 * Compiles words and phrases into a function that finds them. Case, accents and the number of spaces do not matter. A
 * word ends where neither a letter nor a digit follows; in scripts without spaces, anywhere.
 */
export function compileWords(words: readonly string[]): FindWords {
  const { match } = compilePhrases([words.map(plain)])
  return (text) => {
    const found: Stretch[] = []
    const add = (_kind: number, start: number, end: number): void => {
      if (isEdge(text, end)) found.push({ start, end })
    }
    for (let at = 0; at < text.length; at++) if (isEdge(text, at)) match(text, at, add)
    return found
  }
}

/** Makes the recognizer for denied words. */
export function recognizeWords(words: readonly string[]): Recognizer {
  const find = compileWords(words)
  return {
    type: CUSTOM,
    label: 'Word of the agent',
    example: words[0] ?? '',
    readsAll: true,
    find(page) {
      for (const { start, end } of find(page.text)) page.add(CUSTOM, start, end, 'alone')
    },
    examples: [],
    counterExamples: [],
  }
}

/** Tells whether a finding is of a denied word. */
export function isDenied({ type }: { type: string }): boolean {
  return type === CUSTOM
}

/**
 * Drops the places that lie within an allowed one. A longer place stays, such as an address with an allowed word in it.
 * @param places in the order of their starts
 * @param allowed in the order of their starts
 */
export function withoutAllowed<Place extends Stretch>(places: Place[], allowed: readonly Stretch[]): Place[] {
  let at = 0
  let end = 0
  return places.filter((place) => {
    for (; at < allowed.length && (allowed[at] as Stretch).start <= place.start; at++)
      end = Math.max(end, (allowed[at] as Stretch).end)
    return place.end > end
  })
}

/** Returns the words that are both denied and allowed. */
export function contradictions({ deny, allow }: OwnWords): string[] {
  const find = compileWords(deny)
  return allow.filter((word) => {
    const { length } = plain(word)
    return find(plain(word)).some(({ start, end }) => start === 0 && end === length)
  })
}

/** Returns a word in the form in which texts are compared with it. */
function plain(word: string): string {
  return view(word).text.trim().replace(/\s+/g, ' ')
}
