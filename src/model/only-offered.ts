import { toObjects } from '../lib/untrusted-json.ts'
import type { Model, ModelPiece, ToolCallDelta } from './model.ts'

/**
 * A model whose calls are left out when its request does not offer their tool: some models call one that they have read
 * of in the conversation, and nobody would make that call.
 */
export function onlyOffered(model: Model): Model {
  return {
    async complete(request, signal) {
      const answer = await model.complete(request, signal)
      const tool_calls = answer.tool_calls.filter((call) => offers(request.parameters, call.function.name))
      if (tool_calls.length === answer.tool_calls.length) return answer
      const { finish_reason } = answer
      const end = tool_calls.length > 0 ? finish_reason : endWithoutCalls(finish_reason)
      return { ...answer, tool_calls, finish_reason: end }
    },

    async *stream(request, signal) {
      /** The numbers of the calls that stay, by the numbers of all calls; null: the call is left out. */
      const numbers = new Map<number, number | null>()
      let kept = 0

      function numbered(call: ToolCallDelta): ToolCallDelta[] {
        if (!numbers.has(call.index))
          numbers.set(call.index, offers(request.parameters, call.function?.name) ? kept++ : null)
        const index = numbers.get(call.index) ?? null
        return index === null ? [] : [{ ...call, index }]
      }

      function offered(piece: ModelPiece): ModelPiece {
        const { tool_calls: called = [], ...delta } = piece.delta
        const tool_calls = called.flatMap(numbered)
        const hasLost = numbers.size > 0 && kept === 0
        return {
          ...piece,
          delta: tool_calls.length > 0 ? { ...delta, tool_calls } : delta,
          finish_reason:
            piece.finish_reason && hasLost ? endWithoutCalls(piece.finish_reason) : piece.finish_reason,
        }
      }

      for await (const batch of model.stream(request, signal)) yield batch.map(offered)
    },
  }
}

/**
 * Tells whether a request offers a tool of this name. A tool without a name may be any.
 * @param name undefined: the beginning of a call that has not told its name yet
 */
export function offers({ tools, functions }: Record<string, unknown>, name: string | undefined): boolean {
  const names = [...toObjects(tools), ...toObjects(functions)].map(nameOf)
  return name === undefined ? names.length > 0 : names.includes(name) || names.includes(null)
}

/** The name of a tool that a request offers. */
export function nameOf(tool: unknown): string | null {
  const [{ function: called, name } = {} as Record<string, unknown>] = toObjects([tool])
  const [{ name: inner } = {} as Record<string, unknown>] = toObjects([called])
  const given = inner ?? name
  return typeof given === 'string' ? given : null
}

/** The reason for the end of an answer whose calls are left out. */
export function endWithoutCalls(reason: string): string {
  return reason === 'tool_calls' || reason === 'function_call' ? 'stop' : reason
}
