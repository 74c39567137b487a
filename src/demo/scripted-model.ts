import type { NamedModel } from '../agents/model-of-agent.ts'
import { type Citation, type ModelAnswer, ModelError } from '../model/model.ts'

/** The next answer of the demo's model. */
export interface Script {
  /** The text of the answer; null makes the model fail. */
  reply: string | null
  citations: Citation[]
  /** True if the agent knows the answer. */
  isKnown: boolean
  /** The relevance of the best passage, 0 to 1. */
  score: number
  tokens: { prompt: number; completion: number }
  /** The time that the answer takes. */
  ms: number
}

const NAME = 'demo'

/**
 * Returns a model that answers as a script says and calls nobody.
 * @param next returns the script for the prompt that is being answered
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
    // The passages come with the script, so the model needs none from the knowledge search.
    isBuiltIn: true,
    takesTools: () => false,
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
