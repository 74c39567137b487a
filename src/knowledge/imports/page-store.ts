import { type Kysely, sql } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import { deleteSome } from '../../storage/delete-some.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { ImportRow, PageOutcome, PageRow } from './tables.ts'

type Db = Kysely<Tables>

const ADDED_AT_ONCE = 200

/**
 * Adds pages to the present crawl of an import, each once.
 * @returns the number of them that it had not found before
 */
export async function addPages(
  db: Db,
  { id, agent_id, run }: Pick<ImportRow, 'id' | 'agent_id' | 'run'>,
  urls: readonly string[],
  depth: number,
): Promise<number> {
  let added = 0
  for (let at = 0; at < urls.length; at += ADDED_AT_ONCE) {
    const rows = await db
      .insertInto('knowledge_pages')
      .values(
        urls
          .slice(at, at + ADDED_AT_ONCE)
          .map((url) => ({ import_id: id, agent_id, url, depth, run, waiting: 1 })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['import_id', 'url'])
          .doUpdateSet({ depth, run, waiting: 1, tries: 0 })
          .where('knowledge_pages.run', '<', run),
      )
      .returning('id')
      .execute()
    added += rows.length
  }
  return added
}

/** Reads the addresses of the pages that became documents in earlier crawls. */
export async function knownPages(db: Db, importId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('knowledge_pages')
    .select('url')
    .where('import_id', '=', importId)
    .where('document_id', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ url }) => url)
}

/** Returns the page that a crawl reads next. */
export async function nextPage(db: Db, importId: number): Promise<PageRow | undefined> {
  return db
    .selectFrom('knowledge_pages')
    .selectAll()
    .where('import_id', '=', importId)
    .where(sql<boolean>`waiting = 1`)
    .orderBy('tries')
    .orderBy('depth')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function updatePage(db: Db, id: number, values: Partial<Omit<PageRow, 'id'>>): Promise<void> {
  await db.updateTable('knowledge_pages').set(values).where('id', '=', id).execute()
}

/** Skips pages that a crawl has not read, at most `limit`. Returns their number. */
export async function skipWaiting(
  db: Db,
  importId: number,
  reason: string,
  now: string,
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('knowledge_pages')
    .set({ waiting: 0, outcome: 'skipped', reason, checked_at: now })
    .where('id', 'in', (select) =>
      select
        .selectFrom('knowledge_pages')
        .select('id')
        .where('import_id', '=', importId)
        .where(sql<boolean>`waiting = 1`)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Returns the next page with a document that the present crawl has not found. @param after the id of the previous one
 */
export async function lostPage(
  db: Db,
  importId: number,
  run: number,
  after: number,
): Promise<PageRow | undefined> {
  return db
    .selectFrom('knowledge_pages')
    .selectAll()
    .where('import_id', '=', importId)
    .where('run', '<', run)
    .where('document_id', 'is not', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Deletes pages that only earlier crawls found and that have no document, at most `limit`. Returns their number. */
export function forgetPages(db: Db, importId: number, run: number, limit: number): Promise<number> {
  const lost = db
    .selectFrom('knowledge_pages')
    .select('id')
    .where('import_id', '=', importId)
    .where('run', '<', run)
    .where('document_id', 'is', null)
    .limit(limit)
  return deleteSome(db, 'knowledge_pages', ['id'], lost)
}

/** Tells whether a page of another import became the same document. */
export async function isElsewhere(db: Db, importId: number, documentId: number): Promise<boolean> {
  const row = await db
    .selectFrom('knowledge_pages')
    .select('id')
    .where('document_id', '=', documentId)
    .where('import_id', '!=', importId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Selects the pages of an import, in the order in which they were found. */
export async function selectPagesPage(
  db: Db,
  importId: number,
  outcome: PageOutcome | undefined,
  request: PageRequest,
): Promise<Page<PageRow>> {
  const guard = sql<boolean>`id > 0`
  const predicate = sql<boolean>`outcome is not null`
  return selectPage(
    db,
    {
      query: db.selectFrom('knowledge_pages').selectAll(),
      of: { import_id: importId },
      guard,
      key: ['id'],
      order: 'asc',
      filters:
        outcome === undefined
          ? []
          : [
              {
                column: 'outcome',
                value: outcome,
                index: { of: { import_id: importId, outcome }, predicate },
              },
            ],
    },
    request,
  )
}
