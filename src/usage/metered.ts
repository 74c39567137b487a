import type { CallKind } from '../model/call-kinds.ts'
import type { Embedder } from '../model/embedder.ts'
import { estimateMessage, estimateTokens } from '../model/estimate-tokens.ts'
import { estimateParameters } from '../model/fit-context.ts'
import {
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelPiece,
  type ModelRequest,
  thoughtsOf,
  type Usage,
} from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { Transcriber } from '../model/transcriber.ts'
import type { UsageMeter } from './meter.ts'

/** Receives each call to a model server that has ended. Times are in seconds. */
export type ModelCalled = (call: {
  purpose: CallKind
  /** `ok`, `aborted`, `timeout` or the reason of a ModelError. */
  outcome: string
  seconds: number
  /** The time until a stream began; null for an answer in one piece. */
  firstPieceSeconds: number | null
}) => void

export interface Metering {
  meter: UsageMeter
  called: ModelCalled
}

/** Wraps a model so that the tokens of its calls are counted, under the model name in the request, and their times. */
export function meteredModel(
  model: Model,
  agentId: number,
  kind: CallKind,
  { meter, called }: Metering,
): Model {
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
      const ended = timed(kind, called)
      try {
        const answer = await model.complete(request, signal)
        ended('ok')
        count(request, answer.usage, () => textOfAnswer(answer))
        return answer
      } catch (error) {
        ended(outcomeOf(error, signal))
        throw error
      }
    },
    async *stream(request, signal) {
      let usage: Usage | null = null
      const said: string[] = []
      const ended = timed(kind, called)
      let firstPieceSeconds: number | null = null
      // Stands for a reader that leaves before the end.
      let outcome = 'aborted'
      try {
        for await (const pieces of model.stream(request, signal)) {
          firstPieceSeconds ??= ended.seconds()
          for (const piece of pieces) {
            usage = piece.usage ?? usage
            said.push(textOfPiece(piece))
          }
          yield pieces
        }
        outcome = 'ok'
      } catch (error) {
        outcome = outcomeOf(error, signal)
        throw error
      } finally {
        ended(outcome, firstPieceSeconds)
        // Also count an answer whose reader left before its end: the tokens made until then were used.
        if (firstPieceSeconds !== null) count(request, usage, () => said.join(''))
      }
    },
  }
}

/** Starts the clock of a call. Calling the result reports the outcome. */
function timed(purpose: CallKind, called: ModelCalled) {
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const ended = (outcome: string, firstPieceSeconds: number | null = null) =>
    called({ purpose, outcome, seconds: seconds(), firstPieceSeconds })
  return Object.assign(ended, { seconds })
}

function outcomeOf(error: unknown, signal?: AbortSignal): string {
  if (signal?.aborted) return signal.reason?.name === 'TimeoutError' ? 'timeout' : 'aborted'
  return error instanceof ModelError ? error.reason : 'internal'
}

/** Wraps an embedder so that the tokens and times of its calls are counted. */
export function meteredEmbedder(embedder: Embedder, agentId: number, { meter, called }: Metering): Embedder {
  return {
    ...embedder,
    async embed(texts, call) {
      const ended = timed('embedding', called)
      const embedded = await embedder.embed(texts, call).catch((error) => {
        ended(outcomeOf(error, call?.signal))
        throw error
      })
      ended('ok')
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

/** Wraps what writes down sounds so that its calls are counted. @param called told the outcome of each */
export function meteredTranscriber(
  { transcribe }: Transcriber,
  called: (outcome: string, seconds: number) => void,
): Transcriber {
  return {
    async transcribe(sound, signal) {
      const started = performance.now()
      const ended = (outcome: string) => called(outcome, (performance.now() - started) / 1000)
      const said = await transcribe(sound, signal).catch((error) => {
        ended(outcomeOf(error, signal))
        throw error
      })
      ended('ok')
      return said
    },
  }
}
