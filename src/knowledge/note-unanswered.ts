import { createHmac } from 'node:crypto'
import type { Kysely } from 'kysely'
import { plainWords } from '../lib/words/words.ts'
import type { Tables } from '../storage/tables.ts'
import { startOfQuestion } from './start-of-question.ts'
import { putUnanswered } from './unanswered-store.ts'

/** A question to which an agent had no answer. */
export interface UnansweredQuestion {
  agentId: number
  conversationId: string
  completionId: string
  question: string
  /** The time at which it was asked, as a timestamp. */
  at: string
}

/** The number of words that are compared. Longer texts that begin alike count as the same question. */
const MOST_WORDS = 200

/**
 * Counts unanswered questions in the transaction that ends their turn. Questions with the same words in the same order
 * count as one, whatever their case, accents and punctuation; those without any word are not kept.
 * @param key the key that hashes the words. Only the completion has the text of its question, where redaction finds it
 */
export function noteUnanswered(key: string) {
  return async (db: Kysely<Tables>, { question, at, ...asked }: UnansweredQuestion): Promise<void> => {
    const words = plainWords(startOfQuestion(question)).slice(0, MOST_WORDS)
    if (words.length === 0) return
    const { agentId: agent_id, conversationId: conversation_id, completionId: completion_id } = asked
    const words_hash = createHmac('sha256', key)
      .update(`${agent_id} ${words.join(' ')}`)
      .digest('base64url')
    await putUnanswered(db, { agent_id, words_hash, conversation_id, completion_id }, at)
  }
}
