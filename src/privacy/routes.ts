import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { checkTypes } from '../agents/check-patch.ts'
import { maskedTypes } from '../agents/settings/redaction-settings.ts'
import { boundedText, errors, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import type { MaskOf } from './mask/masks.ts'
import { tryMask } from './mask/try-mask.ts'
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

export const triedMask = z.object({
  sent: z.string().describe('The text as a model server would be sent it.'),
  placeholders: z.array(z.string()).describe('Those in it, each once.'),
})

export const redactionTry = z.strictObject({ text: boundedText(LONGEST).min(1) })

export const maskTry = z.strictObject({
  text: boundedText(LONGEST).min(1),
  types: maskedTypes.optional().describe('Types to mask in place of those of the agent.'),
})

export function redactionRoutes(
  server: Server,
  { db, redactorFor, maskOf }: { db: Kysely<Tables>; redactorFor: RedactorFor; maskOf: MaskOf },
): void {
  server.post(
    '/redaction/try',
    {
      config: { right: 'manage' },
      schema: {
        summary: "Redact a text with the agent's settings, without storing anything",
        body: redactionTry,
        response: { 200: single(triedRedaction) },
      },
    },
    async ({ caller, body }) => {
      const agent = await readAgent(db, caller.agentId)
      return { data: await tryRedaction(redactorFor, agent, body.text) }
    },
  )

  server.post(
    '/mask/try',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Tell what a model server would be sent of a text, without sending or storing anything',
        body: maskTry,
        response: { 200: single(triedMask), ...errors('masking_failed') },
      },
    },
    async ({ caller, body: { text, types } }) => {
      const agent = await readAgent(db, caller.agentId)
      checkTypes('types', types ?? [], agent.settings.redaction_patterns)
      const mask = types ? { types, restore: true } : agent.settings.mask
      return { data: await tryMask(maskOf({ ...agent, settings: { ...agent.settings, mask } }), text) }
    },
  )
}
