import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { MessageRow } from '../tables.ts'
import { areShownToSites } from './shown-to-sites.ts'

/** The messages of a conversation to read: those after one, those right before one, or the newest. */
interface VisitorPageRequest {
  after?: number | undefined
  before?: number | undefined
  size: number
  /**
   * With `after`: the result of `settledUpTo` for messages, so that no message that is committed late is passed over.
   */
  settled: number | null
}

/**
 * Reads a page of what an end user sees of a conversation, oldest first, and tells whether more follows in its
 * direction.
 */
export async function selectVisitorPage(
  db: Kysely<Tables>,
  conversationId: string,
  { after, before, size, settled }: VisitorPageRequest,
): Promise<{ rows: MessageRow[]; more: boolean }> {
  const all = db
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where(areShownToSites)
  const known = settled === null ? all : all.where('id', '<=', settled)
  const query =
    after !== undefined
      ? known.where('id', '>', after).orderBy('id')
      : (before === undefined ? all : all.where('id', '<', before)).orderBy('id', 'desc')
  const found = await query.limit(size + 1).execute()
  const rows = found.slice(0, size)
  return { rows: after === undefined ? rows.reverse() : rows, more: found.length > size }
}
