import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../../audit/by-caller.ts'
import type { Caller } from '../../http/member.ts'
import { listOf, listQuery, presentPage } from '../../http/paging.ts'
import { errors, idParam, time } from '../../http/schemas.ts'
import type { Scope } from '../../http/scope.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { rowId } from '../../lib/ids.ts'
import type { Filter } from '../../storage/list.ts'
import type { Tables } from '../../storage/tables.ts'
import { dismissUnanswered } from './dismiss-unanswered.ts'
import { gapReasons, reasonsIn } from './gap-reasons.ts'
import { countsByReason, selectNotes, selectUnanswered } from './unanswered-store.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  /** Returns the filters that keep a list to the conversations of a scope. @param column names the conversation of a row */
  filtersOf: (scope: Scope | null, column: string) => Filter[]
  /** Returns those of some conversations that a caller may see. */
  seenBy: (db: Kysely<Tables>, caller: Caller, ids: readonly string[]) => Promise<readonly string[]>
  /** Reads the last questions of some completions, as they are after redactions. */
  questionsOf: (
    db: Kysely<Tables>,
    completionIds: string[],
  ) => Promise<Map<string, { question: string; redacted: 'anonymize' | 'scrub' | null }>>
}

/** The text of a prompt. */
const asked = {
  question: z
    .string()
    .nullable()
    .describe('As it was asked, up to 1,000 characters; null when that prompt has no text any more.'),
  redacted: z.enum(['anonymize', 'scrub']).nullable().describe('How far that prompt was redacted.'),
}

export const unansweredQuestion = z
  .object({
    id: z.int(),
    question: asked.question.describe(
      'As it was asked last, up to 1,000 characters; null when that prompt has no text any more.',
    ),
    redacted: asked.redacted.describe('How far the prompt in which it was asked last was redacted.'),
    count: z.int().describe('How often it was asked.'),
    reasons: z
      .array(z.object({ reason: z.enum(gapReasons), count: z.int() }))
      .describe('Why it counts as unanswered, and how often for each reason. A prompt may have several.'),
    examples: z
      .array(
        z.object({
          ...asked,
          reasons: z.array(z.enum(gapReasons)),
          asked_at: time,
          conversation_id: z.string(),
          completion_id: z.string(),
        }),
      )
      .describe('Up to five prompts of the group, those asked last first.'),
    first_asked_at: time,
    last_asked_at: time,
    conversation_id: z.string().describe('Where it was asked last.'),
    completion_id: z.string(),
  })
  .meta({ id: 'UnansweredQuestion' })

const GONE = { question: null, redacted: null }
const EXAMPLES = 5
const CONVERSATION = 'unanswered_questions.conversation_id'

export const unansweredQuery = listQuery.extend({
  reason: z.enum(gapReasons).optional().describe('Only questions that have this reason.'),
})

/** Serves questions to which the agent had no good answer, for people to add what is missing. */
export function unansweredRoutes(
  server: Server,
  { db, clock, questionsOf, filtersOf, seenBy }: Dependencies,
): void {
  server.get(
    '/knowledge/unanswered',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'listUnansweredQuestions',
        summary: 'Questions to which the agent had no good answer, those asked last first',
        description:
          'Questions of nearly the same words count as one. The texts are read from the prompts in which they were asked.',
        querystring: unansweredQuery,
        response: { 200: listOf(unansweredQuestion) },
      },
    },
    async ({ caller, query: { reason, ...request } }) => {
      const page = await selectUnanswered(
        db,
        caller.agentId,
        reason,
        filtersOf(caller.scope, CONVERSATION),
        request,
      )
      const ids = page.rows.map(({ id }) => id)
      const all = await selectNotes(db, ids, EXAMPLES)
      const asked = new Set(all.map(({ conversation_id }) => conversation_id))
      const seen = new Set(await seenBy(db, caller, [...asked]))
      const notes = Map.groupBy(
        all.filter(({ conversation_id }) => seen.has(conversation_id)),
        ({ question_id }) => question_id,
      )
      const completions = [...page.rows, ...[...notes.values()].flat()].map(
        ({ completion_id }) => completion_id,
      )
      const questions = await questionsOf(db, [...new Set(completions)])
      return presentPage(page, (row) => {
        const { id, count, first_asked_at, last_asked_at, conversation_id, completion_id } = row
        return {
          id,
          ...(questions.get(completion_id) ?? GONE),
          count,
          reasons: countsByReason(row),
          examples: (notes.get(id) ?? []).map(({ completion_id, conversation_id, asked_at, reasons }) => ({
            ...(questions.get(completion_id) ?? GONE),
            reasons: reasonsIn(reasons),
            asked_at,
            conversation_id,
            completion_id,
          })),
          first_asked_at,
          last_asked_at,
          conversation_id,
          completion_id,
        }
      })
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
