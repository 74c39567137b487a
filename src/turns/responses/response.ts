import type { Usage } from '../../model/model.ts'
import { responseId } from '../../transcripts/completions/response-id.ts'
import { additions, NO_USAGE, seconds, wholeDelta } from '../requests/answer-parts.ts'
import type { BegunTurn } from '../requests/answer-writer.ts'
import type { EndedTurn } from '../turn.ts'
import type { AnswerItems } from './answer-items.ts'
import type { ResponsesRequest } from './request.ts'
import type { ResponseAnswer } from './schemas.ts'

/** The state of a response, and what differs with it. */
type State = Pick<ResponseAnswer, 'status' | 'error' | 'incomplete_details' | 'output' | 'usage'>

/** The fields of a request that its response repeats. */
export type Echoed = Partial<
  Pick<
    ResponsesRequest,
    | 'instructions'
    | 'previous_response_id'
    | 'max_output_tokens'
    | 'metadata'
    | 'parallel_tool_calls'
    | 'reasoning'
    | 'temperature'
    | 'text'
    | 'tool_choice'
    | 'tools'
    | 'top_p'
  >
>

export const IN_PROGRESS: State = {
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
}

/** Presents a turn as OpenAI's `response`. @param asked the request; empty when it is no longer known */
export function responseOf(turn: BegunTurn | EndedTurn, asked: Echoed, state: State): ResponseAnswer {
  const { completionId, conversationId, createdAt, model } = turn
  return {
    id: responseId(completionId),
    object: 'response',
    created_at: seconds(createdAt),
    model,
    ...state,
    conversation: { id: conversationId },
    background: false,
    store: true,
    truncation: 'auto',
    instructions: asked.instructions ?? null,
    previous_response_id: asked.previous_response_id ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    metadata: asked.metadata ?? {},
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    reasoning: { effort: asked.reasoning?.effort ?? null, summary: null },
    temperature: asked.temperature ?? null,
    text: { ...asked.text, format: asked.text?.format ?? { type: 'text' } },
    tool_choice: asked.tool_choice ?? 'auto',
    tools: asked.tools ?? [],
    top_p: asked.top_p ?? null,
    ...additions({ agentPaused: false, citations: [], ctas: [], ...turn }),
  }
}

/**
 * Ends the items of an answer. They hold all of it, or nothing yet.
 * @param isCut true if the client went away before the answer was complete
 * @returns the state of its response
 */
export function endedState(ended: EndedTurn, items: AnswerItems, isCut = false): State {
  const incomplete_details = whyIncomplete(ended)
  const status = incomplete_details || isCut ? 'incomplete' : 'completed'
  if (items.output.length === 0) items.add(wholeDelta(ended))
  items.end(status, ended.citations)
  return { status, error: null, incomplete_details, output: items.output, usage: usageOf(ended.usage) }
}

/** Ends the items of an answer that failed. @returns the state of its response */
export function failedState(message: string, items: AnswerItems): State {
  if (items.output.length > 0) items.end('incomplete', [])
  return { ...IN_PROGRESS, status: 'failed', error: { code: 'server_error', message }, output: items.output }
}

function whyIncomplete({ finish_reason }: EndedTurn): ResponseAnswer['incomplete_details'] {
  if (finish_reason === 'length') return { reason: 'max_output_tokens' }
  return finish_reason === 'content_filter' ? { reason: 'content_filter' } : null
}

function usageOf(usage: Usage | null): ResponseAnswer['usage'] {
  const { prompt_tokens, completion_tokens, total_tokens, ...details } = usage ?? NO_USAGE
  const of = (name: string) => (details[name] ?? {}) as Record<string, number | undefined>
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: {
      cached_tokens: of('prompt_tokens_details').cached_tokens ?? 0,
      cache_write_tokens: 0,
    },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: of('completion_tokens_details').reasoning_tokens ?? 0 },
    total_tokens,
  }
}
