/** The token being typed at the end of a text up to the caret, and the index where it begins. */
export interface Token {
  start: number
  query: string
}

/** Finds `/` and the words of a canned reply. */
export function replyToken(beforeCaret: string): Token | null {
  return tokenOf(/(?:^|\s)\/([^/\n]{0,100})$/, beforeCaret)
}

/** Finds `@` and the name of a colleague. */
export function mentionToken(beforeCaret: string): Token | null {
  return tokenOf(/(?:^|[^\p{L}\p{N}\p{M}_])@([^@\n]{0,60})$/u, beforeCaret)
}

function tokenOf(pattern: RegExp, beforeCaret: string): Token | null {
  // Only the end is searched, so that a long text takes no longer.
  const query = pattern.exec(beforeCaret.slice(-110))?.[1]
  return query === undefined ? null : { start: beforeCaret.length - query.length - 1, query }
}

const VARIABLE = /\{(?:user\.name|operator\.name|tags\.[^{}\s]{1,64})\}/g

/** Returns the variables of canned replies that have not been replaced yet, each once. */
export function unfilledIn(text: string): string[] {
  return [...new Set(text.match(VARIABLE))]
}
