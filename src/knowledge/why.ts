import { z } from 'zod'
import { reasonCodes } from './reasons.ts'

/** The code of a reason, as it is answered. */
export const why = z.object({
  code: z
    .enum(reasonCodes)
    .nullable()
    .describe('Which reason it is, or which note; null: none, or one that has no code.'),
  values: z
    .record(z.string(), z.string())
    .describe('What the words name. `cause` is the code of a `reason` among them.'),
})
