import { z } from 'zod'
import { readAgent } from '../../agents/agent.ts'
import type { ApiError } from '../../errors.ts'
import { unlessGone } from '../../http/gone-signal.ts'
import { includes } from '../../http/rights.ts'
import { boundedText, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { streamPieces } from '../../http/stream-pieces.ts'
import { reasonsForWords } from '../../model/findings.ts'
import { citation, ctaSchema } from '../../transcripts/citations-and-ctas.ts'
import { usage } from '../../transcripts/completions/schemas.ts'
import { tagsSchema } from '../../transcripts/conversations/schemas.ts'
import { rewriteFailures } from '../retrieval/rewrite-question.ts'
import type { TryDependencies } from './try-dependencies.ts'
import { tryPrompt } from './try-prompt.ts'

const MOST_MESSAGES = 200

export const triedPrompt = z.strictObject({
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['system', 'user', 'assistant']),
        content: boundedText(100_000).min(1),
      }),
    )
    .min(1)
    .max(MOST_MESSAGES)
    .refine((messages) => messages.at(-1)?.role === 'user', 'must end with a message of the user')
    .describe('What was said before, and the prompt.'),
  tags: tagsSchema.optional().describe('As if the conversation had them.'),
  page_url: boundedText(2048).optional().describe('As if the prompt was written there.'),
  stream: z.boolean().optional().describe('Answer with server-sent events: each piece, then the whole.'),
})

const ms = z.number().describe('Milliseconds.')

const trace = z.object({
  requests: z
    .array(
      z.object({
        model: z.string(),
        messages: z.array(
          z.object({
            role: z.string(),
            content: z.unknown(),
            tool_calls: z.array(z.unknown()).optional(),
            tool_call_id: z.string().optional(),
          }),
        ),
        parameters: z.record(z.string(), z.unknown()),
        ms,
        thoughts: z.string().describe('What the model thought before it answered; never stored.'),
      }),
    )
    .describe(
      'What was sent to the model; more than one when it called tools, or when the first was too long for it.',
    ),
  passages: z
    .array(
      z.object({
        source: z.string().describe('Identifies its document.'),
        title: z.string(),
        url: z.string().nullable(),
        heading: z.string(),
        text: z.string(),
        score: z.number().describe('As a search of the knowledge tells it.'),
        coverage: z
          .number()
          .describe('Which share of the question, by the weight of its words, stands in it.'),
      }),
    )
    .describe(
      'What was found in the knowledge and given to the model, in the order of the numbers by which it cites.',
    ),
  rewrite: z
    .object({
      queries: z.array(z.string()),
      failure: z.enum(rewriteFailures).nullable().describe('Null: there are queries.'),
      ms,
    })
    .nullable()
    .describe(
      'The queries into which the model put the question before the search (setting `rewrite`); null: it was searched for as it stands.',
    ),
  tools: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        arguments: z.string(),
        result: z.string(),
        status: z.enum(['ok', 'failed', 'unknown', 'not_called']),
        round: z.int(),
        ms,
      }),
    )
    .describe('The calls of tools that the model made.'),
  retrieval_score: z.number(),
  only_words: z
    .enum(reasonsForWords)
    .nullable()
    .describe(
      'Why only words were searched for, though the passages have vectors: `other_server`, they are not of the present embedding server; `server_failed`, it failed or took longer than two seconds; `vectors_not_read`, they could not be read in time. Null: vectors counted, or there are none.',
    ),
  rules: z.array(
    z.object({
      kind: z.enum(['guardrail', 'cta', 'automation']),
      id: z.int(),
      name: z.string(),
      acted: z.boolean().nullable().describe('Of an automation: whether it would run.'),
      condition: z
        .looseObject({ held: z.boolean().nullable() })
        .nullable()
        .describe(
          'The condition; each part has `held`, null where it depends on an evaluator that was not asked.',
        ),
      evaluator_id: z.int().nullable(),
    }),
  ),
  evaluations: z.array(
    z.object({
      evaluator: z.object({ id: z.int(), name: z.string() }),
      subject: z.string(),
      score: z.number().nullable(),
      passed: z.boolean().nullable(),
      content: z.string().nullable(),
      failed: z.boolean(),
    }),
  ),
  times: z.object({ retrieval_ms: ms, model_ms: ms, total_ms: ms }),
})

export const triedAnswer = z
  .object({
    response: z.string().nullable().describe('Null when the model gave no answer.'),
    shown_as: z
      .string()
      .nullable()
      .describe(
        'What models see in place of the prompt, because a guardrail replaced or blocked it; null: the prompt.',
      ),
    answered: z
      .boolean()
      .nullable()
      .describe(
        'Whether the agent had an answer, as the built-in answerer tells; null: a model does not tell.',
      ),
    model: z.string(),
    finish_reason: z.string().nullable(),
    usage: usage.nullable(),
    citations: z.array(citation),
    ctas: z.array(ctaSchema),
    agent_paused: z.boolean().describe('Whether end users would get the pause message instead.'),
    person_asked: z
      .boolean()
      .describe(
        'Whether the user would wait for a person: they asked for one, or the model called `request_person`.',
      ),
    error: z
      .object({
        reason: z.string(),
        status: z.int().nullable().describe('The status of the model server.'),
        code: z.string().nullable(),
        message: z.string().describe("The model server's own words, without credentials."),
      })
      .nullable(),
    trace,
  })
  .meta({ id: 'PlaygroundAnswer' })

const triedStream = z
  .string()
  .describe(
    'Lines of `data:`, each with a piece of the answer as `delta`; the last has `data`, the whole answer. ' +
      '`[DONE]` ends it, or an `error`.',
  )

interface PlaygroundDependencies extends TryDependencies {
  /** Makes the error that ends a stream when it is too late for a status. */
  toApiError: (error: unknown) => ApiError
}

/** Adds the route that tries the agent out and shows how its answer came about. */
export function playgroundRoutes(server: Server, dependencies: PlaygroundDependencies): void {
  server.post(
    '/playground',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'tryPrompt',
        summary: 'Prompt the agent without storing anything, and see how its answer came about',
        description:
          'Evaluators are asked; automations do not run, and no event is raised of the prompt. What the model costs counts ' +
          'for the budget. Tools are called for who may manage, and for people who may respond.',
        body: triedPrompt,
        response: {
          200: {
            description: 'The answer in one piece, or with `stream` as it is made.',
            content: {
              'application/json': { schema: single(triedAnswer) },
              'text/event-stream': { schema: triedStream },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { messages, tags = {}, page_url: pageUrl = null, stream = false } = request.body
      const { right, actor } = request.member
      // Tools send the agent's sealed headers. Anyone who may only look must not use those.
      const callsTools = includes(right, actor.kind === 'operator' ? 'respond' : 'manage')
      const prompt = { messages, tags, pageUrl, callsTools }
      const agent = await readAgent(dependencies.db, request.caller.agentId)
      if (stream)
        return streamPieces(request, reply, dependencies.toApiError, (say, signal) =>
          tryPrompt(dependencies, agent, prompt, signal, say),
        )
      return unlessGone(request, reply, async (signal) => ({
        data: await tryPrompt(dependencies, agent, prompt, signal),
      }))
    },
  )
}
