import { z } from 'zod'
import { time } from '../http/schemas.ts'
import { untoldReasons } from '../transcripts/messages/say-everywhere.ts'

export const pauseResult = z
  .object({
    is_paused: z.boolean().describe('Agent-wide pause flag.'),
    paused_at: time.nullable().describe('Time of pausing.'),
    resumed_at: time.nullable().describe('Time of last resume.'),
    emitted: z.int().describe('Conversations that received a transition message.'),
    skipped: z.int().describe('Conversations skipped during fan-out.'),
  })
  .meta({ id: 'AgentPauseResult' })

export type PauseResult = z.output<typeof pauseResult>

export const pauseForecast = z
  .object({
    is_paused: z.boolean(),
    next: z.enum(['pause', 'resume']).describe('Which of the two would change something now.'),
    message: z
      .string()
      .nullable()
      .describe("What it would say, in the agent's first language; null: nothing."),
    would_emit: z.int().describe('Conversations that would receive the message.'),
    would_skip: z.int().describe('Open conversations that would not.'),
    would_skip_by_reason: z
      .array(z.object({ reason: z.enum(untoldReasons), count: z.int() }))
      .describe(
        'Why they would not: `paused`, the conversation is paused itself; `no_message`, there is none, or none in its language; `channel_inactive`; `window_closed`, its channel takes only replies, and none now.',
      ),
  })
  .meta({ id: 'AgentPauseForecast' })

export type PauseForecast = z.output<typeof pauseForecast>
