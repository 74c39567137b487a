import type { Agent } from '../../agents/agent.ts'
import { newest } from '../../lib/newest.ts'
import { estimateParameters } from '../../model/fit-context.ts'
import type { Usage } from '../../model/model.ts'

/** Decides how many tokens of a conversation are sent to a model. Past answers correct the estimate. */
export interface ContextRooms {
  /** @param parameters request fields: tools and the length of the answer need room too */
  of(conversationId: string, agent: Agent, parameters: Record<string, unknown>): ContextRoom
}

interface ContextRoom {
  /** The room in tokens of the uncorrected estimate. */
  tokens: number
  /** Learns from what an answered request cost. @param estimated how many tokens its messages were estimated to have */
  correct(estimated: number, usage: Usage | null): void
  /** Learns that the model can read less than `context_tokens`: it accepted half of what was sent first. */
  shrink(estimated: number): void
}

/** The share of the tokens that is kept free. In nearly all conversations a corrected estimate is wrong by less. */
const RESERVE = 0.25
/** Bounds of a learned ratio. Some servers leave out cached tokens, or count in another way. */
const [LEAST_RATIO, MOST_RATIO] = [0.5, 4]
const CONVERSATIONS = 10_000

interface Learned {
  /** The model's tokens for each estimated one. It differs by a factor of two between languages. */
  ratio: number
  /** The most tokens that the model can read; null: nothing was refused. */
  most: number | null
}

const UNLEARNED: Learned = { ratio: 1, most: null }

/** Creates rooms that keep in memory what they learned of the newest conversations. Others reserve more than needed. */
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
