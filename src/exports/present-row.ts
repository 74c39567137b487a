import { presentUser } from '../profiles/profile.ts'
import { presentOutcome } from '../transcripts/conversations/outcome.ts'
import { presentConversation, presentMessage } from '../transcripts/conversations/present.ts'
import type { CompletionRow, EvaluationRow } from '../transcripts/tables.ts'
import { presentUserColumns, userOfConversation } from '../users/user-key.ts'
import type { ExportedRow } from './export-rows.ts'

/** Presents a row as a line of JSON Lines, with its line feed. */
export function jsonLine(exported: ExportedRow): string {
  return `${JSON.stringify({ type: exported.type, ...fieldsOf(exported) })}\n`
}

function fieldsOf(exported: ExportedRow): object {
  switch (exported.type) {
    case 'user':
      return presentUser(exported.row)
    case 'conversation':
      return {
        ...presentConversation(exported.row),
        ...presentUserColumns(userOfConversation(exported.row)),
        channel_id: exported.row.channel_id,
        ...presentOutcome(exported.row),
        mail_address: exported.row.mail_address,
      }
    case 'completion':
      return presentCompletion(exported.row, exported.evaluations)
    case 'message':
      return { conversation_id: exported.row.conversation_id, ...presentMessage(exported.row) }
    case 'note': {
      const { id, conversation_id, completion_id, text, author, created_at } = exported.row
      return { id, conversation_id, completion_id, text, author, created_at }
    }
    case 'rating': {
      const { conversation_id, completion_id, score, comment, created_at } = exported.row
      return { conversation_id, completion_id, score, comment, created_at }
    }
    case 'translation': {
      const { conversation_id, message_id, language, content, is_original, created_at } = exported.row
      const text = { language, text: content, is_original: is_original === 1 }
      return { conversation_id, message_id, ...text, created_at }
    }
    case 'handoff_summary':
    case 'summary': {
      const { conversation_id, content, covered_id } = exported.row
      return { conversation_id, text: content, last_message_id: covered_id }
    }
  }
}

/** Presents a completion without its messages, which have lines of their own. */
function presentCompletion(row: CompletionRow, evaluations: readonly EvaluationRow[]): object {
  const parsed = (json: string | null) => (json === null ? null : (JSON.parse(json) as unknown))
  return {
    id: row.id,
    number: row.number,
    conversation_id: row.conversation_id,
    created_at: row.created_at,
    answered_at: row.answered_at,
    model: row.model,
    finish_reason: row.finish_reason,
    error_code: row.error_code,
    liked: row.liked === null ? null : row.liked === 1,
    flagged: row.flagged === 1,
    flag_reason: row.flag_reason,
    feedback: row.feedback,
    score: row.score,
    tags: parsed(row.tags),
    citations: parsed(row.citations) ?? [],
    ctas: parsed(row.ctas) ?? [],
    automations: parsed(row.automations) ?? [],
    evaluations: evaluations.map(({ evaluator_id, evaluator_name, subject, score, passed, content }) => ({
      evaluator: { id: evaluator_id, name: evaluator_name },
      subject,
      score,
      passed: passed === null ? null : passed === 1,
      content,
    })),
    usage: parsed(row.usage),
    ...presentUserColumns(row.user_id),
    device_id: row.device_id,
    session_id: row.session_id,
    page_url: row.page_url,
    channel_id: row.channel_id,
    language: row.language,
    agent_paused: row.agent_paused === 1,
    redacted: row.redacted,
  } satisfies Record<Exclude<keyof CompletionRow, (typeof NOT_EXPORTED)[number]> | 'evaluations', unknown>
}

/** The columns of a completion that are not exported: they tell a reader nothing. */
const NOT_EXPORTED = ['agent_id', 'proven_id', 'redactions', 'erasure_id', 'holder', 'taken_up_at'] as const
