import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import type { RetrievedContext } from '../knowledge/retrieve-context.ts'
import type { Clock } from '../lib/clock.ts'
import type { ModelError } from '../model/model.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { RedactorFor } from '../transcripts/redaction/redactors.ts'
import type { ContextRooms } from './context-rooms.ts'
import type { RulesForTurn } from './rules-for-turn.ts'

/** What turns need from the rest of the house. */
export interface TurnDependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUnavailable'>
  clock: Clock
  /** Names this process in the turns it answers. */
  holder: string
  /** The model that answers for an agent, and its name. */
  modelFor: (agent: Agent) => NamedModel
  /** What the agent's documents say to a question, for a language model to answer from. */
  retrieve: (agentId: number, question: string) => Promise<RetrievedContext | null>
  /** What the agent's rules do in a turn. */
  rulesFor: RulesForTurn
  lateRedactorFor: RedactorFor
  /** How much of a conversation a model is sent. */
  rooms: ContextRooms
  /** Told of each finished model call. */
  modelCalled: (outcome: string, seconds: number) => void
  /** Told of each model call that failed. */
  modelFailed: (agentId: number, error: ModelError) => void
  /** Given where the operator wants message text in the log: told of each prompt that was answered. */
  logText?: (turn: { completion_id: string; prompt: string; response: string }) => void
}
