import { timestamp } from '../../lib/clock.ts'
import { keepTrying } from '../../storage/keep-trying.ts'
import type { Tool, ToolUser } from '../../tools/tool.ts'
import { lockConversation } from '../../transcripts/conversations/store.ts'
import { waitForPerson } from '../../transcripts/conversations/wait-for-person.ts'
import { isAnonymous, readUserKey } from '../../users/user-key.ts'
import type { StartedTurn } from '../turn.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'
import { beginCalls, endCall } from './keep-calls.ts'
import { requestPersonTool } from './request-person.ts'
import { type CallLog, type TurnTools, turnTools } from './turn-tools.ts'

/**
 * Returns the tools that the model may call in a turn that is stored; null: there are none.
 * @param search searches the agent's documents; null: the model may not
 */
export async function toolsForTurn(
  dependencies: Pick<TurnDependencies, 'db' | 'engine' | 'clock' | 'toolsOf' | 'lessons' | 'lateRedactorFor'>,
  turn: StartedTurn,
  search: Tool | null,
  signal: AbortSignal,
): Promise<TurnTools | null> {
  const { db, engine, clock, toolsOf, lessons } = dependencies
  const { agent, conversationId, earlier = null } = turn
  const toolset = await toolsOf(agent)
  if (!toolset && !agent.settings.handoff && !search && !earlier) return null

  async function askForPerson(): Promise<void> {
    const now = timestamp(clock())
    await keepTrying(engine, () =>
      db.transaction().execute(async (db) => {
        await lockConversation(db, conversationId)
        await waitForPerson(db, conversationId, 'asked', now)
        await lessons.handedOff(db, { id: conversationId, agent_id: agent.id })
      }),
    )
  }

  return turnTools({
    toolset,
    requestPerson: agent.settings.handoff ? requestPersonTool(askForPerson) : null,
    search,
    log: keptCalls(dependencies, turn),
    earlier,
    user: userOfTurn(turn),
    signal,
  })
}

/** The end user for whom a turn calls tools; null: the turn names nobody, or an anonymous visitor of a widget. */
function userOfTurn({ writer: { user_id, proven_id } }: StartedTurn): ToolUser | null {
  const user = user_id === null ? null : readUserKey(user_id)
  return user === null || isAnonymous(user) ? null : { ...user, provenId: proven_id }
}

/** Keeps calls in the transcript, except searches of the documents. */
function keptCalls(
  { db, engine, clock, lateRedactorFor }: Parameters<typeof toolsForTurn>[0],
  turn: StartedTurn,
): CallLog {
  return {
    async begin(round, calls) {
      const kept = calls.filter(({ isSearch }) => !isSearch)
      if (kept.length === 0) return calls.map(() => null)
      const ids = await beginCalls(db, turn, round, kept, lateRedactorFor, timestamp(clock()))
      return ids && calls.map((call) => ids[kept.indexOf(call)] ?? null)
    },
    async end(round, id, call, outcome) {
      if (id === null) return true
      // A result must not be lost because the database is away for a moment.
      return keepTrying(engine, () =>
        endCall(db, turn, round, { id, call }, outcome, lateRedactorFor, timestamp(clock())),
      )
    },
  }
}
