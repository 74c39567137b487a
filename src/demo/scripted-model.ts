import type { NamedModel } from '../agents/model-of-agent.ts'
import { type Citation, type ModelAnswer, ModelError } from '../model/model.ts'

/** What the model of the demo is to answer next. */
export interface Script {
  /** Null: it fails. */
  reply: string | null
  citations: Citation[]
  /** Whether the agent knows the answer. */
  isKnown: boolean
  /** How well the best passage fits, 0 to 1. */
  score: number
  tokens: { prompt: number; completion: number }
  /** How long the answer takes. */
  ms: number
}

const NAME = 'demo'

/**
 * A model that answers what a script says and calls nobody.
 * @param next the script of the prompt that is being answered
 * @param pass lets time pass while the answer is made
 */
export function scriptedModel(next: () => Script, pass: (ms: number) => void): NamedModel {
  async function complete(): Promise<ModelAnswer> {
    const { reply, citations, isKnown, score, tokens, ms } = next()
    pass(ms)
    if (reply === null) throw new ModelError('timeout', 'the model of the demo fails here')
    return {
      content: reply,
      tool_calls: [],
      refusal: null,
      finish_reason: 'stop',
      usage: {
        prompt_tokens: tokens.prompt,
        completion_tokens: tokens.completion,
        total_tokens: tokens.prompt + tokens.completion,
      },
      citations,
      model: NAME,
      retrieval: { score, answered: isKnown },
    }
  }
  return {
    name: NAME,
    // It finds its passages itself: they are in the script.
    isBuiltIn: true,
    model: {
      complete,
      async *stream() {
        const { content, finish_reason, usage, citations } = await complete()
        const text = typeof content === 'string' ? content : ''
        yield [{ delta: { content: text }, finish_reason, usage, citations }]
      },
    },
  }
}
