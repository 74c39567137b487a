import { z } from 'zod'

/** A page that an answer used. */
export const citation = z.object({ title: z.string(), url: z.string().nullable(), snippet: z.string() })

/** A call to action in an answer. */
export const ctaSchema = z.object({
  id: z.int(),
  name: z.string(),
  content: z.string(),
  url: z.string().nullable(),
  button: z.string().nullable(),
})

export type Cta = z.output<typeof ctaSchema>
