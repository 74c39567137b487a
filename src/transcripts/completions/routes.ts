import type { Kysely } from 'kysely'
import { ApiError } from '../../errors.ts'
import { traceOfCompletion } from '../../events/trace-of-completion.ts'
import type { Caller } from '../../http/member.ts'
import { presentPage } from '../../http/paging.ts'
import { errors, idParam, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import type { PersonKeys } from '../../users/person-store.ts'
import { findConversation, type Owner } from '../conversations/find-conversation.ts'
import type { Lessons } from '../conversations/lessons.ts'
import type { CompletionRow } from '../tables.ts'
import { findCompletion } from './find-completion.ts'
import { listCompletions } from './list-completions.ts'
import { presentCompletions } from './present-completion.ts'
import { flagCompletion, giveFeedback, likeCompletion, recordClick } from './react.ts'
import {
  COMPLETION_NAMED,
  clickBody,
  completionList,
  completionSchema,
  completionsQuery,
  feedbackBody,
  flagBody,
  likeBody,
  traceSchema,
} from './schemas.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  lessons: Lessons
  /** Returns the keys of the person to whom a list is narrowed; undefined: it is not narrowed. */
  userOfFilter: (db: Kysely<Tables>, owner: Owner, named?: string) => Promise<PersonKeys | undefined>
}

const id = idParam(COMPLETION_NAMED)

export function completionRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock, lessons, userOfFilter } = dependencies

  server.get(
    '/chat/completions',
    {
      config: { right: 'read' },
      schema: {
        summary: "The requesting agent's chat completions, newest first",
        querystring: completionsQuery,
        response: {
          200: completionList,
          ...errors('conversation_not_found', 'completion_not_found'),
        },
      },
    },
    async ({ caller, query }) => {
      const conversation =
        query.conversation_id === undefined
          ? undefined
          : await findConversation(db, caller, query.conversation_id)
      const before = query.after === undefined ? null : await findCompletion(db, caller, query.after)
      const page = await listCompletions(
        db,
        caller,
        {
          ...query,
          conversation_id: conversation?.id,
          user_id: await userOfFilter(db, caller, query.user_id),
        },
        {
          ...query,
          per_page: query.limit ?? query.per_page,
          afterKey: before ? [before.created_at, before.number] : undefined,
        },
      )
      const rows = await presentCompletions(db, page.rows, caller.right)
      return { ...presentPage({ ...page, rows }, (row) => row), has_more: page.nextCursor !== null }
    },
  )

  const one = {
    200: single(completionSchema),
    ...errors('completion_not_found'),
  }
  const presentOne = async ({ right }: Caller, row: CompletionRow) => {
    const [data] = await presentCompletions(db, [row], right)
    if (!data) throw new ApiError('completion_not_found')
    return { data }
  }

  server.get(
    '/chat/completions/:id',
    {
      config: { right: 'chat' },
      schema: { summary: 'One chat completion', params: id, response: one },
    },
    async ({ caller, params }) => presentOne(caller, await findCompletion(db, caller, params.id)),
  )

  server.get(
    '/chat/completions/:id/trace',
    {
      config: { right: 'read' },
      schema: {
        summary: 'The W3C trace in which an answer was made, by which it is found in logs and tracing tools',
        params: id,
        response: { 200: single(traceSchema), ...errors('completion_not_found') },
      },
    },
    async ({ caller, params }) => {
      const trace = await traceOfCompletion(db, await findCompletion(db, caller, params.id))
      return { data: trace ?? { trace_id: null, span_id: null } }
    },
  )

  server.post(
    '/chat/completions/:id/like',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Like, dislike (false) or take it back (null)',
        params: id,
        body: likeBody,
        response: one,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      return presentOne(caller, await likeCompletion(db, lessons, row, body, timestamp(clock())))
    },
  )

  server.post(
    '/chat/completions/:id/flag',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Flag a response, or take the flag back',
        params: id,
        body: flagBody,
        response: one,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      return presentOne(caller, await flagCompletion(db, row, body, timestamp(clock())))
    },
  )

  server.post(
    '/chat/completions/:id/feedback',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'giveFeedback',
        summary: 'Give feedback on a response',
        params: id,
        body: feedbackBody,
        response: one,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      return presentOne(caller, await giveFeedback(db, row, body, timestamp(clock())))
    },
  )

  server.post(
    '/chat/completions/:id/clicks',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'recordClick',
        summary: 'Report a click on something that a response showed',
        params: id,
        body: clickBody,
        response: one,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      await recordClick(db, row, body, timestamp(clock()))
      return presentOne(caller, row)
    },
  )
}
