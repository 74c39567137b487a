import { readAgents } from '../../agents/agent.ts'
import { raise } from '../../events/raise.ts'
import { ModelError } from '../../model/model.ts'
import { maskingConversation } from '../../privacy/mask/masking-conversation.ts'
import { selectMessagesBetween, selectNewestMessages } from '../../transcripts/messages/store.ts'
import { type AsksModel, asksModel } from '../../usage/asks-model.ts'
import type { Lease } from '../../work/lease.ts'
import { runQueue } from '../../work/run-queue.ts'
import type { RunningWork } from '../../work/run-work.ts'
import type { SummaryRow } from '../tables.ts'
import type { ContextRooms } from './context-rooms.ts'
import { beforeNewestTurns, notesOf, summaryRequest, thatFit } from './summarize.ts'
import { keepSummary, readSummary, SUMMARIES, settleSummary, summaryQueue } from './summary-store.ts'

interface Dependencies extends AsksModel {
  rooms: ContextRooms
}

const AT_ONCE = 8
/** The most messages that one call covers. */
const MESSAGES_AT_ONCE = 200
/** The tokens that are kept free for the notes. */
const NOTES_TOKENS = 600

/**
 * Runs the queue that summarizes the oldest turns of conversations that have become too long, so that models read notes
 * of them instead of nothing. The notes grow with the conversation: each call is given those so far.
 */
export function runSummaries(dependencies: Dependencies): RunningWork {
  const { db } = dependencies.database
  return runQueue<SummaryRow>(
    {
      name: 'summaries',
      queue: summaryQueue,
      frequentTopics: [SUMMARIES],
      atOnce: AT_ONCE,
      async work(row, lease) {
        while (await summarizeMore(dependencies, row, lease));
        await db.transaction().execute(async (db) => {
          await summaryQueue.end(db, row)
          await settleSummary(db, row.id)
        })
      },
      ...asksModel(dependencies),
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/**
 * Covers more of a conversation with its notes.
 * @returns true if the conversation was too long and may still be
 * @throws ModelError, LeaseLost
 */
async function summarizeMore(
  { database: { db }, rooms, isSpent, modelFor }: Dependencies,
  row: SummaryRow,
  lease: Lease,
): Promise<boolean> {
  const { agent_id, conversation_id } = row
  const agent = (await readAgents(db, [agent_id])).get(agent_id)
  if (!agent?.settings.summaries || agent.settings.history_limit === 0) return false
  const { model, name, isBuiltIn } = modelFor(agent)
  if (isBuiltIn) return false
  const limit = agent.settings.history_limit
  const earlier = await readSummary(db, conversation_id)
  const after = earlier?.coveredId ?? 0
  const before = Number.MAX_SAFE_INTEGER
  const newest = (await selectNewestMessages(db, { conversation_id, after, before, limit })).reverse()
  const room = rooms.of(conversation_id, agent, {}).tokens
  const kept = newest[beforeNewestTurns(newest, { tokens: room / 2, messages: Math.ceil(limit / 2) })]
  if (!kept) return false
  const old = await selectMessagesBetween(db, {
    conversation_id,
    after,
    before: kept.id,
    limit: MESSAGES_AT_ONCE,
  })
  if (old.length === 0) return false
  if (await isSpent({ agent, conversationId: conversation_id, completionId: kept.completion_id }))
    return false
  const said = await maskingConversation(db, agent, conversation_id, () => ask(room - NOTES_TOKENS))
  if (said === null) return false
  await lease.transaction(async (db) => {
    await keepSummary(db, row.id, said)
    await summaryQueue.progress(db, row)
  })
  return true

  /** Asks for notes, and again with half as many tokens when the model can read less than the settings say. */
  async function ask(tokens: number): Promise<{ text: string; coveredId: number } | null> {
    const rows = thatFit(old, tokens)
    const messages = summaryRequest(earlier?.text ?? null, rows, tokens)
    try {
      const answer = await model.complete({ model: name, messages, parameters: {} }, lease.signal)
      const text = notesOf(answer)
      return text === null ? null : { text, coveredId: rows.at(-1)?.id ?? after }
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.isContextExceeded
      if (!isTooLong || tokens < NOTES_TOKENS) throw error
      return ask(tokens / 2)
    }
  }
}
