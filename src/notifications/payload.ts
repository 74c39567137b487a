import { z } from 'zod'
import { type EventKey, eventKeys } from '../events/keys.ts'

const named = (description: string) =>
  z.object({ id: z.int(), name: z.string().nullable().optional() }).optional().describe(description)

/** The body of an outgoing webhook. Parts that do not apply are absent. */
export const webhookPayload = z
  .object({
    notification: z
      .object({ id: z.int(), name: z.string() })
      .describe('Configuration that produced the delivery.'),
    event: z.object({
      key: z.enum(Object.keys(eventKeys) as [EventKey, ...EventKey[]]),
      label: z.string().describe('Human-readable.'),
      occurred_at: z.string().meta({ format: 'date-time' }),
    }),
    agent: z.object({ id: z.int(), name: z.string().nullable().optional() }),
    completion: z
      .object({
        id: z.string(),
        number: z.int(),
        conversation_id: z.string(),
        prompt: z.string().nullable(),
        response: z.string().nullable(),
        automations: z.array(z.object({ id: z.int(), name: z.string(), status: z.string() })),
        tags: z.array(z.string()),
        model: z.string(),
        usage: z.record(z.string(), z.unknown()).nullable(),
        citations: z.array(z.record(z.string(), z.unknown())),
      })
      .nullable()
      .optional()
      .describe('Present when the event is tied to a prompt.'),
    channel: named('Present when the prompt arrived via a channel.'),
    platform: named('Present alongside channel.'),
    cta: z
      .object({
        id: z.int(),
        name: z.string().nullable().optional(),
        content: z.string().nullable().optional(),
      })
      .optional()
      .describe('Present for cta_trigger and cta_click.'),
    guardrail: named('Present for guardrail_trigger.'),
    automation: named('Present for automation_trigger.'),
    evaluator: named('Present for CTA, guardrail or automation events that ran an evaluation.'),
    evaluation: z
      .object({
        score: z.number().nullable().optional(),
        passed: z.boolean().nullable().optional(),
        content: z.string().nullable().optional(),
      })
      .optional(),
    trace: z
      .object({
        trace_id: z.string().regex(/^[0-9a-f]{32}$/),
        span_id: z.string().regex(/^[0-9a-f]{16}$/),
      })
      .optional()
      .describe('Present when a W3C trace was created or continued.'),
  })
  .meta({ id: 'WebhookPayload' })

export type WebhookPayload = z.output<typeof webhookPayload>
