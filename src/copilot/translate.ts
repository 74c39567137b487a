import { keepTranslation, readTranslations } from '../desk/translations.ts'
import { ApiError } from '../errors.ts'
import { detectLanguage } from '../language/detect-language.ts'
import { languageName } from '../language/language-name.ts'
import { timestamp } from '../lib/clock.ts'
import { bordered } from '../model/bordered.ts'
import { ModelError } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { wholeText } from '../model/whole-text.ts'
import { findMessage, lockUnchanged } from '../transcripts/messages/find-message.ts'
import type { ConversationRow, MessageRow } from '../transcripts/tables.ts'
import { type CopilotDependencies, noWholeText, requireModel, withModel } from './copilot.ts'
import { translationTask } from './wording.ts'

/** A message in another language. */
interface Translation {
  message_id: number
  content: string
  /** True if its writer wrote it so, and the message is the translation. */
  is_original: boolean
}

/**
 * Translates a text that is not sent yet. Nothing is stored.
 * @param to the tag of the language
 * @throws ApiError model_needed, budget_reached, model_failed, masking_failed
 */
export function translateText(
  dependencies: CopilotDependencies,
  conversation: ConversationRow,
  text: string,
  to: string,
  signal: AbortSignal,
): Promise<string> {
  return withModel(dependencies, conversation, 'translation', async (agent, named) => {
    requireModel(named)
    if (detectLanguage(text) === to) return text
    const messages = [
      { role: 'system' as const, content: translationTask(languageName(to, 'en')) },
      { role: 'user' as const, content: bordered('text', text) },
    ]
    try {
      const answer = await named.model.complete({ model: named.name, messages, parameters: {} }, signal)
      const translated = wholeText(answer)
      if (translated === null) throw noWholeText()
      return translated
    } catch (error) {
      if (error instanceof ModelError && !signal.aborted) dependencies.modelFailed(agent.id, error)
      throw error
    }
  })
}

/**
 * Translates messages of a conversation. What was translated before is kept, and costs nothing.
 * @returns the translations in the order of `ids`; messages without text have none
 * @throws ApiError message_not_found, as `translateText`; version_outdated if a message was changed meanwhile
 */
export async function translateMessages(
  dependencies: CopilotDependencies,
  conversation: ConversationRow,
  ids: readonly number[],
  to: string,
  signal: AbortSignal,
): Promise<Translation[]> {
  const { db } = dependencies
  const rows = await Promise.all(ids.map((id) => findMessage(db, conversation.id, id)))
  const kept = new Map((await readTranslations(db, ids, to)).map((row) => [row.message_id, row]))
  const done = await Promise.allSettled(
    rows.map(async (row): Promise<Translation[]> => {
      if (!row) throw new ApiError('message_not_found')
      const known = kept.get(row.id)
      if (known) return [{ message_id: row.id, content: known.content, is_original: known.is_original === 1 }]
      const text = textOfContent(JSON.parse(row.content)).trim()
      if (text === '') return []
      const content = await translateText(dependencies, conversation, text, to, signal)
      if (content !== text) await keep(dependencies, row, to, content)
      return [{ message_id: row.id, content, is_original: false }]
    }),
  )
  return done.flatMap((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Keeps a translation, unless the message was redacted or edited while it was made. */
async function keep(
  { db, clock }: CopilotDependencies,
  row: MessageRow,
  language: string,
  content: string,
): Promise<void> {
  const { id: message_id, agent_id, conversation_id } = row
  await db.transaction().execute(async (db) => {
    if (!(await lockUnchanged(db, row))) throw new ApiError('version_outdated')
    const created_at = timestamp(clock())
    await keepTranslation(db, { agent_id, conversation_id, message_id, language, content, created_at })
  })
}
