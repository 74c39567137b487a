import type { Logger } from 'pino'
import type { Agent } from '../agents/agent.ts'
import type { chooseModels } from '../agents/model-of-agent.ts'
import { chooseTranscribers } from '../agents/transcriber-of-agent.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { Foundation } from '../foundation.ts'
import { listKnowledgeTitles } from '../knowledge/documents/list-titles.ts'
import { documentLanguages } from '../knowledge/search/document-languages.ts'
import type { FindPassages } from '../knowledge/search/find-passages.ts'
import { allPassages, passagesBeside } from '../knowledge/search/read-passages.ts'
import { type Rewritten, retrieveContext } from '../knowledge/search/retrieve-context.ts'
import { searchFurther } from '../knowledge/search/search-further.ts'
import { noteUnanswered } from '../knowledge/unanswered/note-unanswered.ts'
import { learnOfGaps } from '../learning/learn-of-gaps.ts'
import { proposesWhenEnded } from '../learning/propose-entry.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { shareOfTeam, turnsByTeam } from '../lib/pacing/turns-by-team.ts'
import { borderCodes } from '../model/bordered.ts'
import type { keepRules } from '../rules/rules-of-agent.ts'
import { reindex } from '../search/reindex.ts'
import { keepTools } from '../tools/tools-of-agent.ts'
import { writeTranscript } from '../transcripts/messages/write-transcript.ts'
import { createContextRooms } from '../turns/history/context-rooms.ts'
import { rewritesQuestions } from '../turns/retrieval/rewrite-question.ts'
import { rulesForTurns } from '../turns/rules-for-turn.ts'
import type { TurnDependencies } from '../turns/turn-dependencies.ts'
import { checksBudgets } from '../usage/budget.ts'
import type { UsageMeter } from '../usage/meter.ts'
import { meteredTranscriber } from '../usage/metered.ts'

interface Dependencies
  extends Pick<TurnDependencies, 'files' | 'lateRedactorFor' | 'modelFailed' | 'watchers'> {
  logger: Logger
  outbound: Outbound
  meter: UsageMeter
  modelOf: ReturnType<typeof chooseModels>
  findPassages: FindPassages
  rulesOf: ReturnType<typeof keepRules>
  evaluators: Evaluators
  /** Counts a call of a transcription server. */
  transcribed: Parameters<typeof meteredTranscriber>[1]
}

/** Builds the dependencies of turns. */
export function openTurns(
  { config, clock, database, box, credentials }: Foundation,
  {
    logger,
    outbound,
    meter,
    modelOf,
    findPassages,
    rulesOf,
    evaluators,
    transcribed,
    ...given
  }: Dependencies,
) {
  const { db, engine, presence } = database
  const note = noteUnanswered(credentials.deriveKey('unanswered questions'))
  const passages = {
    beside: (agentId: number, ids: readonly number[]) => passagesBeside(db, agentId, ids),
    all: (agentId: number, most: number) => allPassages(db, agentId, most),
  }
  const transcriberOf = chooseTranscribers({ installation: config.transcription, outbound, box })
  return {
    ...given,
    transcriberFor(agent) {
      const transcriber = transcriberOf(agent)
      return transcriber && meteredTranscriber(transcriber, transcribed)
    },
    // Limited because each transcription holds its sound in memory a few times.
    transcriptions: turnsByTeam(4, shareOfTeam),
    keepTranscript: (agentId, messageId, fileId, done) =>
      db.transaction().execute(async (db) => {
        const row = await writeTranscript(db, messageId, fileId, done)
        if (row) await reindex(db, engine, agentId, [row])
        return row !== null
      }),
    db,
    engine,
    clock,
    holder: presence.id,
    listen: database.wakeUps.listen,
    modelFor: (agent: Agent) => modelOf(agent, 'answer'),
    isSpent: checksBudgets(db, meter, clock),
    retrieve: (agent, question, before, rewritten?: Rewritten) =>
      retrieveContext(findPassages, passages, agent, question, before, rewritten),
    borderOf: borderCodes(credentials.deriveKey('borders of passages')),
    rewrite: rewritesQuestions({
      modelFor: (agent) => modelOf(agent, 'answer'),
      rewriterFor: (agent) => modelOf(agent, 'rewrite'),
      languagesOf: documentLanguages(db),
      titlesOf: (agentId, most) => listKnowledgeTitles(db, agentId, most),
      modelFailed: given.modelFailed,
    }),
    searchFurther: (agent, queries, isGiven) => searchFurther(findPassages, agent, queries, isGiven),
    toolsOf: keepTools({
      db,
      box,
      outbound,
      mcpFailed: (failure) => logger.warn(failure, 'an MCP server cannot be asked what it offers'),
    }),
    noteUnanswered: note,
    lessons: { ...learnOfGaps(note), ended: proposesWhenEnded(engine) },
    rulesFor: rulesForTurns({ db, engine, clock }, rulesOf, evaluators),
    rooms: createContextRooms(),
    ...(config.logText ? { logText: (turn: object) => logger.info(turn, 'answered') } : {}),
  } satisfies TurnDependencies
}
