/**
 * The strength of the evidence for a finding. `alone`: its form proves it. `checked`: a check digit or a usual layout
 * makes it likely enough, unless a word speaks against it. `context`: only a word near it identifies it. `again`: the
 * same value stands elsewhere in the text with such a word. `learned`: it looks like those from which the tagger has
 * learned.
 */
export type Strength = 'alone' | 'checked' | 'context' | 'again' | 'learned'

/** A piece of personal data in a text; `start` and `end` count UTF-16 code units. */
export interface Finding {
  type: string
  start: number
  end: number
  strength: Strength
  /** The likelihood of a finding of the tagger, from 0 to 1. */
  score?: number
}
