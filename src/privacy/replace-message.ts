import type { Kysely } from 'kysely'
import { changed } from '../events/changes.ts'
import { giveUpLost } from '../files/remove-files.ts'
import { SCRUBBED } from '../redaction/scrubbed.ts'
import { reindex } from '../search/reindex.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { selectAsides, writeTexts } from '../texts/text-rows.ts'
import type { WrittenRow } from '../texts/written-row.ts'
import { forgetQuotes } from '../transcripts/completions/evaluations.ts'
import { forgetKeys } from '../transcripts/conversations/keys.ts'
import { lockCompletions } from '../transcripts/doors/redacted-completions.ts'
import { completionsWith } from '../transcripts/doors/waiting-for-redaction.ts'
import { findRedactable, overwriteMessage } from '../transcripts/messages/overwrite-message.ts'
import type { ForgetCopies } from './forget-copies.ts'

/**
 * Replaces a message with the text to which its writer edited it, or redacts it if the writer took it back. Deletes
 * other copies of its text. A redacted message stays redacted. Runs in a transaction of `inTurnOfRedactions`; call
 * `eraseOverwritten` after it.
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
  const written = [await overwriteMessage(db, messageId, text)]
  if (completionId) {
    // Evaluations may quote the old text, and test cases repeat it.
    await forgetQuotes(db, completionId)
    await scrubCases(db, completionId, written)
  }
  await reindex(db, engine, agentId, written)
  await giveUpLost(db, written, now)
  const { conversation_id } = message
  const mode = text === null ? 'scrub' : 'anonymize'
  const completions = completionsWith(db, completionId ? [completionId] : [])
  const conversationIds = completionId ? [] : [conversation_id]
  await forgetCopies(db, { completions, conversationIds, mode, isAsked: true })
  if (mode === 'scrub') await forgetKeys(db, completions, conversationIds)
  changed(db, { type: 'message_changed', agent_id: agentId, conversation_id, message_id: messageId })
}

/** Scrubs the texts of test cases, and of their copies in runs, that come from a completion. */
async function scrubCases(db: Kysely<Tables>, completionId: string, written: WrittenRow[]): Promise<void> {
  for (const row of await selectAsides(db, [completionId]))
    if (row.table === 'case_texts') await writeTexts(db, row, { content: JSON.stringify(SCRUBBED) }, written)
}
