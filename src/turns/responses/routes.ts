import { errors, idParam } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { idempotencyHeader } from '../../idempotency/repeats.ts'
import { findCompletion } from '../../transcripts/completions/find-completion.ts'
import { answerPrompt, type PromptDependencies } from '../requests/answer-prompt.ts'
import { checkPictures } from '../requests/check-pictures.ts'
import { withItems } from './find-items.ts'
import { readResponse } from './read-response.ts'
import { readResponsesPrompt, responsesRequest } from './request.ts'
import { responseWriter } from './response-writer.ts'
import { responseSchema, responseStream } from './schemas.ts'

export function responseRoutes(server: Server, dependencies: PromptDependencies): void {
  const { db } = dependencies

  server.post(
    '/responses',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'createResponse',
        summary: "Prompt the agent by OpenAI's Responses API (with `stream`, server-sent events)",
        headers: idempotencyHeader,
        body: responsesRequest,
        response: {
          200: {
            description: 'The answer in one piece, or with `stream` as it is made.',
            content: {
              'application/json': { schema: responseSchema },
              'text/event-stream': { schema: responseStream },
            },
          },
          ...errors(
            'previous_response_not_found',
            'conversation_not_found',
            'response_not_latest',
            'external_id_taken',
            'model_failed',
            'masking_failed',
          ),
        },
      },
    },
    async (request, reply) => {
      const { body, caller } = request
      if (typeof body.input !== 'string') await checkPictures('input', body.input)
      return answerPrompt(dependencies, request, reply, {
        prompt: readResponsesPrompt(await withItems(db, caller, body)),
        isStreamed: body.stream ?? false,
        writer: responseWriter(body),
      })
    },
  )

  server.get(
    '/responses/:id',
    {
      config: { right: 'chat' },
      schema: {
        operationId: 'getResponse',
        summary: 'One response, without what its request set',
        params: idParam('Id of the response, or UUID or number of its completion.'),
        response: { 200: responseSchema, ...errors('completion_not_found') },
      },
    },
    async ({ caller, params }) => readResponse(db, await findCompletion(db, caller, params.id)),
  )
}
