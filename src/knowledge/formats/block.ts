/** The lines of a text that ends with a table. */
export interface TableParts {
  /** The lines above the table. */
  lead: string
  /** The names of the columns, for rows that do not name them. */
  head: string
  rows: string[]
}

/** A piece of a document that belongs together. */
export type Block =
  | {
      kind: 'heading'
      level: number
      text: string
      /** The fragment that links to it, when the document gives one. */
      anchor?: string
      /** Other ways to ask for the text below the heading. */
      questions?: string[]
    }
  /** The name of a part that ends at an `end`, such as the question above a text that folds. */
  | { kind: 'part'; text: string; anchor?: string }
  /** The end of the last part: what follows belongs to the text around it. */
  | { kind: 'end' }
  | { kind: 'text'; text: string; table?: TableParts }
  /** Code, verbatim between fences. */
  | { kind: 'code'; text: string }

/** The maximum number of parts within each other. */
export const DEEPEST_PART = 20

/** Returns a block of code; null: it is blank. */
export function codeBlock(code: string): Block | null {
  return code.trim() === '' ? null : { kind: 'code', text: `\`\`\`\n${code}\n\`\`\`` }
}
