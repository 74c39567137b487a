import { z } from 'zod'
import { reasonCodes } from './reasons.ts'

/** The code of a sentence, as it is answered. */
export function whySchema<const Codes extends [string, ...string[]]>(codes: Codes) {
  return z.object({
    code: z
      .enum(codes)
      .nullable()
      .describe('Which reason it is, or which note; null: none, or one that has no code.'),
    values: z
      .record(z.string(), z.string())
      .describe('The values that the sentence names. `cause` is the code of a `reason` among them.'),
  })
}

/** The code of a reason, as it is answered. */
export const why = whySchema(reasonCodes)
