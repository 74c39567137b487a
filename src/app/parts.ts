import type { Logger } from 'pino'
import type { Agent } from '../agents/agent.ts'
import { chooseModels, type ModelChoice, withoutOwnModel } from '../agents/model-of-agent.ts'
import { findChannels } from '../channels/find-channel.ts'
import { createEvaluators } from '../evaluators/create-evaluators.ts'
import type { Foundation } from '../foundation.ts'
import { listKnowledgeTitles } from '../knowledge/documents/list-titles.ts'
import { documentLanguages } from '../knowledge/search/document-languages.ts'
import { allPassages, passagesBeside } from '../knowledge/search/read-passages.ts'
import { type Rewritten, retrieveContext } from '../knowledge/search/retrieve-context.ts'
import { searchFurther } from '../knowledge/search/search-further.ts'
import { noteUnanswered } from '../knowledge/unanswered/note-unanswered.ts'
import { learnOfGaps } from '../learning/learn-of-gaps.ts'
import { proposeWhenEnded } from '../learning/propose-entry.ts'
import { timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import { createHub } from '../live/hub.ts'
import { borderCodes } from '../model/bordered.ts'
import { knowledgeAnswerer, passagesForAnswer } from '../model/knowledge-answerer.ts'
import { describeModelError, type ModelError, type ModelMessage } from '../model/model.ts'
import { openSingleSignOn } from '../operators/oidc/single-sign-on.ts'
import { maskedModel } from '../privacy/mask/masked-model.ts'
import { createMasks } from '../privacy/mask/masks.ts'
import { createRedactors } from '../privacy/redactors.ts'
import { startRedactionWork } from '../redaction/redaction-work.ts'
import { keepRules } from '../rules/rules-of-agent.ts'
import { keepTools } from '../tools/tools-of-agent.ts'
import { createContextRooms } from '../turns/history/context-rooms.ts'
import { trackInFlight } from '../turns/requests/in-flight.ts'
import { rewritesQuestions } from '../turns/retrieval/rewrite-question.ts'
import { rulesForTurns } from '../turns/rules-for-turn.ts'
import { checksBudgets } from '../usage/budget.ts'
import { createUsageMeter } from '../usage/meter.ts'
import { type Metering, meteredModel } from '../usage/metered.ts'
import { forgetCopies } from './forget-copies.ts'
import { createMetrics } from './metrics/instruments.ts'
import { openErasures } from './open-erasures.ts'
import { openSearch } from './open-search.ts'
import { rightsOfAdmitted } from './rights-of-admitted.ts'

/** The dependencies of routes and workers, each constructed once. */
export type Parts = Awaited<ReturnType<typeof buildParts>>

/**
 * Constructs the parts that routes and workers share.
 * @param publicUrl the address at which clients reach the service; known once it listens
 */
export async function buildParts(foundation: Foundation, logger: Logger, publicUrl: () => string) {
  const { config, clock, database, box, credentials } = foundation
  const { db, engine, presence } = database
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  const metrics = createMetrics()
  const meter = createUsageMeter(
    db,
    () => timestamp(clock()).slice(0, 10),
    (error) => logger.warn({ error: describeFailure(error) }, 'the usage of models could not be stored yet'),
  )
  const metering: Metering = {
    meter: {
      ...meter,
      count(used) {
        metrics.tokensUsed(used)
        meter.count(used)
      },
    },
    called: metrics.modelCalled,
  }
  const redactionWork = startRedactionWork()
  const maskOf = createMasks({ work: redactionWork, key: credentials.deriveKey('placeholders') })
  const { embedderOf, findPassages } = openSearch(foundation, {
    outbound,
    metering,
    maskOf,
    failed: (why, what) => logger.warn(why, what),
  })
  const modelFailed = (agentId: number, error: ModelError) =>
    logger.warn({ agent_id: agentId, ...describeModelError(error) }, 'a model call failed')
  const choice: ModelChoice = {
    installation: config.model,
    fellBack: modelFailed,
    masked(model, agent) {
      const mask = maskOf(agent)
      return mask ? maskedModel(model, mask) : model
    },
    metered: (model, agentId, kind) => meteredModel(model, agentId, kind, metering),
    outbound,
    box,
    knowledgeAnswerer: (agent) =>
      knowledgeAnswerer(
        (query) => findPassages(agent, query, 20),
        () => listKnowledgeTitles(db, agent.id, 6),
        agent.settings.answer_threshold,
        agent.settings.texts,
      ),
  }
  const modelOf = chooseModels(choice)
  const customerModelOf = chooseModels({ ...choice, installation: { ...config.model, ...config.customer } })
  const evaluators = createEvaluators({
    modelFor: (agent: Agent) => modelOf(agent, 'judge'),
    outbound,
    box,
    redactionWork,
    modelFailed,
  })
  const redactors = createRedactors({
    work: redactionWork,
    key: credentials.deriveKey('tool call ids'),
    box,
    outbound,
    logger,
    installation: config.redaction,
  })
  const rulesOf = keepRules(db)
  const hub = createHub({
    database,
    clock,
    logger,
    admitted: (admissions) => rightsOfAdmitted(db, admissions, clock()),
  })
  const note = noteUnanswered(credentials.deriveKey('unanswered questions'))
  const turns = {
    db,
    engine,
    clock,
    holder: presence.id,
    listen: database.wakeUps.listen,
    modelFor: (agent: Agent) => modelOf(agent, 'answer'),
    isSpent: checksBudgets(db, meter, clock),
    retrieve: (agent: Agent, question: string, before?: string, rewritten?: Rewritten) =>
      retrieveContext(
        findPassages,
        {
          beside: (agentId, ids) => passagesBeside(db, agentId, ids),
          all: (agentId, most) => allPassages(db, agentId, most),
        },
        agent,
        question,
        before,
        rewritten,
      ),
    borderOf: borderCodes(credentials.deriveKey('borders of passages')),
    rewrite: rewritesQuestions({
      modelFor: (agent) => modelOf(agent, 'answer'),
      rewriterFor: (agent) => modelOf(agent, 'rewrite'),
      languagesOf: documentLanguages(db),
      titlesOf: (agentId, most) => listKnowledgeTitles(db, agentId, most),
      modelFailed,
    }),
    searchFurther: (agent: Agent, queries: readonly string[], isGiven: (id: number) => boolean) =>
      searchFurther(findPassages, agent, queries, isGiven),
    toolsOf: keepTools({
      db,
      box,
      outbound,
      mcpFailed: (failure) => logger.warn(failure, 'an MCP server cannot be asked what it offers'),
    }),
    noteUnanswered: note,
    lessons: { ...learnOfGaps(note), ended: proposeWhenEnded },
    rulesFor: rulesForTurns({ db, engine, clock }, rulesOf, evaluators),
    lateRedactorFor: redactors.lateRedactorFor,
    rooms: createContextRooms(),
    modelFailed,
    watchers: hub.pieces,
    ...(config.logText ? { logText: (turn: object) => logger.info(turn, 'answered') } : {}),
  }
  return {
    ...foundation,
    logger,
    publicUrl,
    outbound,
    metrics,
    redactionWork,
    evaluators,
    embedderOf,
    findPassages,
    rulesOf,
    hub,
    turns,
    summaryModelFor: (agent: Agent) => modelOf(agent, 'summary'),
    proposalModelFor: (agent: Agent) => modelOf(agent, 'proposal'),
    /** Returns the model that plays customers in test runs of an agent. */
    customerModelFor: (agent: Agent) =>
      config.customer.url === null
        ? modelOf(agent, 'customer')
        : customerModelOf(withoutOwnModel(agent), 'customer'),
    /** Finds the passages from which the built-in answerer answers. */
    passagesForAnswer: (agent: Agent, messages: readonly ModelMessage[]) =>
      passagesForAnswer((query) => findPassages(agent, query, 20), messages, agent.settings.answer_threshold),
    /** The dependencies for redacting stored texts, and for masking what is sent. */
    redaction: {
      db,
      engine,
      clock,
      redactorFor: redactors.redactorFor,
      maskOf,
      redactionBatch: config.redaction.batch,
      forgetCopies,
      erasures: await openErasures(foundation),
    },
    inFlight: trackInFlight(),
    meter,
    channels: findChannels(db, box, engine.isUnavailable),
    singleSignOn: await openSingleSignOn(config.oidc, { outbound, clock }),
  }
}
