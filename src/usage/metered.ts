import type { CallKind } from '../model/call-kinds.ts'
import type { Embedder } from '../model/embedder.ts'
import { estimateMessage, estimateTokens } from '../model/estimate-tokens.ts'
import { estimateParameters } from '../model/fit-context.ts'
import {
  type Model,
  type ModelAnswer,
  type ModelPiece,
  type ModelRequest,
  thoughtsOf,
  type Usage,
} from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { UsageMeter } from './meter.ts'

/** Wraps a model so that its calls are counted, under the model name in the request. */
export function meteredModel(model: Model, agentId: number, kind: CallKind, meter: UsageMeter): Model {
  function count(request: ModelRequest, usage: Usage | null, said: () => string): void {
    const isEstimated = usage === null
    meter.count({
      agentId,
      kind,
      model: request.model,
      promptTokens: isEstimated ? estimateRequest(request) : whole(usage.prompt_tokens),
      completionTokens: isEstimated ? estimateTokens(said()) : whole(usage.completion_tokens),
      isEstimated,
    })
  }

  return {
    async complete(request, signal) {
      const answer = await model.complete(request, signal)
      count(request, answer.usage, () => textOfAnswer(answer))
      return answer
    },
    async *stream(request, signal) {
      let usage: Usage | null = null
      const said: string[] = []
      let hasBegun = false
      try {
        for await (const pieces of model.stream(request, signal)) {
          hasBegun = true
          for (const piece of pieces) {
            usage = piece.usage ?? usage
            said.push(textOfPiece(piece))
          }
          yield pieces
        }
      } finally {
        // Also count an answer whose reader left before its end: the tokens made until then were used.
        if (hasBegun) count(request, usage, () => said.join(''))
      }
    },
  }
}

/** Wraps an embedder so that its calls are counted. */
export function meteredEmbedder(embedder: Embedder, agentId: number, meter: UsageMeter): Embedder {
  return {
    ...embedder,
    async embed(texts, call) {
      const embedded = await embedder.embed(texts, call)
      const isEstimated = embedded.tokens === 0
      meter.count({
        agentId,
        kind: 'embedding',
        model: embedder.name,
        promptTokens: isEstimated
          ? texts.reduce((sum, text) => sum + estimateTokens(text), 0)
          : embedded.tokens,
        completionTokens: 0,
        isEstimated,
      })
      return embedded
    },
  }
}

/** Estimates the tokens of a call whose server did not report them. */
export function estimateUsage(request: ModelRequest, answer: ModelAnswer): Usage {
  const prompt_tokens = estimateRequest(request)
  const completion_tokens = estimateTokens(textOfAnswer(answer))
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

function estimateRequest({ messages, parameters }: ModelRequest): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), estimateParameters(parameters))
}

function textOfAnswer({ content, refusal, tool_calls, thoughts = '' }: ModelAnswer): string {
  return (
    thoughts +
    textOfContent(content) +
    (refusal ?? '') +
    (tool_calls.length > 0 ? JSON.stringify(tool_calls) : '')
  )
}

function textOfPiece({ delta }: ModelPiece): string {
  const { content, refusal, tool_calls } = delta
  return (
    thoughtsOf(delta) + (content ?? '') + (refusal ?? '') + (tool_calls ? JSON.stringify(tool_calls) : '')
  )
}

/** Returns the token count that a server reports; 0 for anything but a non-negative integer. */
function whole(tokens: unknown): number {
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : 0
}
