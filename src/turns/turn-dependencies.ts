import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { NamedModel } from '../agents/model-of-agent.ts'
import type { FilesOfTurns } from '../files/files-of-turns.ts'
import type { RetrievedContext, Rewritten } from '../knowledge/search/retrieve-context.ts'
import type { FurtherPassages } from '../knowledge/search/search-further.ts'
import type { NoteUnanswered } from '../knowledge/unanswered/note-unanswered.ts'
import type { Clock } from '../lib/clock.ts'
import type { TurnsByTeam } from '../lib/pacing/turns-by-team.ts'
import type { ModelError } from '../model/model.ts'
import type { Transcriber } from '../model/transcriber.ts'
import type { RedactorFor } from '../privacy/redactors.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { WakeUps } from '../storage/wake-ups.ts'
import type { ToolsOf } from '../tools/tools-of-agent.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import type { Transcription } from '../transcripts/messages/write-transcript.ts'
import type { IsSpent } from '../usage/budget.ts'
import type { ContextRooms } from './history/context-rooms.ts'
import type { RewriteQuestion } from './retrieval/rewrite-question.ts'
import type { RulesForTurn } from './rules-for-turn.ts'

export interface AnswerUnderWay {
  agentId: number
  conversationId: string
  completionId: string
}

/** The dependencies of turns. */
export interface TurnDependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'isUnavailable' | 'inTurnOf'>
  clock: Clock
  files: FilesOfTurns
  /** Returns what writes down voice messages to an agent; null: nothing does. */
  transcriberFor: (agent: Agent) => Transcriber | null
  /** The places of those that are written down at once. */
  transcriptions: TurnsByTeam
  /** Stores what was said in a file of a message; returns false if the file is not there any more. */
  keepTranscript: (
    agentId: number,
    messageId: number,
    fileId: string,
    done: Transcription,
  ) => Promise<boolean>
  /** Listens to wake-ups of all processes. */
  listen: WakeUps['listen']
  /** Names this process in the turns that it answers. */
  holder: string
  /** Returns the model that answers for an agent, and its name. */
  modelFor: (agent: Agent) => NamedModel
  /** Tells whether the agent has used up its budget. */
  isSpent: IsSpent
  /** Finds the passages of the agent's documents from which a model can answer a question that follows `before`. */
  retrieve: (
    agent: Agent,
    question: string,
    before?: string,
    rewritten?: Rewritten,
  ) => Promise<RetrievedContext | null>
  /** Puts a question into queries where that finds more. */
  rewrite: RewriteQuestion
  /** Finds passages for a model that searches by itself, except those that it was given. */
  searchFurther: (
    agent: Agent,
    queries: readonly string[],
    isGiven: (id: number) => boolean,
  ) => Promise<FurtherPassages>
  /** Returns the code of the marks around passages in a conversation, which authors of documents cannot know. */
  borderOf: (conversationId: string) => string
  /** Returns the tools that the agent's model may call. */
  toolsOf: ToolsOf
  /** Notes a question that the agent had no good answer to, in the transaction that ends the turn. */
  noteUnanswered: NoteUnanswered
  lessons: Lessons
  /** Prepares the agent's rules for a turn. */
  rulesFor: RulesForTurn
  lateRedactorFor: RedactorFor
  /** Decides how much of a conversation is sent to a model. */
  rooms: ContextRooms
  /** Receives the text of streamed answers while they are made. */
  watchers: {
    add(answer: AnswerUnderWay, content: string): void
    end(answer: AnswerUnderWay): void
  }
  /** Called after each model call that failed. */
  modelFailed: (agentId: number, error: ModelError) => void
  /** Called after each answered prompt. Given only if the operator wants message text in the log. */
  logText?: (turn: { completion_id: string; prompt: string; response: string }) => void
}
