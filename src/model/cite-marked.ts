import type { Citation, MessageContent } from './model.ts'
import { type MarkerReader, markerReader, type Renumber, rewriteMarkers } from './read-markers.ts'

/**
 * The passages that an answer says it used, by their numbers in the text. In the text they are numbered anew in the
 * order in which they are used, so that `[1]` stands for the first citation. A number that no passage has is removed.
 */
export interface MarkedCitations {
  /** The number of passages that the model was shown, the first ones. As long as it was shown none, texts stay as they are. */
  shown: number
  /** Reads an answer piece by piece. */
  inPieces(): MarkerReader
  /** Reads an answer as a whole. */
  in(content: MessageContent): MessageContent
  /** Returns the passages that the text so far has used. */
  used(): Citation[]
}

/** @param passages those that the model is shown, in the order of their numbers */
export function citeMarked(passages: readonly Citation[]): MarkedCitations {
  const order: number[] = []
  const isKnown = (number: number) => number >= 1 && number <= Math.min(marked.shown, passages.length)
  const renumber: Renumber = (number) => {
    if (!isKnown(number)) return null
    if (!order.includes(number)) order.push(number)
    return order.indexOf(number) + 1
  }
  const marked: MarkedCitations = {
    shown: 0,
    inPieces() {
      const reader = markerReader(renumber, isKnown)
      return {
        feed: (text) => (marked.shown > 0 ? reader.feed(text) : text),
        end: () => (marked.shown > 0 ? reader.end() : ''),
      }
    },
    in(content) {
      if (content === null || marked.shown === 0) return content
      if (typeof content === 'string') return rewriteMarkers(content, renumber, isKnown)
      return content.map((part) =>
        typeof part.text === 'string'
          ? { ...part, text: rewriteMarkers(part.text, renumber, isKnown) }
          : part,
      )
    },
    used: () => order.flatMap((number) => passages[number - 1] ?? []),
  }
  return marked
}

/** Finds the place in an answer that names each of its citations first. */
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
