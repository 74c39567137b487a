import type { Kysely } from 'kysely'
import { changed } from '../events/changes.ts'
import { giveUpLost } from '../files/remove-files.ts'
import { reindex } from '../search/reindex.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { forgetQuotes } from '../transcripts/completions/evaluations.ts'
import { forgetKeys } from '../transcripts/conversations/keys.ts'
import { lockCompletions } from '../transcripts/doors/redacted-completions.ts'
import { completionsWith } from '../transcripts/doors/waiting-for-redaction.ts'
import { findRedactable, overwriteMessage } from '../transcripts/messages/overwrite-message.ts'
import type { ForgetCopies } from './forget-copies.ts'

/**
 * Replaces a message with the text to which its writer edited it, or redacts it if the writer took it back. Deletes
 * other copies of its text. A redacted message stays redacted. Runs within a transaction; call `eraseOverwritten` after
 * it.
 * @param text null: the message was taken back
 */
export async function replaceMessage(
  db: Kysely<Tables>,
  engine: Pick<Engine, 'lock'>,
  agentId: number,
  messageId: number,
  text: string | null,
  forgetCopies: ForgetCopies,
  now: string,
): Promise<void> {
  const message = await findRedactable(db, agentId, messageId)
  if (!message || (text !== null && message.redacted !== null)) return
  const completionId = message.completion_id
  if (completionId) await lockCompletions(db, [completionId])
  const row = await overwriteMessage(db, messageId, text)
  // Evaluations may quote the old text.
  if (completionId) await forgetQuotes(db, completionId)
  await reindex(db, engine, agentId, [row])
  await giveUpLost(db, [row], now)
  const { conversation_id } = message
  const mode = text === null ? 'scrub' : 'anonymize'
  const completions = completionsWith(db, completionId ? [completionId] : [])
  const conversationIds = completionId ? [] : [conversation_id]
  await forgetCopies(db, { completions, conversationIds, mode, isAsked: true })
  if (mode === 'scrub') await forgetKeys(db, completions, conversationIds)
  changed(db, { type: 'message_changed', agent_id: agentId, conversation_id, message_id: messageId })
}
