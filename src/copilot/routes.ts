import { z } from 'zod'
import type { ApiError } from '../errors.ts'
import { language } from '../http/by-language.ts'
import { unlessGone } from '../http/gone-signal.ts'
import { boundedText, errors, optionalBody, rowIdField, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { streamPieces } from '../http/stream-pieces.ts'
import { citation } from '../transcripts/citations-and-ctas.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import type { CopilotDependencies } from './copilot.ts'
import { suggestReply } from './suggest-reply.ts'
import { findHandoffSummary, summarizeConversation } from './summarize-conversation.ts'
import { translateMessages, translateText } from './translate.ts'

/** The most messages that one call translates: each is a call of the model. */
const MOST_MESSAGES = 10

export const suggestedReply = z
  .object({
    content: z.string().describe('With the numbers of its citations. Empty: the knowledge has no answer.'),
    draft: z.string().describe('The same without the numbers, to be sent.'),
    citations: z.array(citation),
    model: z.string(),
  })
  .meta({ id: 'SuggestedReply' })

const suggestStream = z
  .string()
  .describe(
    'Lines of `data:`, each with a piece of the reply as `delta`; the last has `data`, a `SuggestedReply`. ' +
      '`[DONE]` ends it, or an `error`.',
  )

export const handoffSummarySchema = z
  .object({
    text: z.string().nullable().describe('Null: none is written.'),
    last_message_id: z.int().nullable().describe('The newest message that it covers.'),
    written_at: time.nullable(),
    is_outdated: z.boolean().describe('Whether something was said since.'),
  })
  .meta({ id: 'HandoffSummary' })

export const translatedSchema = z
  .object({
    to: z.string(),
    messages: z
      .array(
        z.object({
          message_id: z.int(),
          content: z.string(),
          is_original: z
            .boolean()
            .describe('Whether its writer wrote it so, and the message is the translation.'),
        }),
      )
      .describe('Those that have a text.'),
    text: z.string().nullable().describe('The translation of `text`.'),
  })
  .meta({ id: 'Translated' })

export const translateBody = z
  .strictObject({
    to: language,
    message_ids: z.array(rowIdField).min(1).max(MOST_MESSAGES).optional(),
    text: boundedText(20_000).min(1).optional().describe('A draft. Its translation is not stored.'),
  })
  .refine(
    ({ message_ids, text }) => (message_ids === undefined) !== (text === undefined),
    'must have either message_ids or text',
  )

const tags = ['inbox']
const failures = ['budget_reached', 'model_failed', 'masking_failed'] as const

interface Dependencies extends CopilotDependencies {
  /** Makes the error that ends a stream when it is too late for a status. */
  toApiError: (error: unknown) => ApiError
}

export const suggestBody = optionalBody(
  z.strictObject({
    instruction: boundedText(2000)
      .min(1)
      .optional()
      .describe('What to do, such as `shorter` or `decline politely`; needs a model.'),
    draft: boundedText(20_000)
      .min(1)
      .optional()
      .describe('What the person has written so far, which the reply keeps; needs a model.'),
  }),
)

export const summarizeBody = optionalBody(
  z.strictObject({
    language: language.optional().describe("Of the summary; without it, the conversation's."),
  }),
)

/** Adds the routes by which models write for people of the team. They send nothing: people do. */
export function copilotRoutes(server: Server, dependencies: Dependencies): void {
  const { db } = dependencies

  server.post(
    '/conversations/:id/suggest',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'suggestReply',
        summary: 'Draft a reply from the knowledge and the conversation',
        description:
          'Streams a draft, and stores and sends nothing. Tools of the agent are not called, and its rules are not asked.',
        tags,
        params: conversationId,
        body: suggestBody,
        response: {
          200: {
            description: 'The reply as it is made.',
            content: { 'text/event-stream': { schema: suggestStream } },
          },
          ...errors('conversation_not_found', 'model_needed', ...failures),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const conversation = await findConversation(db, caller, params.id)
      const wish = { instruction: body.instruction ?? null, draft: body.draft ?? null }
      return streamPieces(request, reply, dependencies.toApiError, (say, signal) =>
        suggestReply(dependencies, conversation, wish, signal, say),
      )
    },
  )

  server.get(
    '/conversations/:id/summary',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getHandoffSummary',
        summary: 'The summary for people who take the conversation over',
        tags,
        params: conversationId,
        response: { 200: single(handoffSummarySchema), ...errors('conversation_not_found') },
      },
    },
    async ({ caller, params }) => {
      const conversation = await findConversation(db, caller, params.id)
      return { data: await findHandoffSummary(dependencies, conversation) }
    },
  )

  server.post(
    '/conversations/:id/summarize',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'summarizeConversation',
        summary: 'Sum the conversation up for people, unless nothing was said since the last summary',
        tags,
        params: conversationId,
        body: summarizeBody,
        response: {
          200: single(handoffSummarySchema),
          ...errors('conversation_not_found', 'model_needed', ...failures),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const conversation = await findConversation(db, caller, params.id)
      return unlessGone(request, reply, async (signal) => ({
        data: await summarizeConversation(dependencies, conversation, body.language ?? null, signal),
      }))
    },
  )

  server.post(
    '/conversations/:id/translate',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'translate',
        summary: 'Translate messages of the conversation, or a draft',
        description:
          'Translations of messages are kept beside them and are made once; redaction deletes them, exports have them.',
        tags,
        params: conversationId,
        body: translateBody,
        response: {
          200: single(translatedSchema),
          ...errors('conversation_not_found', 'model_needed', ...failures),
        },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const { to, message_ids: ids = [], text } = request.body
      const conversation = await findConversation(db, caller, params.id)
      return unlessGone(request, reply, async (signal) => ({
        data: {
          to,
          messages: await translateMessages(dependencies, conversation, [...new Set(ids)], to, signal),
          text: text === undefined ? null : await translateText(dependencies, conversation, text, to, signal),
        },
      }))
    },
  )
}
