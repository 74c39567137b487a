import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { CompletionRow } from '../tables.ts'
import { type Question, readQuestions } from './read-questions.ts'

/** A prompt with the last text that its user wrote. */
export interface AskedQuestion extends Question {
  completion: CompletionRow
}

/** Reads the newest prompts of a conversation, the newest first. Those without a user's message are left out. */
export async function lastQuestions(
  db: Kysely<Tables>,
  conversationId: string,
  most: number,
): Promise<AskedQuestion[]> {
  const completions = await db
    .selectFrom('completions')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('created_at', 'desc')
    .orderBy('number', 'desc')
    .limit(most)
    .execute()
  return withQuestions(db, completions)
}

/** Reads the texts of prompts. */
export async function withQuestions(
  db: Kysely<Tables>,
  completions: readonly CompletionRow[],
): Promise<AskedQuestion[]> {
  const questions = await readQuestions(
    db,
    completions.map(({ id }) => id),
  )
  return completions.flatMap((completion) => {
    const question = questions.get(completion.id)
    return question ? [{ completion, ...question }] : []
  })
}
