import type { MessageContent } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { MessageRow } from './tables.ts'

type Said = Pick<MessageRow, 'role' | 'content' | 'round'>

/** The roles that the last message of a request can have. Assistant messages can only come before it. */
const ASKING: ReadonlySet<MessageRow['role']> = new Set(['system', 'user', 'tool'])

/**
 * Returns the prompt and the response of a completion. The prompt is the text of the user messages after the request's
 * last assistant message. Both are derived from the messages, so that no copy can escape a redaction.
 * @param all the completion's messages, in order
 */
export function promptAndResponse(all: readonly Said[], answered: boolean) {
  const rows = all.filter(isOfNoRound)
  const sent = rows.slice(0, endOfRequest(rows))
  const asked = sent
    .slice(sent.findLastIndex(({ role }) => role === 'assistant') + 1)
    .filter(({ role }) => role === 'user')
  const response = answered ? responseRow(rows) : undefined
  return {
    prompt: asked.length > 0 ? asked.map(textOf).join('\n') : null,
    response: response ? textOf(response) : null,
  }
}

/** Returns the last message of the agent or the service after the request; answers of people do not count. */
export function responseRow<Row extends Pick<MessageRow, 'role' | 'round'>>(
  all: readonly Row[],
): Row | undefined {
  const rows = all.filter(isOfNoRound)
  return rows.slice(endOfRequest(rows)).findLast(({ role }) => role === 'assistant' || role === 'transition')
}

function endOfRequest(rows: readonly Pick<MessageRow, 'role'>[]): number {
  return rows.findLastIndex(({ role }) => ASKING.has(role)) + 1
}

function textOf(row: Said): string {
  return textOfContent(JSON.parse(row.content) as MessageContent)
}

/**
 * Tells whether a message is part of the prompt or the response: calls of the agent's own tools and their results are
 * not.
 */
function isOfNoRound({ round }: Pick<MessageRow, 'round'>): boolean {
  return round === null
}
