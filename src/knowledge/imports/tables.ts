import type { ColumnType, Generated, Selectable } from 'kysely'
import type { WorkColumns } from '../../work/work-columns.ts'

type ImportState = 'queued' | 'running' | 'done' | 'failed' | 'removing'
/** The outcome of a page in a crawl. */
export type PageOutcome = 'added' | 'replaced' | 'unchanged' | 'removed' | 'skipped'

/** A crawl of a site, which may be repeated. */
export interface KnowledgeImportsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** The kind of start: `site` follows links from `url`; `sitemap` reads `url` as a sitemap. */
  kind: 'site' | 'sitemap'
  url: string
  /** JSON: lists of patterns. */
  include: string
  exclude: string
  page_limit: number
  /** The interval of crawls, such as `6h` or `7d`; null: only on request. */
  every: string | null
  state: ImportState
  /** Counts the crawls; the pages of the present one have its number. */
  run: ColumnType<number, number | undefined, number>
  /** A flag: 1 once the pages with which the present crawl begins are stored. */
  is_seeded: ColumnType<number, number | undefined, number>
  /** The reason for which the last crawl failed. */
  error: string | null
  /** The limit that ended the last crawl before it had seen all pages. */
  cut_by: 'limit' | 'time' | 'bytes' | null
  found: ColumnType<number, number | undefined, number>
  /** The number of requests for pages. */
  asked: ColumnType<number, number | undefined, number>
  bytes: ColumnType<number, number | undefined, number>
  added: ColumnType<number, number | undefined, number>
  replaced: ColumnType<number, number | undefined, number>
  unchanged: ColumnType<number, number | undefined, number>
  removed: ColumnType<number, number | undefined, number>
  skipped: ColumnType<number, number | undefined, number>
  created_at: string
  started_at: string | null
  finished_at: string | null
  /** The time of the next crawl. */
  next_at: string | null
  due_at: ColumnType<string | null, string | null | undefined, string | null>
}

/** A page that an import has found. */
export interface KnowledgePagesTable {
  id: Generated<number>
  import_id: number
  agent_id: number
  url: string
  /** The number of links that lead to it from the start of the crawl. */
  depth: number
  /** The last crawl that found it. */
  run: number
  /** A flag: 1 until the crawl has come to it. */
  waiting: number
  tries: ColumnType<number, number | undefined, number>
  outcome: PageOutcome | null
  reason: string | null
  document_id: number | null
  /** Hash of what was read, so that an unchanged page is not stored again. */
  content_hash: string | null
  checked_at: string | null
}

export type ImportRow = Selectable<KnowledgeImportsTable>
export type PageRow = Selectable<KnowledgePagesTable>

declare module '../../storage/tables.ts' {
  interface Tables {
    knowledge_imports: KnowledgeImportsTable
    knowledge_pages: KnowledgePagesTable
  }
}
