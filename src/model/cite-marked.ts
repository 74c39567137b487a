import type { Citation, MessageContent } from './model.ts'
import { type MarkerReader, markerReader, type Renumber, rewriteMarkers } from './read-markers.ts'

/**
 * The passages that an answer says it used, by their numbers in the text. In the text they are numbered anew in the
 * order in which they are used, so that `[1]` stands for the first citation. A number that no passage has is removed.
 */
export interface MarkedCitations {
  /** The number of first passages that the model was shown. As long as it was shown none, texts stay as they are. */
  shown: number
  /** Reads an answer piece by piece. */
  inPieces(): MarkerReader
  /** Reads an answer as a whole. */
  in(content: MessageContent): MessageContent
  /** Tells whether the model was shown the passage of a number. */
  isShown(number: number): boolean
  /** Adds passages that the model is shown later. @returns the number of the first of them, behind all others */
  add(more: readonly Citation[]): number
  /** Returns the passages that the text so far has used. */
  used(): Citation[]
}

/** Removes passage numbers from an answer that was made without passages. */
export function citeNothing(): MarkedCitations {
  return citeMarked([], true)
}

/**
 * @param first the passages that the model is shown first, in the order of their numbers
 * @param always removes numbers even while the model is shown no passage
 */
export function citeMarked(first: readonly Citation[], always = false): MarkedCitations {
  const passages = [...first]
  const order: number[] = []
  const isShown = (number: number) =>
    number >= 1 && number <= passages.length && (number <= marked.shown || number > first.length)
  const showsSome = () => always || marked.shown > 0 || passages.length > first.length
  const renumber: Renumber = (number) => {
    if (!isShown(number)) return null
    if (!order.includes(number)) order.push(number)
    return order.indexOf(number) + 1
  }
  const marked: MarkedCitations = {
    shown: 0,
    inPieces() {
      const reader = markerReader(renumber, isShown)
      return {
        feed: (text) => (showsSome() ? reader.feed(text) : text),
        end: () => (showsSome() ? reader.end() : ''),
      }
    },
    in(content) {
      if (content === null || !showsSome()) return content
      if (typeof content === 'string') return rewriteMarkers(content, renumber, isShown)
      return content.map((part) =>
        typeof part.text === 'string'
          ? { ...part, text: rewriteMarkers(part.text, renumber, isShown) }
          : part,
      )
    },
    isShown,
    add: (more) => passages.push(...more) - more.length + 1,
    used: () => order.flatMap((number) => passages[number - 1] ?? []),
  }
  return marked
}

/** Finds where an answer first names each of its citations. */
export function placesOfMarkers(
  text: string,
  citations: number,
): Map<number, { start: number; end: number }> {
  const places = new Map<number, { start: number; end: number }>()
  rewriteMarkers(text, (number, start) => {
    if (number >= 1 && number <= citations && !places.has(number))
      places.set(number, { start, end: start + `[${number}]`.length })
    return undefined
  })
  return places
}

/** Removes the numbers of its citations from an answer, for places that do not show citations. */
export function withoutMarkers(text: string, citations: number): string {
  return rewriteMarkers(text, (number) => (number >= 1 && number <= citations ? null : undefined))
}
