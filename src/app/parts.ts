import type { Logger } from 'pino'
import type { Agent } from '../agents/agent.ts'
import { limitBacklog } from '../channels/backlog.ts'
import { createStopLinks } from '../channels/continued/stop-links.ts'
import { findChannels } from '../channels/find-channel.ts'
import type { CopilotKind } from '../copilot/copilot.ts'
import { createEvaluators } from '../evaluators/create-evaluators.ts'
import { createFileLinks } from '../files/file-links.ts'
import { filesOfTurns } from '../files/files-of-turns.ts'
import { meteredPlaces } from '../files/places/metered-places.ts'
import { openPlaces } from '../files/places/open-places.ts'
import type { Foundation } from '../foundation.ts'
import { uploadsAtOnce } from '../http/uploads-at-once.ts'
import { timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import { createOutbound, parsePrivateTargets } from '../lib/outbound/outbound.ts'
import { createHub } from '../live/hub.ts'
import { acceptItems } from '../mailboxes/accept.ts'
import { describeModelError, type ModelError } from '../model/model.ts'
import { createNoticeStopLinks } from '../notices/mails/stop-links.ts'
import { NOTICES, unreadOf } from '../notices/store.ts'
import { openSingleSignOn } from '../operators/oidc/single-sign-on.ts'
import { createMasks } from '../privacy/mask/masks.ts'
import { createRedactors } from '../privacy/redactors.ts'
import { startRedactionWork } from '../redaction/redaction-work.ts'
import { keepRules } from '../rules/rules-of-agent.ts'
import { trackInFlight } from '../turns/requests/in-flight.ts'
import { createUsageMeter, type UsageMeter } from '../usage/meter.ts'
import type { Metering } from '../usage/metered.ts'
import { forgetCopies } from './forget-copies.ts'
import { createMetrics, type Metrics } from './metrics/instruments.ts'
import { openErasures } from './open-erasures.ts'
import { openModels } from './open-models.ts'
import { openSearch } from './open-search.ts'
import { openTurns } from './open-turns.ts'
import { rightsOfAdmitted } from './rights-of-admitted.ts'

/** The dependencies of routes and workers, each constructed once. */
export type Parts = Awaited<ReturnType<typeof buildParts>>

/**
 * Constructs the parts that routes and workers share.
 * @param publicUrl the address at which clients reach the service; known once it listens
 */
export async function buildParts(foundation: Foundation, logger: Logger, publicUrl: () => string) {
  const { config, clock, database, box, credentials } = foundation
  const { db, engine } = database
  /** Returns the address of the API at `publicUrl`. */
  const baseUrl = () => `${publicUrl().replace(/\/+$/, '')}/api/v1`
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  const metrics = createMetrics()
  const places = meteredPlaces(openPlaces(db, config.files, outbound.of(null)), metrics.placeUsed)
  const beginUpload = uploadsAtOnce(places.mostWrites, places.mostWrites / 4)
  const meter = openMeter(foundation, logger)
  const metering = meteringOf(meter, metrics)
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
  const { modelOf, customerModelFor, passagesForAnswer } = openModels(foundation, {
    outbound,
    metering,
    maskOf,
    findPassages,
    modelFailed,
  })
  const judgeFor = (agent: Agent) => modelOf(agent, 'judge')
  const evaluators = createEvaluators({ modelFor: judgeFor, outbound, box, redactionWork, modelFailed })
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
    notices: { topic: NOTICES, unreadOf: (people) => unreadOf(db, people) },
  })
  const turns = openTurns(foundation, {
    files: filesOfTurns({ db, clock, places, fileLimit: config.fileLimit }),
    logger,
    outbound,
    meter,
    modelOf,
    findPassages,
    rulesOf,
    evaluators,
    lateRedactorFor: redactors.lateRedactorFor,
    modelFailed,
    watchers: hub.pieces,
    transcribed: metrics.transcribed,
  })
  return {
    ...foundation,
    logger,
    publicUrl,
    baseUrl,
    ...linksOf(foundation, baseUrl),
    /** The dependencies for receiving events of channels, by webhooks or by polling. */
    receiving: {
      accept: acceptItems(db, engine, clock),
      clock,
      backlog: limitBacklog(db, config.backlogLimit, clock),
    },
    outbound,
    metrics,
    places,
    /** Begins an upload of a file of a message; a team has a share of those that may be under way. */
    beginUpload,
    redactionWork,
    evaluators,
    embedderOf,
    findPassages,
    rulesOf,
    hub,
    turns,
    summaryModelFor: (agent: Agent) => modelOf(agent, 'summary'),
    inactivityModelFor: (agent: Agent) => modelOf(agent, 'inactivity'),
    proposalModelFor: (agent: Agent) => modelOf(agent, 'proposal'),
    copilotModelFor: (agent: Agent, kind: CopilotKind) => modelOf(agent, kind),
    customerModelFor,
    passagesForAnswer,
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
      places,
    },
    inFlight: trackInFlight(),
    meter,
    channels: findChannels(db, box, engine.isUnavailable),
    singleSignOn: await openSingleSignOn(config.oidc, { outbound, clock }),
  }
}

/** Creates the makers of signed links, which also check them. */
function linksOf({ credentials, clock }: Foundation, baseUrl: () => string) {
  return {
    stopLinks: createStopLinks(credentials.deriveKey('links that stop mail'), baseUrl),
    fileLinks: createFileLinks(credentials.deriveKey('links to files'), baseUrl, clock),
    noticeStopLinks: createNoticeStopLinks(credentials.deriveKey('links that stop notices'), baseUrl),
  }
}

/** Opens the meter of models. */
function openMeter({ clock, database }: Foundation, logger: Logger) {
  return createUsageMeter(
    database.db,
    () => timestamp(clock()).slice(0, 10),
    (error) => logger.warn({ error: describeFailure(error) }, 'the usage of models could not be stored yet'),
  )
}

/** Returns a meter that also reports tokens to the metrics, and the function that reports model calls. */
function meteringOf(meter: UsageMeter, metrics: Metrics): Metering {
  return {
    meter: {
      ...meter,
      count(used) {
        metrics.tokensUsed(used)
        meter.count(used)
      },
    },
    called: metrics.modelCalled,
  }
}
