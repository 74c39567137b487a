import { z } from 'zod'

/** The outcome of a request that redacts. */
export const redactionResult = z
  .object({
    id: z.string().describe('Chat completion id (UUID).'),
    mode: z.enum(['scrub', 'anonymize']),
    messages_redacted: z.int().describe('Message rows rewritten in this request.'),
    remaining: z.int().describe('Message rows still waiting; 0 means this request finished the completion.'),
  })
  .meta({ id: 'RedactionResult' })
