import type { MessageContent } from '../../model/model.ts'
import { asModelMessage, type ReadMessage } from '../history/as-model-message.ts'
import type { History } from '../history/read-history.ts'
import type { TriedAnswer } from './tried-answer.ts'
import type { TriedCall } from './tried-tools.ts'

/** A prompt that was tried out, and its answer. */
export interface TriedTurn {
  prompt: string
  answer: Pick<TriedAnswer, 'response' | 'shown_as'> & { trace: Pick<TriedAnswer['trace'], 'tools'> }
}

/**
 * Returns the history of a conversation that is not stored, as `readHistory` would return it if its turns had been.
 * @param limit the most messages of it
 */
export function triedHistory(turns: readonly TriedTurn[], limit: number): History {
  const rows = turns.flatMap(rowsOf)
  const newest = limit === 0 ? [] : rows.slice(-limit)
  return {
    messages: newest.map(asModelMessage),
    interrupted: false,
    hasMarks: false,
    summary: null,
    isCut: limit > 0 && newest.length === limit,
  }
}

/** Returns the messages that a turn would have stored. */
function rowsOf({ prompt, answer: { response, shown_as, trace } }: TriedTurn): ReadMessage[] {
  const rounds = [...Map.groupBy(trace.tools, ({ round }) => round).values()]
  return [
    row('user', prompt, { shown_as: shown_as === null ? null : JSON.stringify(shown_as) }),
    ...rounds.flatMap(rowsOfRound),
    ...(response === null ? [] : [row('assistant', response)]),
  ]
}

function rowsOfRound(calls: readonly TriedCall[]): ReadMessage[] {
  const round = calls[0]?.round ?? 1
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }))
  return [
    row('assistant', null, { tool_calls: JSON.stringify(tool_calls), round }),
    ...calls.map(({ id, result }) => row('tool', result, { tool_call_id: id, round })),
  ]
}

function row(
  role: ReadMessage['role'],
  content: MessageContent,
  more: Partial<ReadMessage> = {},
): ReadMessage {
  const nothing = {
    attachments: null,
    shown_as: null,
    author: null,
    tool_calls: null,
    tool_call_id: null,
    round: null,
  }
  return { ...nothing, ...more, role, content: JSON.stringify(content) }
}
