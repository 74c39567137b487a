import type { Kysely } from 'kysely'
import { requireRoom } from '../agents/require-room.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr } from '../errors.ts'
import { changed } from '../events/changes.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { foldText } from '../language/words/find-words.ts'
import { rowId } from '../lib/ids.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { unlessTaken } from '../storage/unless-taken.ts'
import { countReplies, deleteReply, insertReply, lockReply, updateReply } from './store.ts'
import type { ReplyRow } from './tables.ts'

interface Reply {
  shortcut: string
  content: string
  tags: string[]
}

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUniqueViolation'>
}

/** @throws ApiError shortcut_taken, too_many_replies */
export async function createReply(
  { db, engine }: Dependencies,
  agentId: number,
  reply: Reply,
  now: string,
  by: TeamBy,
): Promise<ReplyRow> {
  return unlessTaken(engine, 'shortcut_taken', 'shortcut', () =>
    db.transaction().execute(async (db) => {
      await requireRoom(db, agentId, 'replies', () => countReplies(db, agentId))
      const row = { ...columns(reply), agent_id: agentId, created_at: now, updated_at: now }
      const made = await insertReply(db, row)
      await recordChange(db, made, 'added', now, by)
      return made
    }),
  )
}

/** @throws ApiError reply_not_found, shortcut_taken, version_outdated */
export async function changeReply(
  { db, engine }: Dependencies,
  agentId: number,
  id: string,
  {
    version,
    ...patch
  }: { [Field in keyof Reply]?: Reply[Field] | undefined } & { version?: string | undefined },
  now: string,
  by: TeamBy,
): Promise<ReplyRow> {
  return unlessTaken(engine, 'shortcut_taken', 'shortcut', () =>
    db.transaction().execute(async (db) => {
      const present = await readReply(db, agentId, id)
      refuseOutdated(version, replyVersion(present))
      const { shortcut = present.shortcut, content = present.content } = patch
      const tags = patch.tags ?? (JSON.parse(present.tags) as string[])
      const values = { ...columns({ shortcut, content, tags }), updated_at: now }
      const reply = await updateReply(db, present.id, values)
      await recordChange(db, reply, 'changed', now, by)
      return reply
    }),
  )
}

/** @throws ApiError reply_not_found */
export async function removeReply(
  { db }: Dependencies,
  agentId: number,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const reply = await readReply(db, agentId, id)
    if (!(await deleteReply(db, reply.id))) throw new ApiError('reply_not_found')
    await recordChange(db, reply, 'removed', now, by)
  })
}

export function replyVersion({ shortcut, content, tags }: ReplyRow): string {
  return versionOf(shortcut, content, tags)
}

async function readReply(db: Kysely<Tables>, agentId: number, id: string): Promise<ReplyRow> {
  return foundOr(await lockReply(db, agentId, rowId(id)), 'reply_not_found')
}

function columns({ shortcut, content, tags }: Reply) {
  return {
    shortcut,
    shortcut_key: foldText(shortcut),
    content,
    tags: JSON.stringify(tags),
    searched: foldText([shortcut, content, ...tags].join(' ')),
  }
}

/** Records the change in the audit and tells pages that show replies to read them again. */
async function recordChange(
  db: Kysely<Tables>,
  { id, agent_id }: ReplyRow,
  verb: 'added' | 'changed' | 'removed',
  at: string,
  by: TeamBy,
): Promise<void> {
  await record(db, { ...by, agentId: agent_id, at, action: `reply.${verb}`, target: `reply ${id}` })
  changed(db, { type: 'replies', agent_id, conversation_id: null })
}
