import { headPartIn } from '../../language/mail-head.ts'

const LONGEST_HEAD = 400
/** The most lines of the head of a mail that is repeated. */
const LONGEST_HEAD_OF_MAIL = 12
/** The most lines over which a client breaks the words above a quotation. */
const HEAD_LINES = 4

/**
 * Splits a mail into its own words and what it quotes at its end: lines that begin with `>`, with the line above them
 * that ends in a colon, or a forwarded or answered mail with its headers. A mail that answers between the quoted lines
 * stays whole, as does one that says nothing else. Takes time in proportion to the text.
 */
export function splitQuotes(text: string): { said: string; quoted: string | null } {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const at = Math.min(originalAt(lines), trailingQuoteAt(lines))
  const said = lines.slice(0, at).join('\n').trim()
  if (said === '') return { said: text.trim(), quoted: null }
  return { said, quoted: lines.slice(at).join('\n').trim() || null }
}

/** Returns the line at which only quoted lines follow. */
function trailingQuoteAt(lines: readonly string[]): number {
  let at = lines.length
  let hasQuote = false
  while (at > 0) {
    const line = lines[at - 1] ?? ''
    if (isQuote(line)) hasQuote = true
    else if (!isEmpty(line)) break
    at--
  }
  if (!hasQuote) return lines.length
  // `On Monday Anna wrote:`, which may be broken into several lines.
  const last = lines[at - 1] ?? ''
  if (!/[:：]\s*$/.test(last) || last.length > LONGEST_HEAD) return at
  for (let head = 1; head <= HEAD_LINES && head <= at; head++) {
    const above = lines[at - head - 1]
    if (above === undefined || isEmpty(above)) return at - head
  }
  return at - 1
}

/** Returns the line at which a whole mail is repeated. */
function originalAt(lines: readonly string[]): number {
  const at = lines.findIndex((line, at) => headPartIn(line) !== null && isHead(lines, at))
  if (at < 0) return lines.length
  return isRule(lines[at - 1]) ? at - 1 : at
}

/**
 * Tells whether the head of a mail begins at a line: it says from whom the mail was, when it was sent and to whom. Forms of
 * web sites and lists of facts look much the same, and are the mail's own words: no rule stands above them, and they
 * name no address as one of these. Clients break long lines of a head, and some add others.
 */
function isHead(lines: readonly string[], at: number): boolean {
  const parts = new Set<string>()
  let isOfMail = isRule(lines[at - 1])
  for (const line of lines.slice(at, at + LONGEST_HEAD_OF_MAIL)) {
    if (isEmpty(line)) return false
    const part = headPartIn(line)
    if (part) parts.add(part)
    isOfMail ||= line.includes('@') && (part === 'from' || part === 'to' || !LABEL.test(line))
    if (isOfMail && parts.has('from') && parts.has('sent') && parts.has('to')) return true
  }
  return false
}

const LABEL = /^[\s*]*\p{L}[\p{L}\p{M} -]{0,30}\*{0,2}\s?[:：]/u

/** Tells whether a line stands above a head: of underscores, or of words between dashes. */
function isRule(line = ''): boolean {
  return line.length <= LONGEST_HEAD && /^\s*(?:_{5,}|-{2,} ?[^-\n]{3,60} ?-{2,})\s*$/.test(line)
}

function isQuote(line: string): boolean {
  return /^\s{0,3}>/.test(line)
}

function isEmpty(line: string): boolean {
  return line.trim() === ''
}
