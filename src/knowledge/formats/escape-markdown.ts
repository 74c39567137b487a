import { isMdx } from './markdown/mdx.ts'

/** Marks of a heading, quotation, list item, definition, admonition or tab. A `-` reads the same without escape. */
const FIRST = /^(?:#{1,6}(?=\s|$)|>|[+*](?=\s|$)|:(?=[\s:])|!!!|\?\?\?|===)/
/** The first mark of a line that underlines a heading, parts paragraphs or is the rule of a table. */
const RULE = /^[-=:|_](?=[-=:|*_\\\s]*$)/
/** Underscores that begin an emphasis. Those within words do not. */
const UNDERSCORES = /(?<![\p{L}\p{N}_])_+(?=\S)/gu
/** Other marks, where something behind them makes them markup. */
const MARKS = new RegExp(
  [
    '`',
    String.raw`\\(?=[!-/:-@[-\`{-~\uE000]|$)`,
    String.raw`\*(?=\S)`,
    '~(?=~)',
    String.raw`<(?=[a-z/!?<-]|[^<>\s@]{1,64}@)`,
    String.raw`\[(?=[\^![]|[ x]\]|toc\]|[^\]]{0,500}\][([:])`,
    String.raw`\{(?=[{%/]|[^{}]{0,200}["'.#:])`,
  ].join('|'),
  'gi',
)

/** Writes a line of plain text as Markdown that is read as this text. Only what would be read as markup is escaped. */
export function escapeMarkdown(line: string): string {
  const text = line
    .replace(MARKS, '\\$&')
    .replace(UNDERSCORES, (run) => run.replaceAll('_', '\\_'))
    .replace(FIRST, '\\$&')
    .replace(RULE, '\\$&')
  // No escape keeps a line from being a statement, but it is none when it is indented.
  return isMdx(text) ? ` ${text}` : text
}
