import { headPartIn } from '../../language/mail-head.ts'

const LONGEST_HEAD = 400
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

/**
 * Returns the line at which a whole mail is repeated: its head says from whom it was, when it was sent and to whom. Forms
 * of web sites and lists of facts look much the same, and are the mail's own words.
 */
function originalAt(lines: readonly string[]): number {
  let first = 0
  const parts = new Set<string>()
  for (const [at, line] of lines.entries()) {
    const part = headPartIn(line)
    // `From: Rome` is said by people.
    if (part === null || (part === 'from' && !line.includes('@'))) {
      parts.clear()
      first = at + 1
      continue
    }
    parts.add(part)
    if (parts.has('from') && parts.has('sent') && parts.has('to'))
      return isRule(lines[first - 1]) ? first - 1 : first
  }
  return lines.length
}

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
