import type { Kysely } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { begunAnew } from '../../work/work-columns.ts'
import type { FileFetchRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for files that are to be fetched. */
export const FETCHES = 'fetches'

export const fetchQueue = queueOf('file_fetches', byAgent)

/**
 * Stores that the files of a message are to be fetched, in the transaction that gives them to it.
 * @param place the place of new files
 */
export async function insertFetches(
  db: Db,
  of: Pick<FileFetchRow, 'agent_id' | 'channel_id' | 'conversation_id' | 'message_id'>,
  files: readonly { id: string; media: string; digest: string | null }[],
  place: string | null,
  now: string,
): Promise<void> {
  const { agent_id, conversation_id, message_id } = of
  await db
    .insertInto('files')
    .values(
      files.map(({ id, digest }) => ({
        id,
        agent_id,
        conversation_id,
        message_id,
        digest,
        place,
        remove_at: null,
      })),
    )
    .execute()
  await db
    .insertInto('file_fetches')
    .values(files.map(({ id, media }) => ({ ...of, file_id: id, media, due_at: now, leased_until: null })))
    .execute()
  wake(db, FETCHES)
}

/** Returns those of some hashes that files of a conversation have, without the files that are to be removed. */
export async function selectDigests(
  db: Db,
  { agent_id, conversation_id }: Pick<FileFetchRow, 'agent_id' | 'conversation_id'>,
  digests: readonly string[],
): Promise<(string | null)[]> {
  if (digests.length === 0) return []
  const rows = await db
    .selectFrom('files')
    .select('digest')
    .where('agent_id', '=', agent_id)
    .where('conversation_id', '=', conversation_id)
    .where('digest', 'in', digests)
    .where('remove_at', 'is', null)
    .execute()
  return rows.map(({ digest }) => digest)
}

/** Tells whether one of some files is to be fetched and was not tried yet. */
export async function triesFirst(db: Db, fileIds: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('file_fetches')
    .select('id')
    .where('file_id', 'in', fileIds)
    .where('attempts', '=', 0)
    .where('due_at', 'is not', null)
    .where('parked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores that a file was fetched; returns false if it was given up meanwhile. The caller holds the lease. */
export async function endFetch(
  db: Db,
  { id, file_id }: Pick<FileFetchRow, 'id' | 'file_id'>,
  previewBytes: number | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ preview_bytes: previewBytes })
    .where('id', '=', file_id)
    .where('remove_at', 'is', null)
    .executeTakeFirstOrThrow()
  await dropFetch(db, id)
  return numUpdatedRows === 1n
}

export async function dropFetch(db: Db, id: number): Promise<void> {
  await db.deleteFrom('file_fetches').where('id', '=', id).execute()
}

/** Stores that a file is fetched again only on request. The caller holds the lease. */
export async function restFetch(db: Db, id: number): Promise<void> {
  await db.updateTable('file_fetches').set({ due_at: null }).where('id', '=', id).execute()
}

export async function isToBeFetched(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('file_fetches').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Has a file fetched once more that is not fetched by itself; returns its message, or undefined when there is none. */
export async function fetchOnceMore(
  db: Db,
  conversationId: string,
  fileId: string,
  now: string,
): Promise<number | undefined> {
  const row = await db
    .updateTable('file_fetches')
    .set(begunAnew('file_fetches', now))
    .where('conversation_id', '=', conversationId)
    .where('file_id', '=', fileId)
    .where((where) => where.or([where('due_at', 'is', null), where('parked_at', 'is not', null)]))
    .returning('message_id')
    .executeTakeFirst()
  wake(db, FETCHES)
  return row?.message_id
}
