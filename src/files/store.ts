import type { ExpressionBuilder, Kysely } from 'kysely'
import type { PartForm } from '../model/file-parts.ts'
import type { Tables } from '../storage/tables.ts'
import { type Attachment, readAttachment } from '../transcripts/attachments.ts'
import type { PlacedFile } from './places/file-place.ts'
import type { FileRow } from './tables.ts'

type Db = Kysely<Tables>

/** The conversation of a file whose message is not stored yet: the message may be the one that opens it. */
export const NO_CONVERSATION = ''

export async function insertFile(
  db: Db,
  file: Pick<FileRow, 'id' | 'agent_id' | 'conversation_id' | 'place' | 'remove_at'> &
    Partial<Pick<FileRow, 'form' | 'visitor'>>,
): Promise<void> {
  await db.insertInto('files').values(file).execute()
}

/** Stores what a file is, once its bytes are kept; returns false if it was removed meanwhile. */
export async function describeFile(
  db: Db,
  attachment: Attachment,
  previewBytes: number | null,
  removeAt: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ attachment: JSON.stringify(attachment), preview_bytes: previewBytes, remove_at: removeAt })
    .where('id', '=', attachment.id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Has the bytes of files removed, and lets nobody read them any more. Returns the number of those that were there. */
export async function giveUpFiles(db: Db, ids: readonly string[], now: string): Promise<number> {
  if (ids.length === 0) return 0
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ attachment: null, remove_at: now })
    .where('id', 'in', ids)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Reads where a file has its bytes. */
export async function selectPlaced(db: Db, id: string): Promise<PlacedFile | undefined> {
  return db.selectFrom('files').select(['id', 'agent_id', 'place']).where('id', '=', id).executeTakeFirst()
}

/** Has the bytes of those files removed that no message has taken. */
export async function giveUpUnsent(db: Db, ids: readonly string[], now: string): Promise<void> {
  await db
    .updateTable('files')
    .set({ attachment: null, remove_at: now })
    .where('id', 'in', ids)
    .where('message_id', 'is', null)
    .execute()
}

/**
 * Finds the data of an agent's file that models may read.
 * @returns where its bytes are, and the form of the prompt's part that held it; null: it came in another way
 */
export async function selectData(
  db: Db,
  agentId: number,
  id: string,
): Promise<(PlacedFile & { form: PartForm | null }) | undefined> {
  const row = await db
    .selectFrom('files')
    .select(['id', 'agent_id', 'place', 'form'])
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .where('remove_at', 'is', null)
    .executeTakeFirst()
  return row && { ...row, form: row.form === null ? null : (JSON.parse(row.form) as PartForm) }
}

/** Finds a file of a conversation that may still be read. */
export async function selectFile(
  db: Db,
  conversationId: string,
  id: string,
  now: string,
): Promise<FileRow | undefined> {
  return db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', id)
    .where('conversation_id', '=', conversationId)
    .where((where) => where.or([where('remove_at', 'is', null), where('remove_at', '>', now)]))
    .executeTakeFirst()
}

export async function conversationOfFile(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('files').select('conversation_id').where('id', '=', id).executeTakeFirst()
  return row?.conversation_id
}

/**
 * Reads files that were uploaded and not sent yet: those of a visitor of an agent, or those that its people may send in a
 * conversation, also as its first message.
 */
export async function selectUnsent(
  db: Db,
  of: { agent_id: number } & ({ conversation_id: string } | { visitor: string }),
  ids: readonly string[],
  now: string,
): Promise<Attachment[]> {
  const rows = await db
    .selectFrom('files')
    .select('attachment')
    .where('id', 'in', ids)
    .where('agent_id', '=', of.agent_id)
    .where(isOf(of))
    .where('attachment', 'is not', null)
    .where('remove_at', '>', now)
    .execute()
  return rows.map(({ attachment }) => readAttachment(attachment ?? ''))
}

/** Data of prompts, and files of visitors, have no conversation either until they are sent. */
function isOf(of: { conversation_id: string } | { visitor: string }) {
  return (where: ExpressionBuilder<Tables, 'files'>) =>
    'visitor' in of
      ? where('visitor', '=', of.visitor)
      : where.and([
          where('conversation_id', 'in', [of.conversation_id, NO_CONVERSATION]),
          where('visitor', 'is', null),
          where('form', 'is', null),
        ])
}

/** Gives unsent files to a message; returns the number of those that nobody else has sent meanwhile. */
export async function giveToMessage(
  db: Db,
  ids: readonly string[],
  message: { id: number; conversationId: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({
      message_id: message.id,
      conversation_id: message.conversationId,
      attachment: null,
      remove_at: null,
    })
    .where('id', 'in', ids)
    .where('attachment', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/**
 * Takes files whose bytes are to be removed, a few at a time: from then on no message can have them.
 * @param agentId null: those of all agents
 * @param except places whose files are left out
 */
export async function takeGivenUp(
  db: Db,
  agentId: number | null,
  now: string,
  except: readonly (string | null)[],
): Promise<PlacedFile[]> {
  const due = db
    .selectFrom('files')
    .select('id')
    .where('remove_at', '<=', now)
    .where(isElsewhere(except))
    .orderBy('remove_at')
    .limit(AT_ONCE)
  const some = await (agentId === null ? due : due.where('agent_id', '=', agentId)).execute()
  if (some.length === 0) return []
  return db
    .updateTable('files')
    .set({ attachment: null })
    .where(
      'id',
      'in',
      some.map(({ id }) => id),
    )
    .where('remove_at', '<=', now)
    .returning(['id', 'agent_id', 'place'])
    .execute()
}

/** Reads some files of an agent. @param except places whose files are left out */
export async function selectFilesOf(
  db: Db,
  agentId: number,
  except: readonly (string | null)[],
): Promise<PlacedFile[]> {
  return db
    .selectFrom('files')
    .select(['id', 'agent_id', 'place'])
    .where('agent_id', '=', agentId)
    .where(isElsewhere(except))
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
}

/** Deletes the row of a file, and that by which it was to be fetched. */
export async function deleteFile(db: Db, id: string): Promise<void> {
  await db.deleteFrom('file_fetches').where('file_id', '=', id).execute()
  await db.deleteFrom('files').where('id', '=', id).execute()
}

/** Returns the condition that a file is in none of some places. */
function isElsewhere(places: readonly (string | null)[]) {
  return ({ and, eb }: ExpressionBuilder<Tables, 'files'>) =>
    and(places.map((place) => eb('place', 'is distinct from', place)))
}

const AT_ONCE = 100
