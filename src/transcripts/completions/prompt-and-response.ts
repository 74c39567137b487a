import type { MessageContent } from '../../model/model.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { MessageRow } from '../tables.ts'

type Said = Pick<MessageRow, 'role' | 'content'>

/** What a request can end with; it may bring assistant messages too, but never as its last. */
const ASKING: ReadonlySet<MessageRow['role']> = new Set(['system', 'user', 'tool'])

/**
 * Prompt and response of a completion, from its rows in their order: the prompt is what users said after any assistant
 * message that the request brought, the response what was said to it. Derived, so that no copy can escape a redaction.
 */
export function promptAndResponse(rows: readonly Said[], answered: boolean) {
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

/** The last row said on the agent's side behind what the request brought; a person's answer is none. */
export function responseRow<Row extends Pick<MessageRow, 'role'>>(rows: readonly Row[]): Row | undefined {
  return rows.slice(endOfRequest(rows)).findLast(({ role }) => role === 'assistant' || role === 'transition')
}

function endOfRequest(rows: readonly Pick<MessageRow, 'role'>[]): number {
  return rows.findLastIndex(({ role }) => ASKING.has(role)) + 1
}

function textOf(row: Said): string {
  return textOfContent(JSON.parse(row.content) as MessageContent)
}
