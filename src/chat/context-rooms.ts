import type { Agent } from '../agents/agent.ts'
import { newest } from '../lib/newest.ts'
import { estimateParameters } from '../model/fit-context.ts'
import type { Usage } from '../model/model.ts'

/** How many tokens of a conversation a model is sent, as past answers correct the estimate. */
export interface ContextRooms {
  /** @param parameters request fields, of which tools and the length of the answer take room too */
  of(conversationId: string, agent: Agent, parameters: Record<string, unknown>): ContextRoom
}

export interface ContextRoom {
  /** By the uncorrected estimate. */
  tokens: number
  /** Takes note of what an answered request cost. @param estimated what its messages had been taken for */
  correct(estimated: number, usage: Usage | null): void
  /** Takes note that the model reads less than `context_tokens`: half of what it was sent was not too much. */
  shrink(estimated: number): void
}

/** An estimate that past answers have corrected is off by less than this in nearly all conversations. */
const RESERVE = 0.25
/** Servers that leave out what they had cached, or count otherwise, are believed so far. */
const [LEAST_RATIO, MOST_RATIO] = [0.5, 4]
const CONVERSATIONS = 10_000

interface Learned {
  /** Tokens of the model for each that is estimated: languages differ by twice. */
  ratio: number
  /** Tokens that the model took at most; null: nothing was refused. */
  most: number | null
}

const UNLEARNED: Learned = { ratio: 1, most: null }

/** What is learned is kept in memory for the newest conversations: without it more is held in reserve than needed. */
export function createContextRooms(): ContextRooms {
  const learned = newest<string, Learned>(CONVERSATIONS)
  return {
    of(conversationId, { settings }, parameters) {
      const { ratio, most } = learned.get(conversationId) ?? UNLEARNED
      const beside = estimateParameters(parameters)
      const bound = Math.min(settings.context_tokens, most ?? Infinity)
      const free = bound * (1 - RESERVE) - answerTokens(parameters)
      return {
        tokens: free / ratio - beside,
        correct(estimated, usage) {
          const counted = usage?.prompt_tokens
          if (typeof counted !== 'number' || !(counted > 0)) return
          const seen = counted / (estimated + beside)
          learned.set(conversationId, {
            ratio: Math.min(Math.max(seen, LEAST_RATIO), MOST_RATIO),
            most,
          })
        },
        shrink(estimated) {
          const { ratio } = learned.get(conversationId) ?? UNLEARNED
          const tokens = (estimated + beside) * ratio + answerTokens(parameters)
          learned.set(conversationId, { ratio, most: tokens / (1 - RESERVE) })
        },
      }
    },
  }
}

function answerTokens({ max_completion_tokens, max_tokens }: Record<string, unknown>): number {
  const asked = max_completion_tokens ?? max_tokens
  return typeof asked === 'number' && asked > 0 ? asked : 0
}
