import { beginHandoffSummary, keepHandoffSummary, readHandoffSummary } from '../desk/handoff-summaries.ts'
import type { HandoffSummaryRow } from '../desk/tables.ts'
import { ApiError } from '../errors.ts'
import { languageName } from '../language/language-name.ts'
import { timestamp } from '../lib/clock.ts'
import { ModelError } from '../model/model.ts'
import { selectNewestMessages } from '../transcripts/messages/store.ts'
import type { ConversationRow, MessageRow } from '../transcripts/tables.ts'
import { notesOf, summaryRequest, thatFit } from '../turns/history/summarize.ts'
import { readSummary } from '../turns/history/summary-store.ts'
import { type CopilotDependencies, noWholeText, requireModel, withModel } from './copilot.ts'
import { summaryTask } from './wording.ts'

/** The summary of a conversation for the people who take it over. */
interface HandoffSummary {
  /** Null: none is written. */
  text: string | null
  last_message_id: number | null
  written_at: string | null
  /** True if something was said since. */
  is_outdated: boolean
}

/** The most messages that are read, the newest. */
const MOST_MESSAGES = 400
/** The tokens that are kept free for the summary. */
const SUMMARY_TOKENS = 400

/** Reads the summary of a conversation. */
export async function findHandoffSummary(
  { db }: Pick<CopilotDependencies, 'db'>,
  conversation: ConversationRow,
): Promise<HandoffSummary> {
  const row = await readHandoffSummary(db, conversation)
  const [last] = row?.content ? await newestOf({ db }, conversation, row.covered_id, 1) : []
  return asSummary(row, last !== undefined)
}

/**
 * Has the model sum a conversation up, unless nothing was said since its last summary.
 * @param language the tag of the summary's language; null: the conversation's
 * @throws ApiError nothing_to_say, model_needed, budget_reached, model_failed, masking_failed; version_outdated if a
 *   text of the conversation was redacted meanwhile
 */
export async function summarizeConversation(
  dependencies: CopilotDependencies,
  conversation: ConversationRow,
  language: string | null,
  signal: AbortSignal,
): Promise<HandoffSummary> {
  const { db, rooms, clock, modelFailed } = dependencies
  const begun = await beginHandoffSummary(db, conversation)
  const rows = (await newestOf(dependencies, conversation, begun.covered_id, MOST_MESSAGES)).reverse()
  const lastId = rows.at(-1)?.id
  if (lastId === undefined) {
    if (begun.content === null) throw new ApiError('nothing_to_say')
    return asSummary(begun, false)
  }
  const earlier = begun.content ?? (await readSummary(db, conversation.id))?.text ?? null
  const content = await withModel(dependencies, conversation, 'handoff_summary', async (agent, named) => {
    requireModel(named)
    const { model, name } = named
    const task = summaryTask(language === null ? null : languageName(language, 'en'))
    return ask(rooms.of(conversation.id, agent, {}).tokens - SUMMARY_TOKENS)

    /** Asks, and again with half as many tokens when the model can read less than the settings say. */
    async function ask(tokens: number): Promise<string> {
      const messages = summaryRequest(earlier, newestThatFit(rows, tokens), tokens, task)
      try {
        const answer = await model.complete({ model: name, messages, parameters: {} }, signal)
        const text = notesOf(answer)
        if (text === null) throw noWholeText()
        return text
      } catch (error) {
        if (!(error instanceof ModelError)) throw error
        if (error.isContextExceeded && tokens >= SUMMARY_TOKENS) return ask(tokens / 2)
        if (!signal.aborted) modelFailed(agent.id, error)
        throw error
      }
    }
  })
  const written = { content, covered_id: lastId, written_at: timestamp(clock()) }
  if (!(await keepHandoffSummary(db, begun, written))) throw new ApiError('version_outdated')
  return asSummary({ ...begun, ...written }, false)
}

function newestOf(
  { db }: Pick<CopilotDependencies, 'db'>,
  { id }: ConversationRow,
  after: number,
  limit: number,
): Promise<MessageRow[]> {
  return selectNewestMessages(db, {
    conversation_id: id,
    after,
    before: Number.MAX_SAFE_INTEGER,
    limit,
  })
}

/** @param rows oldest first */
function newestThatFit(rows: readonly MessageRow[], tokens: number): readonly MessageRow[] {
  return thatFit(rows.toReversed(), tokens).toReversed()
}

function asSummary(row: HandoffSummaryRow | undefined, isOutdated: boolean): HandoffSummary {
  if (!row?.content) return { text: null, last_message_id: null, written_at: null, is_outdated: false }
  const { content, covered_id, written_at } = row
  return { text: content, last_message_id: covered_id, written_at, is_outdated: isOutdated }
}
