import { z } from 'zod'
import { citation, ctaSchema } from '../../transcripts/citations-and-ctas.ts'
import { usage } from '../../transcripts/completions/schemas.ts'

/** The answer of `POST /chat/completions` without `stream`: OpenAI's shape and Parley's additions. */
export const chatCompletionSchema = z
  .object({
    id: z.string().describe('UUID of the completion.'),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.looseObject({ role: z.literal('assistant'), content: z.unknown() }),
        logprobs: z.null(),
        finish_reason: z.string(),
      }),
    ),
    usage,
    conversation_id: z.string(),
    number: z.int().describe('Number of the completion: every {id} of a completion takes it too.'),
    agent_paused: z.boolean(),
    citations: z.array(citation),
    ctas: z.array(ctaSchema),
  })
  .meta({ id: 'ChatCompletionResponse' })

/** A model as OpenAI lists it. */
export const modelSchema = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
})

/** The answer of `POST /chat/completions` with `stream`. */
export const chatCompletionStream = z
  .string()
  .describe(
    "Lines of `data:`, each with a chunk in OpenAI's shape; the one that carries `finish_reason` has " +
      '`conversation_id`, `number`, `agent_paused`, `citations` and `ctas` too. `[DONE]` ends it, or an `error`.',
  )
