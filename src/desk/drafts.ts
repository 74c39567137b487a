import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Actor } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { changed } from '../events/changes.ts'
import type { Tables } from '../storage/tables.ts'
import { forgotten } from '../texts/text-columns.ts'
import { conversationsOf } from '../transcripts/conversations/of-completions.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import type { DraftRow } from './tables.ts'

/** The text that a person is writing in a conversation; empty: none. */
interface Draft {
  mode: DraftRow['mode']
  content: string
  /** True if a model suggested it, whatever the person has changed since. */
  suggested: boolean
  /** The person's own words, if this is a translation of them; null: it is none. */
  original: string | null
  /** Counts the draft's changes; 0: there never was one. */
  version: number
  updated_at: string | null
}

/** The words of a draft, as they are saved. */
type Words = Pick<DraftRow, 'content' | 'original'> & { suggested: boolean }

const NO_WORDS: Words = { content: null, suggested: false, original: null }

/** The key of a draft: its conversation, its writer and its mode. */
type Key = Pick<DraftRow, 'conversation_id' | 'operator_id' | 'mode'>

export async function findDraft(db: Kysely<Tables>, key: Key): Promise<Draft> {
  const row = await select(db, key).executeTakeFirst()
  if (row) return asDraft(row)
  return { mode: key.mode, content: '', suggested: false, original: null, version: 0, updated_at: null }
}

/**
 * Saves a draft.
 * @param version of the draft that was read before; undefined: any draft is replaced
 * @throws ApiError draft_moved, with the present draft, when it has been changed or sent since
 */
export async function saveDraft(
  db: Kysely<Tables>,
  { agent_id }: Pick<ConversationRow, 'agent_id'>,
  key: Key,
  {
    content,
    suggested,
    original,
    version,
  }: Pick<Draft, 'content' | 'suggested' | 'original'> & {
    version?: number | undefined
  },
  now: string,
): Promise<Draft> {
  return db.transaction().execute(async (db) => {
    const present = await lockDraft(db, agent_id, key, now)
    if (version !== undefined && version !== present.version)
      throw new ApiError('draft_moved', { data: { draft: asDraft(present) } })
    const words = content === '' ? NO_WORDS : { content, suggested, original }
    return asDraft(await write(db, present, words, now))
  })
}

/**
 * Empties the draft that a person has sent, in the transaction that stores what they sent. A later save by another
 * device is refused, because its version is older. Does nothing for a program.
 */
export async function discardDraft(
  db: Kysely<Tables>,
  { id: conversation_id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  mode: DraftRow['mode'],
  actor: Actor,
  now: string,
): Promise<void> {
  if (actor.kind !== 'operator' || actor.id === null) return
  const key = { conversation_id, operator_id: actor.id, mode }
  await write(db, await lockDraft(db, agent_id, key, now), NO_WORDS, now)
}

/** Empties the drafts in the conversations of redacted completions, and in other given conversations. */
export async function forgetDrafts(
  db: Kysely<Tables>,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[],
): Promise<number> {
  const emptied = db
    .updateTable('drafts')
    .set((row) => ({ ...forgotten('drafts'), version: row('version', '+', 1) }))
    .where('content', 'is not', null)
    .returning(['agent_id', 'conversation_id'])
  const ofCompletions = await emptied
    .where('conversation_id', 'in', conversationsOf(db, completions))
    .execute()
  const others =
    conversationIds.length > 0 ? await emptied.where('conversation_id', 'in', conversationIds).execute() : []
  for (const row of [...ofCompletions, ...others])
    changed(db, { type: 'conversation', ...row, fields: ['draft'] })
  return ofCompletions.length + others.length
}

function select(db: Kysely<Tables>, { conversation_id, operator_id, mode }: Key) {
  return db
    .selectFrom('drafts')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('operator_id', '=', operator_id)
    .where('mode', '=', mode)
}

/** Returns the row of a draft, which begins empty, and locks it until the transaction ends. */
async function lockDraft(db: Kysely<Tables>, agent_id: number, key: Key, now: string): Promise<DraftRow> {
  await db
    .insertInto('drafts')
    .values({ ...key, agent_id, content: null, version: 0, updated_at: now })
    .onConflict((conflict) => conflict.columns(['conversation_id', 'operator_id', 'mode']).doNothing())
    .execute()
  return select(db, key).forNoKeyUpdate().executeTakeFirstOrThrow()
}

async function write(
  db: Kysely<Tables>,
  { conversation_id, operator_id, mode, version }: DraftRow,
  { suggested, ...words }: Words,
  now: string,
): Promise<DraftRow> {
  return db
    .updateTable('drafts')
    .set({ ...words, suggested: suggested ? 1 : 0, version: version + 1, updated_at: now })
    .where('conversation_id', '=', conversation_id)
    .where('operator_id', '=', operator_id)
    .where('mode', '=', mode)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function asDraft({ mode, content, suggested, original, version, updated_at }: DraftRow): Draft {
  return { mode, content: content ?? '', suggested: suggested === 1, original, version, updated_at }
}
