import { z } from 'zod'
import { time } from '../http/schemas.ts'

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
