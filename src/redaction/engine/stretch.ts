/** A part of a text, in UTF-16 code units. */
export interface Stretch {
  start: number
  end: number
}
