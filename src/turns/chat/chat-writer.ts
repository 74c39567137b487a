import type { z } from 'zod'
import { type ModelDelta, saysSomething, type Usage } from '../../model/model.ts'
import { additions, citedPlaces, NO_USAGE, seconds, wholeDelta } from '../requests/answer-parts.ts'
import type { AnswerWriter } from '../requests/answer-writer.ts'
import type { EndedTurn } from '../turn.ts'
import type { chatCompletionSchema } from './schemas.ts'

type ChatCompletion = z.input<typeof chatCompletionSchema>

/**
 * Writes an answer as OpenAI's `chat.completion`, or as its chunks. Serializes the common part of chunks only once.
 * @param includeUsage whether a chunk with token counts ends the stream
 */
export function chatWriter(includeUsage: boolean): AnswerWriter<ChatCompletion> {
  const usage = includeUsage ? ',"usage":null' : ''
  let head = ''
  let hasRole = false
  let hasSaid = false
  /** Adds the role to the first chunk, because clients need it and some model servers leave it out or empty. */
  const withRole = (delta: ModelDelta): ModelDelta => {
    if (hasRole) return delta
    hasRole = true
    return { ...delta, role: 'assistant' }
  }
  /** A piece of the answer. */
  const chunk = (delta: ModelDelta) =>
    `${head}"choices":[{"index":0,"delta":${JSON.stringify(withRole(delta))},"logprobs":null,"finish_reason":null}]${usage}}`
  /** The chunk with `finish_reason` and Parley's additions. */
  const lastChunk = (ended: EndedTurn) => {
    const delta = ended.citations.length > 0 ? { annotations: annotations(ended) } : {}
    const choice = { index: 0, delta, logprobs: null, finish_reason: ended.finish_reason }
    return `${head}"choices":${JSON.stringify([choice])}${usage},${JSON.stringify(additions(ended)).slice(1)}`
  }
  /** The chunk that `stream_options.include_usage` asks for, after the last. */
  const usageChunk = (counts: Usage | null) =>
    `${head}"choices":[],"usage":${JSON.stringify(counts ?? NO_USAGE)}}`

  return {
    whole: chatCompletion,
    begin({ completionId, createdAt, model }) {
      head = `{"id":"${completionId}","object":"chat.completion.chunk","created":${seconds(createdAt)},"model":${JSON.stringify(model)},`
      return []
    },
    pieces(pieces) {
      hasSaid ||= pieces.some(({ delta }) => saysSomething(delta))
      return pieces.map(({ delta }) => chunk(delta))
    },
    end: (ended) => [
      ...(hasSaid ? [] : [chunk(wholeDelta(ended))]),
      lastChunk(ended),
      ...(includeUsage ? [usageChunk(ended.usage)] : []),
      '[DONE]',
    ],
    fail: (failure) => [JSON.stringify(failure)],
  }
}

/** A finished turn as OpenAI's `chat.completion`. */
function chatCompletion(turn: EndedTurn): ChatCompletion {
  return {
    id: turn.completionId,
    object: 'chat.completion',
    created: seconds(turn.createdAt),
    model: turn.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.content,
          refusal: turn.refusal,
          ...(turn.tool_calls.length > 0 ? { tool_calls: turn.tool_calls } : {}),
          annotations: annotations(turn),
        },
        logprobs: null,
        finish_reason: turn.finish_reason,
      },
    ],
    usage: turn.usage ?? NO_USAGE,
    ...additions(turn),
  }
}

/** Citations as OpenAI's annotations. */
function annotations({ citations, content }: EndedTurn) {
  const text = typeof content === 'string' ? content : ''
  return citedPlaces(text, citations).map((url_citation) => ({ type: 'url_citation', url_citation }))
}
