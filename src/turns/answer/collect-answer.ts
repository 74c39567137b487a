import type { Citation, ModelAnswer, ModelPiece, ToolCall, ToolCallDelta } from '../../model/model.ts'

/** Puts a streamed answer together from its pieces. */
interface AnswerCollector {
  add(piece: ModelPiece): void
  /** Returns what has arrived so far; `finish_reason` is empty until the last piece. */
  answer(): ModelAnswer
}

/** Creates a collector. @param model the name to answer with until the server tells its own */
export function collectAnswer(model: string): AnswerCollector {
  const content: string[] = []
  const refusal: string[] = []
  const toolCalls: ToolCall[] = []
  let hasContent = false
  let citations: Citation[] = []
  const last: Pick<ModelAnswer, 'finish_reason' | 'usage' | 'model' | 'retrieval'> = {
    finish_reason: '',
    usage: null,
    model,
  }

  return {
    add({ delta, finish_reason, usage, citations: cited, model: named, retrieval }) {
      if (typeof delta.content === 'string') {
        hasContent = true
        content.push(delta.content)
      }
      if (typeof delta.refusal === 'string') refusal.push(delta.refusal)
      for (const call of delta.tool_calls ?? []) extend(toolCalls, call)
      if (finish_reason) last.finish_reason = finish_reason
      if (usage) last.usage = usage
      if (named) last.model = named
      if (retrieval) last.retrieval = retrieval
      if (cited) citations = cited
    },
    answer: () => ({
      ...last,
      content: hasContent ? content.join('') : null,
      tool_calls: toolCalls.filter(Boolean),
      refusal: refusal.join('') || null,
      citations,
    }),
  }
}

/** Adds a piece of a tool call: the first one names the call, the others bring more of its arguments. */
function extend(calls: ToolCall[], { index, id, function: named }: ToolCallDelta): void {
  calls[index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } }
  const call = calls[index]
  if (id) call.id = id
  if (named?.name) call.function.name += named.name
  if (named?.arguments) call.function.arguments += named.arguments
}
