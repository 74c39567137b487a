import type { Kysely } from 'kysely'
import type { Right } from '../../http/rights.ts'
import type { Tables } from '../../storage/tables.ts'
import { idOfKey } from '../../users/user-key.ts'
import { presentMessage } from '../conversations/present.ts'
import { isShownToSites } from '../messages/shown-to-sites.ts'
import { selectMessagesOf } from '../messages/store.ts'
import { promptAndResponse, responseRow } from '../prompt-and-response.ts'
import type { CompletionRow, EvaluationRow, MessageRow } from '../tables.ts'
import { selectEvaluationsOf } from './evaluations.ts'
import type { CompletionAnswer } from './schemas.ts'

/** Presents completions as the API returns them to a caller with a right, each with its messages. */
export async function presentCompletions(
  db: Kysely<Tables>,
  rows: CompletionRow[],
  right: Right,
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
  return rows.map((row) => {
    const said = byCompletion.get(row.id) ?? []
    return right === 'chat' ? presentToSite(row, said) : present(row, said, evaluationsOf.get(row.id) ?? [])
  })
}

/** Presents a completion to a web site's own server: only what its end user saw, and no evaluations. */
function presentToSite(row: CompletionRow, messages: MessageRow[]): CompletionAnswer {
  const seen = {
    ...present(row, messages, []),
    messages: messages.filter(isShownToSites).map(presentMessage),
  }
  return responseRow(messages)?.withheld === 1 ? { ...seen, response: null, citations: [], ctas: [] } : seen
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
    channel_id: row.channel_id,
    language: row.language,
    agent_paused: row.agent_paused === 1,
  }
}
