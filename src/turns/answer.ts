import type { z } from 'zod'
import { placesOfMarkers } from '../model/cite-marked.ts'
import type { ModelDelta, ModelPiece, Usage } from '../model/model.ts'
import type { chatCompletionSchema } from './schemas.ts'
import type { EndedTurn } from './turn.ts'

/** Zeros for clients, which expect counts even when the model server sends none. */
const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** Parley's additions to OpenAI's shape, on every answer. */
function additions({ conversationId, number, agentPaused, citations, ctas }: EndedTurn) {
  return { conversation_id: conversationId, number, agent_paused: agentPaused, citations, ctas }
}

/** A finished turn as OpenAI's `chat.completion`. */
export function chatCompletion(turn: EndedTurn): z.input<typeof chatCompletionSchema> {
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

/** Writes the chunks of one streamed answer. Serializes their common part only once. */
export function chunkWriter(
  turn: { completionId: string; createdAt: string },
  model: string,
  includeUsage: boolean,
) {
  const head = `{"id":"${turn.completionId}","object":"chat.completion.chunk","created":${seconds(turn.createdAt)},"model":${JSON.stringify(model)},`
  const usage = includeUsage ? ',"usage":null' : ''
  let hasRole = false
  /** Adds the role to the first chunk, because clients need it and some model servers leave it out or empty. */
  const withRole = (delta: ModelDelta): ModelDelta => {
    if (hasRole) return delta
    hasRole = true
    return { ...delta, role: 'assistant' }
  }
  return {
    /** A piece of the answer. */
    piece: ({ delta }: ModelPiece) =>
      `${head}"choices":[{"index":0,"delta":${JSON.stringify(withRole(delta))},"logprobs":null,"finish_reason":null}]${usage}}`,
    /** The chunk with `finish_reason` and Parley's additions. */
    last: (ended: EndedTurn) => {
      const delta = ended.citations.length > 0 ? { annotations: annotations(ended) } : {}
      const choice = { index: 0, delta: withRole(delta), logprobs: null, finish_reason: ended.finish_reason }
      return `${head}"choices":${JSON.stringify([choice])}${usage},${JSON.stringify(additions(ended)).slice(1)}`
    },
    /** The chunk that `stream_options.include_usage` asks for, after the last. */
    usage: (counts: Usage | null) => `${head}"choices":[],"usage":${JSON.stringify(counts ?? NO_USAGE)}}`,
  }
}

/** Returns citations as OpenAI's annotations: each at the place that names it first, or for the whole text. */
function annotations({ citations, content }: EndedTurn) {
  const text = typeof content === 'string' ? content : ''
  const places = citations.length > 0 ? placesOfMarkers(text, citations.length) : null
  return citations.flatMap(({ url, title }, index) => {
    if (url === null) return []
    const { start, end } = places?.get(index + 1) ?? { start: 0, end: text.length }
    return [{ type: 'url_citation', url_citation: { url, title, start_index: start, end_index: end } }]
  })
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
