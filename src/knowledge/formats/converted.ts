/** A file as a document, or why it cannot become one. */
export type Converted =
  | {
      content: string
      format: 'markdown'
      /** The title that the file gives itself. */
      title: string | null
      /** What was left out, in words for people. */
      notes: string[]
    }
  | {
      refused: string
      /** Set when the same file may be read another time. */
      isPassing?: true
    }
