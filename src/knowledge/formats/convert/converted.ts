/** The maximum length of a document in characters. A book has one or two million. */
export const MOST_TEXT = 5_000_000

/** A file as a document, or the reason for which it cannot become one. */
export type Converted =
  | {
      content: string
      format: 'markdown'
      /** The title that the file gives itself. */
      title: string | null
      /** Notes on what was left out, in words for people. */
      notes: string[]
    }
  | {
      refused: string
      /** True if the same file may be read another time. */
      isPassing?: true
    }
