import { timestamp } from '../lib/clock.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { ToolUser } from '../tools/tool.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { isAnonymous, readUserKey } from '../transcripts/users/user-key.ts'
import { beginCalls, endCall } from './keep-calls.ts'
import { requestPersonTool } from './request-person.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnDependencies } from './turn-dependencies.ts'
import { type CallLog, type TurnTools, turnTools } from './turn-tools.ts'

/** Returns the tools that the model may call in a turn that is stored; null: the agent has none. */
export async function toolsForTurn(
  dependencies: Pick<TurnDependencies, 'db' | 'engine' | 'clock' | 'toolsOf' | 'lateRedactorFor'>,
  turn: StartedTurn,
  signal: AbortSignal,
): Promise<TurnTools | null> {
  const { db, engine, clock, toolsOf } = dependencies
  const { agent, conversationId, earlier = null } = turn
  const toolset = await toolsOf(agent)
  if (!toolset && !agent.settings.handoff && !earlier) return null

  async function askForPerson(): Promise<void> {
    const now = timestamp(clock())
    await keepTrying(engine, () =>
      db.transaction().execute(async (db) => {
        await lockConversation(db, conversationId)
        await waitForPerson(db, conversationId, 'asked', now)
      }),
    )
  }

  return turnTools({
    toolset,
    requestPerson: agent.settings.handoff ? requestPersonTool(askForPerson) : null,
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

/** Keeps calls in the transcript. */
function keptCalls(
  { db, engine, clock, lateRedactorFor }: Parameters<typeof toolsForTurn>[0],
  turn: StartedTurn,
): CallLog {
  return {
    begin: (round, calls) => beginCalls(db, turn, round, calls, lateRedactorFor, timestamp(clock())),
    // A result must not be lost because the database is away for a moment.
    end: (round, id, call, outcome) =>
      keepTrying(engine, () =>
        endCall(db, turn, round, { id, call }, outcome, lateRedactorFor, timestamp(clock())),
      ),
  }
}
