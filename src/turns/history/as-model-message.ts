import { cleanName } from '../../model/as-data.ts'
import { borderedResult } from '../../model/bordered.ts'
import type { MessageContent, ModelMessage, ToolCall } from '../../model/model.ts'
import { splitRefusal } from '../../model/refusal-part.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { readAttachments } from '../../transcripts/attachments.ts'
import type { MessageRow } from '../../transcripts/tables.ts'
import { withFiles } from '../files/with-files.ts'

/** The columns of a message that decide how a model reads it. */
export type ReadMessage = Pick<
  MessageRow,
  'role' | 'content' | 'attachments' | 'shown_as' | 'author' | 'tool_calls' | 'tool_call_id' | 'round'
>

/**
 * Presents a stored message as a model reads it. Models have no role for answers of people and announcements of the
 * service. These become messages of the assistant, with a mark that tells who said them; `MARKS` of the prompt's wording
 * explains the marks.
 */
export function asModelMessage(row: ReadMessage): ModelMessage {
  const content = JSON.parse(row.shown_as ?? row.content) as MessageContent
  if (row.role === 'operator') return said(`[Person${nameOf(row.author)}]`, content)
  if (row.role === 'transition') return said('[Notice]', content)
  const own = ownContent(row, content)
  // A text that a guardrail put in place of a message has no files.
  const files = row.shown_as === null ? readAttachments(row.attachments) : null
  return {
    role: row.role,
    content: withFiles(own, files),
    ...(row.tool_calls === null ? {} : { tool_calls: JSON.parse(row.tool_calls) as ToolCall[] }),
    ...(row.tool_call_id === null ? {} : { tool_call_id: row.tool_call_id }),
  }
}

/**
 * Returns the content of a message that has no mark. A mark that a user talked the model into writing loses its
 * bracket.
 */
function ownContent({ role, round }: ReadMessage, content: MessageContent): MessageContent {
  const text = textOfContent(content)
  if (role === 'tool' && round !== null) return borderedResult(text)
  if (role === 'assistant' && text.search(FORGED) >= 0) return text.replaceAll(FORGED, '$1(')
  // Not every model server accepts OpenAI's content part for a refusal.
  return splitRefusal(content).refusal === null ? content : text
}

const FORGED = /^([\s\p{Cf}]*)\[(?=\s*(?:person|notice|assistant)\b)/gimu

function said(mark: string, content: MessageContent): ModelMessage {
  return { role: 'assistant', content: `${mark} ${textOfContent(content)}` }
}

function nameOf(author: string | null): string {
  const name = cleanName(author ?? '')
  return name === '' ? '' : ` “${name}”`
}
