import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { errors, idParam, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Tables } from '../storage/tables.ts'
import { dismissUnanswered } from './dismiss-unanswered.ts'
import { selectUnanswered } from './unanswered-store.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** Reads the last questions of some completions, as they are after redactions. */
  questionsOf: (
    db: Kysely<Tables>,
    completionIds: string[],
  ) => Promise<Map<string, { question: string; redacted: 'anonymize' | 'scrub' | null }>>
}

export const unansweredQuestion = z
  .object({
    id: z.int(),
    question: z
      .string()
      .nullable()
      .describe('As it was asked last, up to 1,000 characters; null when that prompt has no text any more.'),
    redacted: z
      .enum(['anonymize', 'scrub'])
      .nullable()
      .describe('How far the prompt in which it was asked last was redacted.'),
    count: z.int().describe('How often it was asked.'),
    first_asked_at: time,
    last_asked_at: time,
    conversation_id: z.string().describe('Where it was asked last.'),
    completion_id: z.string(),
  })
  .meta({ id: 'UnansweredQuestion' })

/** Serves questions to which the agent had no answer, for people to add what is missing. */
export function unansweredRoutes(server: Server, { db, clock, questionsOf }: Dependencies): void {
  server.get(
    '/knowledge/unanswered',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'listUnansweredQuestions',
        summary: 'Questions to which the agent had no answer, those asked last first',
        description:
          'Questions of the same words count as one. The text is read from the prompt in which it was asked last.',
        querystring: listQuery,
        response: { 200: listOf(unansweredQuestion) },
      },
    },
    async ({ caller, query }) => {
      const page = await selectUnanswered(db, caller.agentId, query)
      const questions = await questionsOf(
        db,
        page.rows.map(({ completion_id }) => completion_id),
      )
      return presentPage(page, ({ agent_id: _, words_hash: __, ...row }) => ({
        ...row,
        ...(questions.get(row.completion_id) ?? { question: null, redacted: null }),
      }))
    },
  )

  server.delete(
    '/knowledge/unanswered/:id',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'dismissUnansweredQuestion',
        summary: 'Dismiss an unanswered question, for example because it is answered now',
        description: 'When it is asked again without an answer, it is listed again.',
        params: idParam('Id of the unanswered question.'),
        response: { 204: z.null().describe('Dismissed.'), ...errors('question_not_found') },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const now = timestamp(clock())
      await dismissUnanswered(db, caller.agentId, rowId(params.id), now, byCaller(request))
      return reply.code(204).send(null)
    },
  )
}
