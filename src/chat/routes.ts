import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { findConversation } from '../conversations/find-conversation.ts'
import { ApiError } from '../errors.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import type { Caller } from '../http/member.ts'
import { credentials } from '../http/openapi.ts'
import { listOf, presentPage } from '../http/paging.ts'
import { bodyErrors, commonErrors, errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { timestamp } from '../lib/clock.ts'
import type { Engine } from '../storage/engine.ts'
import type { CompletionRow, RedactionMode } from '../storage/tables.ts'
import { answerPrompt, type PromptDependencies } from './answer-prompt.ts'
import { findCompletion } from './find-completion.ts'
import { listCompletions } from './list-completions.ts'
import { presentCompletions, withoutInternals } from './present-completion.ts'
import { flagCompletion, giveFeedback, likeCompletion, recordClick } from './react.ts'
import { redactCompletions } from './redact-completions.ts'
import type { RedactorFor } from './redactors.ts'
import { chatRequest } from './request.ts'
import {
  chatCompletionSchema,
  chatCompletionStream,
  clickBody,
  completionSchema,
  completionsQuery,
  feedbackBody,
  flagBody,
  likeBody,
  modelSchema,
  redactionResult,
} from './schemas.ts'

interface Dependencies extends PromptDependencies {
  engine: Engine
  /** Message rows that one call rewrites at most. */
  redactionBatch: number
  redactorFor: RedactorFor
}

const id = idParam('Numeric id or UUID of the chat completion.')
const tags = ['chat completions']
const security = credentials

export function chatRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock } = dependencies

  server.post(
    '/chat/completions',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Prompt the agent (OpenAI-compatible; with `stream`, server-sent events)',
        tags,
        security,
        headers: z.looseObject({
          'idempotency-key': z
            .string()
            .optional()
            .describe('A repeat within 24 hours gets the first answer and makes nothing new.'),
        }),
        body: chatRequest,
        response: {
          200: {
            description: 'The answer in one piece, or with `stream` as it is made.',
            content: {
              'application/json': { schema: chatCompletionSchema },
              'text/event-stream': { schema: chatCompletionStream },
            },
          },
          ...errors(
            ...commonErrors,
            ...bodyErrors,
            'conversation_not_found',
            'external_id_taken',
            'model_failed',
          ),
        },
      },
    },
    (request, reply) => answerPrompt(dependencies, request, reply) as never,
  )

  server.get(
    '/models',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'listModels',
        summary: "The agent's model, in OpenAI's shape",
        tags,
        security,
        response: {
          200: z.object({ object: z.literal('list'), data: z.array(modelSchema) }),
          ...errors(...commonErrors),
        },
      },
    },
    async ({ caller }) => ({ object: 'list' as const, data: [await modelOf(caller.agentId)] }),
  )

  server.get(
    '/models/:model',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'getModel',
        summary: "The agent's model by its name",
        tags,
        security,
        params: z.object({ model: z.string().describe('Name of the model.') }),
        response: { 200: modelSchema, ...errors(...commonErrors, 'model_not_found') },
      },
    },
    async ({ caller, params }) => {
      const model = await modelOf(caller.agentId)
      if (model.id !== params.model) throw new ApiError('model_not_found')
      return model
    },
  )

  async function modelOf(agentId: number): Promise<z.output<typeof modelSchema>> {
    const agent = await readAgent(db, agentId)
    const created = Math.floor(Date.parse(agent.createdAt) / 1000)
    return { id: dependencies.modelFor(agent).name, object: 'model', created, owned_by: 'parley' }
  }

  server.get(
    '/chat/completions',
    {
      config: { right: 'read' },
      schema: {
        summary: "The requesting agent's chat completions, newest first",
        tags,
        security,
        querystring: completionsQuery,
        response: {
          200: listOf(completionSchema),
          ...errors(...commonErrors, 'invalid_request', 'conversation_not_found'),
        },
      },
    },
    async ({ caller, query }) => {
      const conversation =
        query.conversation_id === undefined
          ? undefined
          : await findConversation(db, caller, query.conversation_id)
      const page = await listCompletions(
        db,
        caller.agentId,
        { ...query, conversation_id: conversation?.id },
        query,
      )
      return presentPage({ ...page, rows: await presentCompletions(db, page.rows) }, (presented) => presented)
    },
  )

  const one = {
    200: single(completionSchema),
    ...errors(...commonErrors, 'invalid_request', 'completion_not_found'),
  }
  const changed = { ...one, ...errors(...bodyErrors) }
  const presentOne = async ({ right }: Caller, row: CompletionRow) => {
    const [data] = await presentCompletions(db, [row])
    if (!data) throw new ApiError('completion_not_found')
    return { data: right === 'chat' ? withoutInternals(data) : data }
  }

  server.get(
    '/chat/completions/:id',
    {
      config: { right: 'chat' },
      schema: { summary: 'One chat completion', tags, security, params: id, response: one },
    },
    async ({ caller, params }) => presentOne(caller, await findCompletion(db, caller, params.id)),
  )

  server.post(
    '/chat/completions/:id/like',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Like, dislike (false) or take it back (null)',
        tags,
        security,
        params: id,
        body: likeBody,
        response: changed,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      return presentOne(caller, await likeCompletion(db, row, body.liked, timestamp(clock())))
    },
  )

  server.post(
    '/chat/completions/:id/flag',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Flag a response, or take the flag back',
        tags,
        security,
        params: id,
        body: flagBody,
        response: changed,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      return presentOne(
        caller,
        await flagCompletion(db, row, body.flagged, body.reason ?? null, timestamp(clock())),
      )
    },
  )

  server.post(
    '/chat/completions/:id/feedback',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Give feedback on a response',
        tags,
        security,
        params: id,
        body: feedbackBody,
        response: changed,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      return presentOne(
        caller,
        await giveFeedback(db, row, body.feedback, body.score ?? null, timestamp(clock())),
      )
    },
  )

  server.post(
    '/chat/completions/:id/clicks',
    {
      config: { right: 'chat' },
      schema: {
        summary: 'Report a click on something that a response showed',
        tags,
        security,
        params: id,
        body: clickBody,
        response: changed,
      },
    },
    async ({ caller, params, body }) => {
      const row = await findCompletion(db, caller, params.id)
      await recordClick(db, row, body.kind, body.target, timestamp(clock()))
      return presentOne(caller, row)
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    redactionRoute(
      scope,
      '/chat/completions/:id/scrub',
      'scrub',
      'Replace all text of a completion with a placeholder',
    )
    redactionRoute(
      scope,
      '/chat/completions/:id/anonymize',
      'anonymize',
      'Redact personal data in a completion',
    )
  })

  function redactionRoute(scope: Server, path: string, mode: RedactionMode, summary: string) {
    scope.post(
      path,
      {
        config: { right: 'manage' },
        schema: {
          summary,
          tags,
          security,
          params: id,
          querystring: z.looseObject({}),
          response: {
            200: single(redactionResult),
            ...errors(...commonErrors, 'completion_not_found', 'redaction_service_failed'),
          },
        },
      },
      async ({ caller, params }) => {
        const { id } = await findCompletion(db, caller, params.id)
        const redactor = dependencies.redactorFor(mode, await readAgent(db, caller.agentId))
        const outcome = await redactCompletions(
          db,
          dependencies.engine,
          caller.agentId,
          { completionId: id },
          redactor,
          dependencies.redactionBatch,
          timestamp(clock()),
        )
        return { data: { id, mode, ...outcome } }
      },
    )
  }
}
