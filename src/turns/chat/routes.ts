import { z } from 'zod'
import { readAgent } from '../../agents/agent.ts'
import { ApiError } from '../../errors.ts'
import { errors } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { idempotencyHeader } from '../../idempotency/repeats.ts'
import { answerPrompt, type PromptDependencies } from '../requests/answer-prompt.ts'
import { checkPictures } from '../requests/check-pictures.ts'
import { chatWriter } from './chat-writer.ts'
import { chatRequest, readPrompt } from './request.ts'
import { chatCompletionSchema, chatCompletionStream, modelSchema } from './schemas.ts'

export function chatRoutes(server: Server, dependencies: PromptDependencies): void {
  const { db } = dependencies

  server.post(
    '/chat/completions',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'createChatCompletion',
        summary: 'Prompt the agent (OpenAI-compatible; with `stream`, server-sent events)',
        headers: idempotencyHeader,
        body: chatRequest,
        response: {
          200: {
            description: 'The answer in one piece, or with `stream` as it is made.',
            content: {
              'application/json': { schema: chatCompletionSchema },
              'text/event-stream': { schema: chatCompletionStream },
            },
          },
          ...errors('conversation_not_found', 'external_id_taken', 'model_failed', 'masking_failed'),
        },
      },
    },
    async (request, reply) => {
      const { stream, stream_options, messages } = request.body
      await checkPictures('messages', messages)
      return answerPrompt(dependencies, request, reply, {
        prompt: readPrompt(request.body),
        isStreamed: stream ?? false,
        writer: chatWriter(stream_options?.include_usage ?? false),
      })
    },
  )

  server.get(
    '/models',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'listModels',
        summary: "The agent's model, in OpenAI's shape",
        response: { 200: z.object({ object: z.literal('list'), data: z.array(modelSchema) }) },
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
        params: z.object({ model: z.string().describe('Name of the model.') }),
        response: { 200: modelSchema, ...errors('model_not_found') },
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
}
