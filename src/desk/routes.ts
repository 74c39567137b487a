import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import type { TeamBy } from '../audit/record.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { boundedText, errors, errorWith, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { idempotencyHeader, readIdempotency } from '../idempotency/repeats.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { TemplateUse } from '../platforms/template.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { presentConversation, presentMessage } from '../transcripts/conversations/present.ts'
import { reopenConversation } from '../transcripts/conversations/reopen-conversation.ts'
import { conversationId, conversationSchema, messageSchema } from '../transcripts/conversations/schemas.ts'
import type { ConversationRow } from '../transcripts/tables.ts'
import { answerAsOperator, answeredBefore } from './answer-as-operator.ts'
import type { LockAssignee } from './assign.ts'
import { endConversation } from './end-conversation.ts'
import { pauseConversation, resumeConversation } from './pause-conversation.ts'
import { draftMarks, readWords, type SaidTemplate, wordsSchema } from './words.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  lockAssignee: LockAssignee
  lessons: Lessons
  /** Returns a template of the conversation's channel as the person reads it. */
  readTemplate: (conversation: ConversationRow, use: TemplateUse, place: string) => Promise<SaidTemplate>
  /** True if links to this service work from outside. */
  hasPublicUrl: boolean
  /** The key of the hashes by which repeats of answers are recognized. */
  fingerprintKey: string
}

export const operatorMessage = z.strictObject({
  ...wordsSchema,
  author: boundedText(200)
    .min(1)
    .optional()
    .describe('Name of the person who answers; a person who is signed in has their own.'),
  suggested: draftMarks.suggested
    .optional()
    .describe('Whether a model suggested it, whatever was changed since; the audit tells so.'),
  original: draftMarks.original.optional(),
  after: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe(
      'Id of the last message that the writer saw: when somebody has answered since, 409 `conversation_moved`.',
    ),
  send_anyway: z
    .boolean()
    .optional()
    .describe('Whether to answer although somebody has answered since `after`.'),
})

/** The messages that came since the last one that a writer saw. */
const movedData = z.object({ messages: z.array(messageSchema).describe('At most 100, oldest first.') })

/** Returns the answers of a route that changes one conversation. */
function answers<T extends z.ZodType>(data: T) {
  return { 200: data, ...errors('conversation_not_found', 'user_blocked') }
}

/** Adds the routes by which people answer, take over, hand back, end and reopen conversations. */
export function deskRoutes(
  server: Server,
  { db, clock, lockAssignee, lessons, readTemplate, hasPublicUrl, fingerprintKey }: Dependencies,
): void {
  server.post(
    '/conversations/:id/messages',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'sendMessage',
        summary: 'Answer as a person: takes the conversation over and pauses the agent in it',
        params: conversationId,
        headers: idempotencyHeader,
        body: operatorMessage,
        response: {
          ...answers(single(messageSchema)),
          ...errors('template_mismatch', 'platform_failed'),
          409: errorWith(movedData.optional()),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const conversation = await findConversation(db, caller, params.id)
      const { content = null, attachments = [], template, suggested, original } = body
      // Leaves out `after`: a repeat is the same answer even if its writer has seen more messages.
      const idempotency = readIdempotency(
        request,
        [
          conversation.id,
          content,
          caller.displayName ?? body.author,
          ...attachments,
          ...(template ? [template] : []),
        ],
        fingerprintKey,
      )
      const answer = async () => {
        const words = await readWords(caller, body, body.author, '', (use, place) =>
          readTemplate(conversation, use, place),
        )
        const after = body.send_anyway ? undefined : body.after
        const said = { ...words, suggested, original, after, idempotency }
        return answerAsOperator(
          db,
          { lockAssignee, lessons, hasPublicUrl },
          conversation,
          said,
          clock(),
          byCaller(request),
        )
      }
      // A repeat gets its answer even if the platform does not tell its templates now.
      const before = idempotency && (await answeredBefore(db, conversation, idempotency, clock()))
      const { message, isRepeated } = before ?? (await answer())
      if (isRepeated) reply.header('idempotent-replayed', 'true')
      return { data: presentMessage(message) }
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    changeRoute(
      scope,
      '/conversations/:id/pause',
      'Pause the agent in a conversation and stop the answer that it is making; a person who is signed in takes it over',
      (db, ...change) => pauseConversation(db, lockAssignee, ...change),
    )
    changeRoute(scope, '/conversations/:id/resume', 'Resume the agent in a conversation', resumeConversation)
    changeRoute(scope, '/conversations/:id/end', 'End a conversation', (db, ...change) =>
      endConversation(db, lessons, ...change),
    )
    changeRoute(
      scope,
      '/conversations/:id/reopen',
      'Open a conversation that has ended again',
      reopenConversation,
    )
  })

  function changeRoute(
    scope: Server,
    path: string,
    summary: string,
    change: (db: Kysely<Tables>, id: string, now: string, by: TeamBy) => Promise<ConversationRow>,
  ) {
    scope.post(
      path,
      {
        config: { right: 'respond' },
        schema: { summary, params: conversationId, response: answers(single(conversationSchema)) },
      },
      async (request) => {
        const conversation = await findConversation(db, request.caller, request.params.id)
        const changed = await change(db, conversation.id, timestamp(clock()), byCaller(request))
        return { data: presentConversation(changed) }
      },
    )
  }
}
