import { bordered } from '../../model/bordered.ts'
import { estimateMessage } from '../../model/estimate-tokens.ts'
import type { ModelAnswer, ModelMessage } from '../../model/model.ts'
import { saidLine } from '../../model/said-line.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { wholeText } from '../../model/whole-text.ts'
import type { MessageRow } from '../../transcripts/tables.ts'
import { asModelMessage } from './as-model-message.ts'
import { NOTES_TASK } from './wording.ts'

/** The most characters of a summary. Anything more that a model says is cut. */
const LONGEST_SUMMARY = 8000
/**
 * The mark between the beginning and the end of a message that is longer than a model can read, whose middle is cut.
 */
const CUT = '\n[…]\n'

/**
 * Finds where the newest turns, which are not summarized, begin; 0 when no turn begins among the messages.
 * @param rows oldest first
 */
export function beforeNewestTurns(
  rows: readonly MessageRow[],
  { tokens, messages }: { tokens: number; messages: number },
): number {
  let keptTokens = 0
  let first = rows.length
  for (let at = rows.length - 1; at >= 0; at--) {
    keptTokens += estimateMessage(asModelMessage(rows[at] as MessageRow))
    if (first < rows.length && (keptTokens > tokens || rows.length - at > messages)) break
    const beginsTurn = rows[at]?.role === 'user' && rows[at - 1]?.role !== 'user'
    if (beginsTurn) first = at
  }
  return first === rows.length ? 0 : first
}

/** Returns as many of the messages as fit into a call, and at least one. @param rows oldest first */
export function thatFit(rows: readonly MessageRow[], tokens: number): readonly MessageRow[] {
  let used = 0
  const end = rows.findIndex((row) => {
    used += estimateMessage(asModelMessage(row))
    return used > tokens
  })
  return end < 0 ? rows : rows.slice(0, Math.max(1, end))
}

/** Builds the request for notes of messages. @param earlier the notes so far @param task what is asked for */
export function summaryRequest(
  earlier: string | null,
  rows: readonly MessageRow[],
  tokens: number,
  task = NOTES_TASK,
): ModelMessage[] {
  // Languages with Latin letters have more than three characters a token. For others, a second call has half
  // as much.
  const longest = Math.max(1000, Math.floor(tokens * 3))
  const said = rows.map((row) => lineOf(asModelMessage(row), longest)).filter((line) => line !== '')
  const notes = earlier === null ? [] : [bordered('notes', earlier)]
  const content = [...notes, bordered('conversation', said.join('\n\n'))].join('\n\n')
  return [
    { role: 'system', content: task },
    { role: 'user', content },
  ]
}

/** The notes as they are kept; null: the model said nothing, or not to the end. */
export function notesOf(answer: ModelAnswer): string | null {
  return wholeText(answer)?.slice(0, LONGEST_SUMMARY).toWellFormed() ?? null
}

const SPEAKERS: Readonly<Record<string, string>> = {
  user: 'User',
  assistant: 'Assistant',
  tool: 'Result of a tool',
  system: 'System',
}

function lineOf({ role, content, tool_calls }: ModelMessage, longest: number): string {
  const calls = (tool_calls ?? []).map(({ function: called }) => `[calls ${called.name} ${called.arguments}]`)
  const text = [textOfContent(content), ...calls].filter((part) => part !== '').join('\n')
  if (text === '') return ''
  const half = Math.floor(longest / 2)
  const short =
    text.length <= longest ? text : `${text.slice(0, half)}${CUT}${text.slice(-half)}`.toWellFormed()
  return saidLine(SPEAKERS[role] ?? role, short)
}
