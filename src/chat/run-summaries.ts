import type { FastifyBaseLogger } from 'fastify'
import { type Agent, readAgents } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import type { Clock } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { ModelError } from '../model/model.ts'
import type { Database } from '../storage/opened-database.ts'
import { selectMessagesBetween, selectNewestMessages } from '../transcripts/conversations/store.ts'
import {
  claimSummaries,
  keepSummary,
  nextSummaryDue,
  readSummary,
  SUMMARIES,
  settleSummary,
  summaryLeases,
} from '../transcripts/summaries/summary-store.ts'
import type { SummaryRow } from '../transcripts/tables.ts'
import type { IsSpent } from '../usage/budget.ts'
import { type Lease, LeaseLost } from '../work/lease.ts'
import { MOST_ATTEMPTS, nextAttemptAt } from '../work/retry.ts'
import { type RunningWork, runWork } from '../work/run-work.ts'
import type { ContextRooms } from './context-rooms.ts'
import { beforeNewestTurns, notesOf, summaryRequest, thatFit } from './summarize.ts'

interface Dependencies {
  database: Pick<Database, 'db' | 'presence' | 'wakeUps' | 'engine'>
  clock: Clock
  logger: FastifyBaseLogger
  rooms: ContextRooms
  isSpent: IsSpent
  /** Tells of calls that failed. */
  modelFailed: (agentId: number, error: ModelError) => void
  /** The model that makes an agent's summaries. */
  modelFor: (agent: Agent) => NamedModel
}

const AT_ONCE = 2
/** Messages that one call covers at most. */
const MESSAGES_AT_ONCE = 200
/** The notes need room too. */
const NOTES_TOKENS = 600

/**
 * Has the oldest turns of conversations that have become too long put in short, so that models go on from notes and not
 * from a gap. The notes grow with the conversation: each call is given those so far.
 */
export function runSummaries(dependencies: Dependencies): RunningWork {
  const { database, clock, logger, modelFailed } = dependencies
  const { db, presence, engine } = database

  async function settle(row: SummaryRow, lease: Lease, dueAt: string | null): Promise<void> {
    await db.transaction().execute(async (db) => {
      await lease.free(db)
      await settleSummary(db, row.id, { attempts: dueAt === null ? 0 : row.attempts, dueAt })
    })
  }

  return runWork<SummaryRow>(
    {
      name: 'summaries',
      frequentTopics: [SUMMARIES],
      atOnce: AT_ONCE,
      claim: (limit) => claimSummaries(db, { holder: presence.id, nowMs: clock(), limit }),
      nextDue: () => nextSummaryDue(db),
      async work(row, stop) {
        using lease = summaryLeases.take(db, row, clock, stop.asked)
        // The process has ended with it each time, or the database was away.
        if (row.attempts > MOST_ATTEMPTS) return settle(row, lease, null)
        try {
          while (await summarizeMore(dependencies, row, lease));
          await settle(row, lease, null)
        } catch (error) {
          if (error instanceof LeaseLost || lease.signal.aborted || engine.isUnavailable(error)) throw error
          const { agent_id, conversation_id, attempts } = row
          if (error instanceof ModelError) modelFailed(agent_id, error)
          else
            logger.error(
              { agent_id, conversation_id, attempts, error: describeFailure(error as Error) },
              'a conversation could not be summarized',
            )
          const isOver = attempts >= MOST_ATTEMPTS
          await settle(row, lease, isOver ? null : nextAttemptAt(error as Error, attempts, clock()))
        }
      },
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/**
 * Covers more of a conversation with its notes.
 * @returns whether it was too long and there may be still more
 * @throws ModelError, LeaseLost
 */
async function summarizeMore(
  { database: { db }, rooms, isSpent, modelFor }: Dependencies,
  { id, agent_id, conversation_id }: SummaryRow,
  lease: Lease,
): Promise<boolean> {
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
  const completionId = kept.completion_id
  if (agent.settings.budget && completionId !== null) {
    if (await isSpent({ agent, conversationId: conversation_id, completionId })) return false
  }
  const said = await ask(room - NOTES_TOKENS)
  if (said === null) return false
  await db.transaction().execute(async (db) => {
    await lease.hold(db)
    await keepSummary(db, id, said)
  })
  return true

  /** Asks again with half as much when the model can read less than the settings say. */
  async function ask(tokens: number): Promise<{ text: string; coveredId: number } | null> {
    const rows = thatFit(old, tokens)
    const messages = summaryRequest(earlier?.text ?? null, rows, tokens)
    try {
      const { content } = await model.complete({ model: name, messages, parameters: {} }, lease.signal)
      const text = notesOf(content)
      return text === null ? null : { text, coveredId: rows.at(-1)?.id ?? after }
    } catch (error) {
      const isTooLong = error instanceof ModelError && error.isContextExceeded
      if (!isTooLong || tokens < NOTES_TOKENS) throw error
      return ask(tokens / 2)
    }
  }
}
