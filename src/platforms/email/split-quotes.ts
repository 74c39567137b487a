const LONGEST_HEAD = 400
/** The most lines over which a client breaks the words above a quotation. */
const HEAD_LINES = 4

/**
 * Splits a mail into its own words and what it quotes at its end: lines that begin with `>`, with the line above them
 * that ends in a colon, or a forwarded or answered mail with its headers. No language is known here: only the forms that
 * clients give them. A mail that answers between the quoted lines stays whole, as does one that says nothing else. Takes
 * time in proportion to the text.
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

/** Returns the line at which a whole mail is repeated, with a line of dashes or its headers. */
function originalAt(lines: readonly string[]): number {
  let headers = 0
  let hasAddress = false
  for (const [at, line] of lines.entries()) {
    if (
      line.length <= LONGEST_HEAD &&
      /^\s*-{2,} ?[^-\n]{3,60} ?-{2,}\s*$/.test(line) &&
      isHeader(lines[at + 1])
    )
      return at
    if (!isHeader(line)) {
      headers = 0
      hasAddress = false
      continue
    }
    headers++
    hasAddress ||= line.includes('@')
    if (headers >= 3 && hasAddress) {
      const first = at - headers + 1
      const above = lines[first - 1] ?? ''
      return /^\s*_{5,}\s*$/.test(above) ? first - 1 : first
    }
  }
  return lines.length
}

/** Tells whether a line has the form of a header as clients show them: `*From:* Anna <anna@example.com>`. */
function isHeader(line = ''): boolean {
  return line.length <= 1000 && /^\s{0,3}\*{0,2}\p{L}[\p{L} -]{0,24}\*{0,2}\s?[:：]\*{0,2}\s?\S/u.test(line)
}

function isQuote(line: string): boolean {
  return /^\s{0,3}>/.test(line)
}

function isEmpty(line: string): boolean {
  return line.trim() === ''
}
