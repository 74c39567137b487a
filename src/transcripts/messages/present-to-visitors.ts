import type { Kysely } from 'kysely'
import { z } from 'zod'
import { time } from '../../http/schemas.ts'
import type { Citation, MessageContent } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { Tables } from '../../storage/tables.ts'
import { attachmentSchema, readAttachments } from '../attachments.ts'
import { type Cta, citation, ctaSchema } from '../citations-and-ctas.ts'
import type { CompletionRow, MessageRow } from '../tables.ts'
import { isShownToSites } from './shown-to-sites.ts'
import { SPOKEN_ROLES } from './spoken-roles.ts'

/** An end user's reactions to an answer, and the sources and calls to action that came with it. */
export const visitorCompletion = z
  .object({
    liked: z.boolean().nullable(),
    flagged: z.boolean(),
    score: z.number().nullable(),
    feedback_given: z.boolean(),
    citations: z.array(citation),
    ctas: z.array(ctaSchema),
  })
  .meta({ id: 'VisitorCompletion' })

type VisitorCompletion = z.output<typeof visitorCompletion>

/** A message as the end user of a widget sees it. */
export const visitorMessage = z
  .object({
    id: z.int(),
    conversation_id: z.string(),
    completion_id: z.string().nullable(),
    role: z.enum([...SPOKEN_ROLES, 'transition']),
    content: z.string(),
    attachments: z.array(attachmentSchema).nullable().describe('Its files; null: it has none.'),
    author: z.string().nullable().describe('Who of the team wrote it, for `operator`.'),
    created_at: time,
    completion: visitorCompletion.nullable().describe('For an answer of the agent.'),
  })
  .meta({ id: 'VisitorMessage' })

export type VisitorMessage = z.output<typeof visitorMessage>

/** Presents messages as end users see them; leaves out those that they do not see. */
export async function presentToVisitors(
  db: Kysely<Tables>,
  rows: readonly MessageRow[],
): Promise<VisitorMessage[]> {
  const shown = rows.filter(isShownToSites)
  const answered = shown.flatMap(({ role, completion_id }) =>
    role === 'assistant' && completion_id !== null ? [completion_id] : [],
  )
  const completions = await readCompletions(db, [...new Set(answered)])
  return shown.flatMap((row) => {
    const content = textOfContent(JSON.parse(row.content) as MessageContent)
    // An answer that only calls tools says nothing.
    if (content === '') return []
    const completion = row.role === 'assistant' ? completions.get(row.completion_id ?? '') : undefined
    return {
      id: row.id,
      conversation_id: row.conversation_id,
      completion_id: row.completion_id,
      role: row.role as VisitorMessage['role'],
      content,
      attachments: readAttachments(row.attachments),
      author: row.role === 'operator' ? shownAuthor(row) : null,
      created_at: row.created_at,
      completion: completion ? presentCompletionToVisitor(completion) : null,
    }
  })
}

/** Presents a completion as an end user sees it. */
export function presentCompletionToVisitor(
  row: Pick<CompletionRow, 'liked' | 'flagged' | 'score' | 'feedback' | 'citations' | 'ctas'>,
): VisitorCompletion {
  return {
    liked: row.liked === null ? null : row.liked === 1,
    flagged: row.flagged === 1,
    score: row.score,
    feedback_given: row.feedback !== null,
    citations: row.citations === null ? [] : (JSON.parse(row.citations) as Citation[]),
    ctas: row.ctas === null ? [] : (JSON.parse(row.ctas) as Cta[]),
  }
}

/**
 * Returns the author that end users see. A signed-in person has chosen that name; a token may have given a whole name.
 */
export function shownAuthor({
  author,
  operator_id,
}: Pick<MessageRow, 'author' | 'operator_id'>): string | null {
  return operator_id === null ? firstWord(author) : author
}

export function firstWord(name: string | null): string | null {
  return name?.trim().split(/\s+/u)[0] || null
}

async function readCompletions(db: Kysely<Tables>, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await db
    .selectFrom('completions')
    .select(['id', 'liked', 'flagged', 'score', 'feedback', 'citations', 'ctas'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
