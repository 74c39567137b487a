import { type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { foldText } from '../language/words/find-words.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import { countRows } from '../storage/count-rows.ts'
import { lockedRowOfAgent } from '../storage/rows-of-agent.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import type { ReplyRow } from './tables.ts'

type Db = Kysely<Tables>

/** Reads a page of an agent's replies that contain every word of a search, also as part of another word. */
export async function selectReplies(
  db: Db,
  agentId: number,
  words: readonly string[],
  request: PageRequest,
): Promise<Page<ReplyRow>> {
  const all = db.selectFrom('replies').selectAll()
  const query = words.reduce<SelectQueryBuilder<Tables, 'replies', ReplyRow>>(
    (rest, word) => rest.where(sql<SqlBool>`searched like ${`%${escaped(word)}%`} escape '!'`),
    all,
  )
  return selectPage(db, { query, of: { agent_id: agentId }, key: ['id'], order: 'desc' }, request)
}

/** Splits a search into its words, all of which must be found. Ignores the words after the tenth. */
export function wordsOf(search: string | undefined): string[] {
  return foldText(search ?? '')
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, 10)
}

function escaped(word: string): string {
  return word.replaceAll(/[!%_]/g, '!$&')
}

/** Reads a reply and keeps others from changing it until the transaction ends. */
export const lockReply = lockedRowOfAgent((db) => db.selectFrom('replies').selectAll())

/** Counts an agent's replies. */
export function countReplies(db: Db, agentId: number): Promise<number> {
  return countRows(db.selectFrom('replies').where('agent_id', '=', agentId))
}

export async function insertReply(db: Db, row: Omit<ReplyRow, 'id'>): Promise<ReplyRow> {
  return db.insertInto('replies').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function updateReply(
  db: Db,
  id: number,
  values: Partial<Omit<ReplyRow, 'id'>>,
): Promise<ReplyRow> {
  return db.updateTable('replies').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteReply(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('replies').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}
