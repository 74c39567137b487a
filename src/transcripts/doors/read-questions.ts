import type { Kysely } from 'kysely'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'
import type { RedactionMode } from '../../texts/text-rows.ts'

/** The last question of an end user in a prompt. */
export interface Question {
  question: string
  redacted: RedactionMode | null
}

const LONGEST = 1000

/** Reads the last user message of each of some completions, as it is after redactions, cut at 1,000 characters. */
export async function readQuestions(
  db: Kysely<Tables>,
  completionIds: readonly string[],
): Promise<Map<string, Question>> {
  if (completionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages')
    .select(['completion_id', 'content', 'redacted'])
    .where('id', 'in', (query) =>
      query
        .selectFrom('messages')
        .select(({ fn }) => fn.max('id').as('id'))
        .where('completion_id', 'in', completionIds)
        .where('role', '=', 'user')
        .groupBy('completion_id'),
    )
    .execute()
  return new Map(
    rows.map(({ completion_id, content, redacted }) => {
      const question = textOfContent(JSON.parse(content)).slice(0, LONGEST).toWellFormed()
      return [completion_id ?? '', { question, redacted }]
    }),
  )
}
