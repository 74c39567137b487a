import { placesOfMarkers } from '../../model/cite-marked.ts'
import type { Citation, ModelDelta, Usage } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { EndedTurn } from '../turn.ts'

/** Zeros for clients, which expect counts even when the model server sends none. */
export const NO_USAGE: Usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

/** Parley's additions to OpenAI's shapes, on every answer. */
export function additions({
  conversationId,
  number,
  agentPaused,
  citations,
  ctas,
}: Pick<EndedTurn, 'conversationId' | 'number' | 'agentPaused' | 'citations' | 'ctas'>) {
  return { conversation_id: conversationId, number, agent_paused: agentPaused, citations, ctas }
}

/** A whole answer as the only piece of a stream. */
export function wholeDelta({ content, refusal, tool_calls }: EndedTurn): ModelDelta {
  return {
    role: 'assistant',
    content: content === null ? null : textOfContent(content),
    ...(refusal === null ? {} : { refusal }),
    ...(tool_calls.length > 0 ? { tool_calls: tool_calls.map((call, index) => ({ index, ...call })) } : {}),
  }
}

/** Returns the citations with an address: each at the place that names it first, or for the whole text. */
export function citedPlaces(text: string, citations: readonly Citation[]) {
  const places = citations.length > 0 ? placesOfMarkers(text, citations.length) : null
  return citations.flatMap(({ url, title }, index) => {
    if (url === null) return []
    const { start, end } = places?.get(index + 1) ?? { start: 0, end: text.length }
    return [{ url, title, start_index: start, end_index: end }]
  })
}

/** A time in seconds since the epoch, as OpenAI writes it. */
export function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
