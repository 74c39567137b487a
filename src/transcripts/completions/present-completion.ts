import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { idOfKey } from '../../users/user-key.ts'
import { isShownToSites, presentMessage } from '../conversations/present.ts'
import { selectMessagesOf } from '../messages/store.ts'
import { promptAndResponse } from '../prompt-and-response.ts'
import type { CompletionRow, EvaluationRow, MessageRow } from '../tables.ts'
import { selectEvaluationsOf } from './evaluations.ts'
import type { CompletionAnswer } from './schemas.ts'

/** Presents completions as the API returns them, each with its messages. */
export async function presentCompletions(
  db: Kysely<Tables>,
  rows: CompletionRow[],
): Promise<CompletionAnswer[]> {
  const messages = await selectMessagesOf(
    db,
    rows.map((row) => row.id),
  )
  const evaluations = await selectEvaluationsOf(
    db,
    rows.map((row) => row.id),
  )
  const byCompletion = Map.groupBy(messages, (message) => message.completion_id)
  const evaluationsOf = Map.groupBy(evaluations, (evaluation) => evaluation.completion_id)
  return rows.map((row) => present(row, byCompletion.get(row.id) ?? [], evaluationsOf.get(row.id) ?? []))
}

/** Removes what a web site's visitors must not see: evaluations, and messages of `system` and `tool`. */
export function withoutInternals(completion: CompletionAnswer): CompletionAnswer {
  return { ...completion, messages: completion.messages.filter(isShownToSites), evaluations: [] }
}

function presentEvaluation(row: EvaluationRow): CompletionAnswer['evaluations'][number] {
  return {
    evaluator: { id: row.evaluator_id, name: row.evaluator_name },
    rule_id: row.rule_id,
    subject: row.subject,
    score: row.score,
    passed: row.passed === null ? null : row.passed === 1,
    content: row.content,
  }
}

function present(row: CompletionRow, messages: MessageRow[], evaluations: EvaluationRow[]): CompletionAnswer {
  const { prompt, response } = promptAndResponse(messages, row.answered_at !== null)
  return {
    id: row.id,
    number: row.number,
    conversation_id: row.conversation_id,
    created_at: row.created_at,
    model: row.model,
    prompt,
    response,
    finish_reason: row.finish_reason,
    messages: messages.map(presentMessage),
    liked: row.liked === null ? null : row.liked === 1,
    flagged: row.flagged === 1,
    flag_reason: row.flag_reason,
    feedback: row.feedback,
    score: row.score,
    tags: JSON.parse(row.tags) as string[],
    citations: row.citations === null ? [] : (JSON.parse(row.citations) as CompletionAnswer['citations']),
    ctas: row.ctas === null ? [] : (JSON.parse(row.ctas) as CompletionAnswer['ctas']),
    automations:
      row.automations === null ? [] : (JSON.parse(row.automations) as CompletionAnswer['automations']),
    evaluations: evaluations.map(presentEvaluation),
    usage: row.usage === null ? null : (JSON.parse(row.usage) as CompletionAnswer['usage']),
    user_id: idOfKey(row.user_id),
    device_id: row.device_id,
    session_id: row.session_id,
    page_url: row.page_url,
    agent_paused: row.agent_paused === 1,
  }
}
