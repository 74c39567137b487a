import type { ColumnType, Generated, Selectable } from 'kysely'
import type { WorkColumns } from '../../work/work-columns.ts'

export type ImportState = 'queued' | 'running' | 'done' | 'failed' | 'removing'
/** What became of a page. */
export type PageOutcome = 'added' | 'replaced' | 'unchanged' | 'removed' | 'skipped'

/** A crawl of a site, which may be repeated. */
export interface KnowledgeImportsTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** Whether links are followed from `url`, or `url` is a sitemap. */
  kind: 'site' | 'sitemap'
  url: string
  /** JSON: lists of patterns. */
  include: string
  exclude: string
  page_limit: number
  /** Such as `6h` or `7d`; null: only when somebody asks. */
  every: string | null
  state: ImportState
  /** Counts the crawls; the pages of the present one have its number. */
  run: ColumnType<number, number | undefined, number>
  /** Whether the pages with which the present crawl begins are stored. */
  is_seeded: ColumnType<number, number | undefined, number>
  /** Why the last crawl failed. */
  error: string | null
  /** What ended the last crawl before it had seen all pages. */
  cut_by: 'limit' | 'time' | 'bytes' | null
  found: ColumnType<number, number | undefined, number>
  /** How many pages were asked for. */
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
  /** When it is crawled again. */
  next_at: string | null
  attempts: ColumnType<number, number | undefined, number>
  due_at: ColumnType<string | null, string | null | undefined, string | null>
  lease: ColumnType<number, number | undefined, number>
  leased_until: string | null
  holder: ColumnType<string | null, string | null | undefined, string | null>
}

/** A page that an import has found. */
export interface KnowledgePagesTable {
  id: Generated<number>
  import_id: number
  agent_id: number
  url: string
  /** How many links lead to it from where the crawl began. */
  depth: number
  /** The last crawl that found it. */
  run: number
  /** 1: the crawl has not come to it yet. */
  waiting: number
  tries: ColumnType<number, number | undefined, number>
  outcome: PageOutcome | null
  reason: string | null
  document_id: number | null
  /** Hash of what was read, so that what is unchanged is not read again. */
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
