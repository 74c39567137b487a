import { outboundMessages } from '../lib/outbound/outbound-messages.ts'

/**
 * The words of each code of a reason: why a file, a page or a whole crawl gave nothing, or what of it was left out. A
 * value stands in braces. Rows keep the words, from which the code is found again.
 */
const SENTENCES = {
  format_unknown: 'its format is not read',
  type_unknown: 'its type {type} is not read',
  unreadable: 'it cannot be read',
  too_large: 'it is too large',
  larger_than: 'it is larger than {megabytes} MB',
  too_long: 'it has more than {count} characters',
  too_many_pages: 'it has more than {count} pages',
  broken_csv: 'it is no valid CSV: {reason}',
  broken_csv_line: 'it is no valid CSV at line {line}: {reason}',
  quote_not_closed: 'a quotation mark is not closed',
  quote_followed: 'something follows a closing quotation mark',
  quote_within: 'a quotation mark stands within a value',
  row_too_long: 'a row is too long',
  broken: 'it is broken',
  too_many_rows: 'it has more than {count} rows: split it',
  too_slow: 'it takes too long to read',
  too_much_memory: 'it takes too much memory to read',
  time_spent: "reading the team's PDF and DOCX files has taken too long within an hour: add it again later",
  no_utf8: 'it is no text in UTF-8',
  no_docx: 'it is no DOCX file',
  broken_docx: 'it is no DOCX file that can be read',
  broken_pdf: 'it is no PDF that can be read',
  needs_password: 'it needs a password',
  scan: 'it has no text, only pictures of pages: it is a scan. Let an OCR program add the text (for example ocrmypdf), and add it again',
  read_as_western: 'no text in UTF-8: read as Windows-1252',
  page_without_text: 'no text, only pictures, on page {pages}',
  pages_without_text: 'no text, only pictures, on pages {pages}',
  hidden: 'it asks not to be found (noindex)',
  same_as: 'it is the same as {address}',
  leads_away: 'it leads to another site',
  leads_to_disallowed: 'it leads to what robots.txt disallows',
  disallowed: 'robots.txt disallows it',
  not_included: 'it matches no pattern of `include`',
  excluded: 'it matches a pattern of `exclude`',
  status: 'the site answers {status}',
  too_many_redirects: 'it redirects more than {count} times',
  redirects_to_nothing: 'it redirects to what is no address',
  redirects_to_itself: 'it redirects to itself',
  redirects: 'it redirects',
  leads_to: 'it leads to {address}',
  packed: 'it is packed in a way that is not read',
  page_ended_process: 'reading it ended the service three times',
  no_longer_listed: 'the site no longer lists it',
  page_limit: 'the limit of pages was reached',
  time_limit: 'the crawl took as long as one may take',
  bytes_limit: 'the crawl read as much as one may read',
  ...outboundMessages,
  nothing_read: 'no page could be read: see what became of each',
  no_sitemap: 'the sitemap cannot be read: {reason}',
  empty_sitemap: 'the sitemap lists no pages',
  no_robots: 'robots.txt: {reason}',
  process_ended: 'the crawl ended the service several times',
  internal: 'an internal error ended the crawl; the log says more',
} as const satisfies Record<string, string>

export type ReasonCode = keyof typeof SENTENCES

export const reasonCodes = Object.keys(SENTENCES) as [ReasonCode, ...ReasonCode[]]

/** Returns the words of a code. @param values those that stand in braces */
export function because(code: ReasonCode, values: Record<string, string | number> = {}): string {
  return SENTENCES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}

/** The code of a reason, and its values. */
export interface Why {
  code: ReasonCode | null
  values: Record<string, string>
}

/** Finds the code of a reason again. */
export function whyOf(reason: string | null): Why {
  for (const [code, pattern] of reason === null ? [] : PATTERNS) {
    const found = pattern.exec(reason ?? '')
    if (!found) continue
    const values: Record<string, string> = { ...found.groups }
    const inner = whyOf(values.reason ?? null)
    return { code, values: inner.code === null ? values : { ...inner.values, ...values, cause: inner.code } }
  }
  return { code: null, values: {} }
}

/** The forms of the words of each code. Words without a value are looked at first. */
const PATTERNS = reasonCodes
  .toSorted((one, other) => Number(SENTENCES[one].includes('{')) - Number(SENTENCES[other].includes('{')))
  .map((code): [ReasonCode, RegExp] => {
    const words = RegExp.escape(SENTENCES[code]).replace(/\\\{(\w+)\\\}/g, '(?<$1>.+)')
    return [code, new RegExp(`^${words}$`, 's')]
  })
