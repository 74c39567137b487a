import { z } from 'zod'
import { boundedText, time } from '../../http/schemas.ts'
import { recordVersion, sentVersion, versionOf } from '../../http/version.ts'
import { httpAddress } from '../../lib/outbound/http-address.ts'
import { notesFields, presentNotes } from '../notes.ts'
import { whyOf } from '../reasons.ts'
import { why } from '../why.ts'
import { EVERY } from './every.ts'
import type { ImportRow, PageRow } from './tables.ts'

const patterns = z.array(boundedText(500).min(1)).max(50)
const settings = {
  include: patterns
    .default([])
    .describe(
      'Only pages that match one of these, `*` stands for anything: `/help/*` is compared with path and query, `https://example.com/*` with the address.',
    ),
  exclude: patterns.default([]).describe('No page that matches one of these.'),
  limit: z.int().min(1).max(10_000).default(500).describe('How many pages become documents at most.'),
  every: z
    .string()
    .regex(EVERY, 'must be a number of hours or days such as 6h or 7d')
    .nullable()
    .default(null)
    .describe('How often it is crawled again, such as `6h` or `7d`; null: only when asked to.'),
}

export const newImport = z
  .strictObject({
    url: httpAddress
      .optional()
      .describe('Where the crawl begins; it follows links to pages of the same host.'),
    sitemap: httpAddress.optional().describe('The sitemap, or index of sitemaps, that lists the pages.'),
    ...settings,
  })
  .meta({ id: 'NewKnowledgeImport' })

export const importPatch = z
  .strictObject({
    include: patterns,
    exclude: patterns,
    limit: settings.limit.unwrap(),
    every: settings.every.unwrap(),
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'KnowledgeImportPatch' })

const count = z.int().min(0)

export const importSchema = z
  .object({
    id: z.int(),
    url: z.string().nullable(),
    sitemap: z.string().nullable(),
    include: z.array(z.string()),
    exclude: z.array(z.string()),
    limit: z.int(),
    every: z.string().nullable(),
    status: z.enum(['queued', 'running', 'done', 'failed', 'removing']),
    error: z.string().nullable().describe('Why the last crawl failed, in English.'),
    why: why.describe('The same for programs.'),
    stopped_by: z
      .enum(['limit', 'time', 'bytes'])
      .nullable()
      .describe('What ended the last crawl before it had seen all pages.'),
    progress: z
      .object({ found: count, done: count })
      .describe(
        'How many pages the present crawl has found, and of how many it is known what became of them.',
      ),
    counts: z
      .object({ added: count, replaced: count, unchanged: count, removed: count, skipped: count })
      .describe('What became of the pages in the last crawl.'),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
    next_at: time.nullable().describe('When it is crawled again.'),
    version: recordVersion,
  })
  .meta({ id: 'KnowledgeImport' })

export const pageOutcome = z.enum(['added', 'replaced', 'unchanged', 'removed', 'skipped'])

export const importPageSchema = z
  .object({
    id: z.int(),
    url: z.string(),
    outcome: pageOutcome.nullable().describe('What became of it; null: the crawl has not come to it yet.'),
    reason: z
      .string()
      .nullable()
      .describe('Why it was skipped or removed, or what of it was left out, in English.'),
    ...why.shape,
    ...notesFields,
    document_id: z.int().nullable(),
    checked_at: time.nullable(),
  })
  .meta({ id: 'KnowledgeImportPage' })

export function presentImport(row: ImportRow): z.output<typeof importSchema> {
  const { added, replaced, unchanged, removed, skipped, found } = row
  return {
    id: row.id,
    url: row.kind === 'site' ? row.url : null,
    sitemap: row.kind === 'sitemap' ? row.url : null,
    include: JSON.parse(row.include),
    exclude: JSON.parse(row.exclude),
    limit: row.page_limit,
    every: row.every,
    status: row.state,
    error: row.error,
    why: whyOf(row.error),
    stopped_by: row.cut_by,
    progress: { found, done: added + replaced + unchanged + removed + skipped },
    counts: { added, replaced, unchanged, removed, skipped },
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    next_at: row.next_at,
    version: importVersion(row),
  }
}

export function importVersion({ include, exclude, page_limit, every }: ImportRow): string {
  return versionOf(include, exclude, page_limit, every)
}

/** @param notes what was left out of the page's document */
export function presentImportPage(page: PageRow, notes: string[] = []): z.output<typeof importPageSchema> {
  const { id, url, outcome, reason, document_id, checked_at, waiting } = page
  return {
    id,
    url,
    outcome: waiting === 1 ? null : outcome,
    reason,
    ...whyOf(reason),
    ...presentNotes(notes),
    document_id,
    checked_at,
  }
}
