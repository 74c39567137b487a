import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../../audit/record.ts'
import { changed } from '../../events/changes.ts'
import { personOf } from '../../http/operator-of.ts'
import type { Tables } from '../../storage/tables.ts'
import { addHappening, type HappeningActor } from '../../transcripts/conversations/happenings.ts'
import { latestCompletion } from '../../transcripts/conversations/latest-completion.ts'
import type { ConversationRow } from '../../transcripts/tables.ts'
import { discardDraft } from '../drafts.ts'
import type { NoteRow } from '../tables.ts'
import type { Mention } from './mentions.ts'
import { insertNote, type NewNote } from './store.ts'

/** Stores a note by a caller, a person or a program. It never leaves the team. */
export async function addNoteByCaller(
  db: Kysely<Tables>,
  { id, agent_id }: Pick<ConversationRow, 'id' | 'agent_id'>,
  { text, mentions }: { text: string; mentions: Mention[] },
  now: string,
  by: TeamBy,
): Promise<NoteRow> {
  const { actor } = by
  return db.transaction().execute(async (db) => {
    const note = await addNote(
      db,
      {
        agent_id,
        conversation_id: id,
        completion_id: await latestCompletion(db, id),
        text,
        author: actor.name ?? '',
        operator_id: personOf({ actor }),
        mentions: mentions.length > 0 ? JSON.stringify(mentions) : null,
        created_at: now,
      },
      actor,
    )
    await record(db, {
      ...by,
      agentId: agent_id,
      at: now,
      action: 'note.added',
      target: `conversation ${id}`,
    })
    await discardDraft(db, { id, agent_id }, 'note', actor, now)
    return note
  })
}

/** Adds a note for people to a conversation, within a transaction. */
export async function addNote(db: Kysely<Tables>, row: NewNote, by: HappeningActor): Promise<NoteRow> {
  const note = await insertNote(db, row)
  const { agent_id, conversation_id, completion_id, created_at } = row
  const context = { agent_id, conversation_id }
  await addHappening(db, { ...context, kind: 'note', by, at: created_at, completion_id, note_id: note.id })
  changed(db, { type: 'conversation', ...context, fields: ['notes'] })
  return note
}
