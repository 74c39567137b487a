import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { boundedText, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import type { RedactorFor } from './redactors.ts'
import { tryRedaction } from './try-redaction.ts'

/** The longest text of a try-out. Longer texts would be read in threads, which a try-out is not worth. */
const LONGEST = 20_000

export const triedRedaction = z.object({
  redacted: z.string(),
  findings: z
    .array(z.object({ type: z.string(), start: z.int(), end: z.int() }))
    .describe('What the patterns found, by UTF-16 offsets.'),
  hosted: z
    .boolean()
    .nullable()
    .describe('Whether the hosted service did its part; null: the agent uses none.'),
})

export function redactionRoutes(
  server: Server,
  { db, redactorFor }: { db: Kysely<Tables>; redactorFor: RedactorFor },
): void {
  server.post(
    '/redaction/try',
    {
      config: { right: 'manage' },
      schema: {
        summary: "Redact a text with the agent's settings, without storing anything",
        body: z.strictObject({ text: boundedText(LONGEST).min(1) }),
        response: { 200: single(triedRedaction) },
      },
    },
    async ({ caller, body }) => {
      const agent = await readAgent(db, caller.agentId)
      return { data: await tryRedaction(redactorFor, agent, body.text) }
    },
  )
}
