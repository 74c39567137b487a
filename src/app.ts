import pino, { type Logger } from 'pino'
import { bindAgent } from './agents/bind-agent.ts'
import { checkAgentPatch } from './agents/check-patch.ts'
import { DELETED_AGENTS } from './agents/delete-agent.ts'
import { eraseAgents } from './agents/erase-agents.ts'
import { chooseModels } from './agents/model-of-agent.ts'
import { agentRoutes } from './agents/routes.ts'
import type { AgentPatch } from './agents/settings.ts'
import { readTeamOverview } from './agents/team-overview.ts'
import { teamRoutes } from './agents/team-routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { forgetActs } from './audit/forget-acts.ts'
import { auditRoutes } from './audit/routes.ts'
import { channelRows } from './channels/agent-rows.ts'
import { limitBacklog } from './channels/backlog.ts'
import { findChannels } from './channels/find-channel.ts'
import { forgetFinished } from './channels/forget-finished.ts'
import { channelRoutes } from './channels/routes.ts'
import { webhookRoutes } from './channels/webhook-routes.ts'
import { workOfChannels } from './channels/work-mailbox.ts'
import { chatRows } from './chat/agent-rows.ts'
import { createContextRooms } from './chat/context-rooms.ts'
import { endAbandonedTurns } from './chat/end-abandoned-turns.ts'
import { forgetIdempotencyKeys } from './chat/forget-idempotency-keys.ts'
import { trackInFlight } from './chat/in-flight.ts'
import { chatRoutes } from './chat/routes.ts'
import { rulesForTurns } from './chat/rules-for-turn.ts'
import type { Config } from './config.ts'
import { credentialRows } from './credentials/agent-rows.ts'
import { credentialRoutes } from './credentials/routes.ts'
import { settingsMark } from './credentials/settings-mark.ts'
import { evaluatorRows } from './evaluators/agent-rows.ts'
import { createEvaluators } from './evaluators/create-evaluators.ts'
import { evaluatorRoutes } from './evaluators/routes.ts'
import { eventRows } from './events/agent-rows.ts'
import { forgetEvents } from './events/forget-events.ts'
import type { Foundation } from './foundation.ts'
import { requireCredentials } from './http/credentials.ts'
import { healthRoutes } from './http/health.ts'
import { holdRequests } from './http/hold-requests.ts'
import { createMetrics, serveMetrics } from './http/metrics.ts'
import { hideFromDocument, serveOpenApi } from './http/openapi.ts'
import { enforceRights } from './http/rights.ts'
import { createServer, type Server, toApiError } from './http/server.ts'
import { strictQuery } from './http/strict-query.ts'
import { traceRequests } from './http/trace-requests.ts'
import { knowledgeRows } from './knowledge/agent-rows.ts'
import { listKnowledgeTitles } from './knowledge/list-titles.ts'
import { retrieveContext } from './knowledge/retrieve-context.ts'
import { knowledgeRoutes } from './knowledge/routes.ts'
import { searchKnowledge } from './knowledge/search.ts'
import { sweepHidden } from './knowledge/sweep-hidden.ts'
import { exportOverOtlp } from './lib/otlp.ts'
import { createOutbound, parsePrivateTargets } from './lib/outbound/outbound.ts'
import { periodic } from './lib/periodic.ts'
import { acceptItems } from './mailboxes/accept.ts'
import { mailboxRows } from './mailboxes/agent-rows.ts'
import { countWaitingInbound } from './mailboxes/items.ts'
import { runMailboxes } from './mailboxes/run-mailboxes.ts'
import { knowledgeAnswerer } from './model/knowledge-answerer.ts'
import { describeModelError, type ModelError } from './model/model.ts'
import { notificationRows } from './notifications/agent-rows.ts'
import { type Deliverer, deliverNotifications } from './notifications/deliver.ts'
import { forgetDeliveries } from './notifications/forget-deliveries.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { webhookOperations } from './notifications/webhook-operations.ts'
import { consoleRoutes } from './operators/console-routes.ts'
import { forgetSessions } from './operators/forget-sessions.ts'
import { operatorRoutes } from './operators/routes.ts'
import { pauseRoutes } from './pause/routes.ts'
import { startRedactionWork } from './redaction/redaction-work.ts'
import { ruleRows } from './rules/agent-rows.ts'
import { evaluatorIsAsked } from './rules/evaluator-is-asked.ts'
import { forgetRuleRecords } from './rules/forget-rule-records.ts'
import { ruleRoutes } from './rules/routes.ts'
import { keepRules } from './rules/rules-of-agent.ts'
import { runAutomations } from './rules/run-automations.ts'
import { type Insist, once } from './storage/keep-trying.ts'
import { transcriptRows } from './transcripts/agent-rows.ts'
import { countOpenCompletions } from './transcripts/completions/count-open-completions.ts'
import { completionRoutes } from './transcripts/completions/routes.ts'
import { conversationRoutes } from './transcripts/conversations/routes.ts'
import { createRedactors } from './transcripts/redaction/redactors.ts'
import { applyRetention } from './transcripts/retention/apply-retention.ts'
import { userRoutes } from './transcripts/users/routes.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long answers under way may take once the service is stopped; what they have produced by then is stored. */
export const DRAIN_LIMIT_MS = 25_000

/** Where agents have rows; what refers to other rows stands before them. */
export const agentRows = [
  ...notificationRows,
  ...mailboxRows,
  ...channelRows,
  ...ruleRows,
  ...evaluatorRows,
  ...chatRows,
  ...transcriptRows,
  ...knowledgeRows,
  ...eventRows,
  ...credentialRows,
]

/** The running service. */
export interface App {
  server: Server
  foundation: Foundation
  deliverer: Deliverer
  /**
   * Listens and returns the address, with the port that was free when none was set.
   * @param announce is told the address; requests wait until it is done
   * @param insist what asks the database goes through it
   */
  listen(announce?: (address: string) => Promise<void>, insist?: Insist): Promise<string>
  /** Stops accepting, finishes what is under way, closes the database. */
  close(): Promise<void>
}

/** Wires the service together: the only place where its parts are constructed. */
export async function createApp(
  foundation: Foundation,
  logger: Logger = createLogger(foundation.config),
): Promise<App> {
  const { config, clock, database, box, credentials } = foundation
  const { db, engine, presence } = database
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(config.privateTargets) })
  const stopExport = config.otlpEndpoint === null ? null : await exportOverOtlp(config.otlpEndpoint)
  const inFlight = trackInFlight()
  const metrics = createMetrics(async () => ({
    prompts: await countOpenCompletions(db),
    events: await countWaitingInbound(db),
  }))
  const modelFor = chooseModels({
    installation: config.model,
    outbound,
    box,
    knowledgeAnswerer: (agentId) =>
      knowledgeAnswerer(
        (query) => searchKnowledge(db, agentId, query, 5),
        () => listKnowledgeTitles(db, agentId, 6),
      ),
  })
  const redactionWork = startRedactionWork()
  const modelFailed = (agentId: number, error: ModelError) =>
    logger.warn({ agent_id: agentId, ...describeModelError(error) }, 'a model call failed')
  const evaluators = createEvaluators({
    modelFor,
    outbound,
    box,
    modelCalled: metrics.modelCalls('judge'),
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
  const redaction = {
    db,
    engine,
    clock,
    redactorFor: redactors.redactorFor,
    redactionBatch: config.redaction.batch,
  }
  const rulesOf = keepRules(db)
  const turns = {
    db,
    engine,
    clock,
    holder: presence.id,
    modelFor,
    retrieve: (agentId: number, question: string) => retrieveContext(db, agentId, question),
    rulesFor: rulesForTurns({ db, engine, clock }, rulesOf, evaluators),
    lateRedactorFor: redactors.lateRedactorFor,
    rooms: createContextRooms(),
    modelCalled: metrics.modelCalls('answer'),
    modelFailed,
    ...(config.logText ? { logText: (turn: object) => logger.info(turn, 'answered') } : {}),
  }
  const automations = runAutomations({ database, clock, logger, box, outbound, evaluators, rulesOf })
  const channels = findChannels(db, box, engine.isUnavailable)
  const mailboxes = runMailboxes({
    database,
    clock,
    logger,
    work: workOfChannels({ ...turns, channels, http: outbound, logger }),
  })
  const deliverer = deliverNotifications({ database, box, outbound, clock, logger })
  const { eventDays, deliveryDays, auditDays } = config
  const abandoned = periodic({ name: 'ending abandoned turns', everyMs: MINUTE_MS, logger }, () =>
    endAbandonedTurns({ database, clock }),
  )
  const erasing = periodic({ name: 'erasing deleted agents', everyMs: MINUTE_MS, logger }, (signal) =>
    eraseAgents({ db, engine, clock, rows: agentRows }, signal),
  )
  if (config.roles.includes('worker')) database.wakeUps.listen(DELETED_AGENTS, () => void erasing.run())
  const housekeeping = [
    abandoned,
    ...(config.roles.includes('worker')
      ? [
          erasing,
          hourly('applying retention', (_, signal) => applyRetention({ ...redaction, logger }, signal)),
          hourly('forgetting finished items', (now, signal) => forgetFinished(db, now, signal)),
          hourly('forgetting idempotency keys', (now, signal) => forgetIdempotencyKeys(db, now, signal)),
          hourly('sweeping knowledge', (now, signal) => sweepHidden(db, now, signal)),
          hourly('forgetting deliveries', (now, signal) => forgetDeliveries(db, now, deliveryDays, signal)),
          hourly('forgetting acts', (now, signal) => forgetActs(db, now, auditDays, signal)),
          hourly('forgetting sessions', (now, signal) => forgetSessions(db, now, signal)),
          hourly('forgetting events', (now, signal) => forgetEvents(db, now, eventDays, signal)),
          hourly('forgetting rule records', (now, signal) => forgetRuleRecords(db, now, eventDays, signal)),
        ]
      : []),
  ]
  function hourly(name: string, work: (now: number, signal: AbortSignal) => Promise<void>) {
    return periodic({ name, everyMs: HOUR_MS, logger }, (signal) => work(clock(), signal))
  }

  const server = createServer({
    logger,
    bodyLimit: config.bodyLimit,
    trustedProxies: config.trustedProxies,
    isUnavailable: engine.isUnavailable,
  })
  const letRequestsIn = holdRequests(server)
  let address = ''
  const baseUrl = () => `${config.publicUrl?.replace(/\/+$/, '') ?? address}/api/v1`
  serveMetrics(server, metrics)
  serveOpenApi(server, webhookOperations)
  healthRoutes(server, settingsMark(config, credentials), () => database.ping())
  const checkPatch = (patch: AgentPatch) => checkAgentPatch(patch, outbound)
  /** All routes of an agent: `request.caller` says which agent it is, and who asks. */
  const agentApi = (api: Server) => {
    agentRoutes(api, { db, box, clock, checkPatch })
    conversationRoutes(api, { db, clock })
    pauseRoutes(api, { db, clock })
    notificationRoutes(api, { db, box, outbound, clock, eventDays, deliverer })
    channelRoutes(api, { db, box, outbound, clock, baseUrl })
    evaluatorRoutes(api, {
      db,
      box,
      outbound,
      clock,
      evaluators,
      isInUse: evaluatorIsAsked,
    })
    analyticsRoutes(api, { db, clock })
    knowledgeRoutes(api, { db, clock })
    ruleRoutes(api, { db, box, outbound, clock })
    userRoutes(api, redaction)
    chatRoutes(api, {
      ...turns,
      inFlight,
      fingerprintKey: credentials.deriveKey('request fingerprints'),
      toApiError: (error) => toApiError(error, engine.isUnavailable),
    })
    completionRoutes(api, redaction)
  }
  /** All routes of a team: `request.member` says which team it is, and who asks. */
  const administrationApi = (api: Server) => {
    auditRoutes(api, { db })
    teamRoutes(api, { db, box, clock, checkPatch, revokeKeys: credentials.revokeKeysOf })
    credentialRoutes(api, { db, clock, credentials })
    operatorRoutes(api, { db, engine, clock, publicUrl: () => config.publicUrl ?? address })
  }
  if (config.roles.includes('api')) {
    server.register(
      async (api: Server) => {
        traceRequests(api)
        requireCredentials(api, credentials.verify, config.rateLimit)
        enforceRights(api)
        strictQuery(api)
        agentApi(api)
        administrationApi(api)
      },
      { prefix: '/api/v1' },
    )
    server.register(
      async (platforms: Server) => {
        traceRequests(platforms)
        webhookRoutes(platforms, {
          accept: acceptItems(db, engine, clock),
          clock,
          backlog: limitBacklog(db, config.backlogLimit, clock),
          findChannel: channels.ofKind,
          agentOfKey: credentials.agentOfKey,
          bodyLimit: config.webhookBodyLimit,
          isUnavailable: engine.isUnavailable,
        })
      },
      { prefix: '/api/v1' },
    )
    server.register(
      async (console: Server) => {
        traceRequests(console)
        const dependencies = { db, box, clock, publicUrl: config.publicUrl, overviewOf: readTeamOverview }
        consoleRoutes(console, dependencies, (scope) => {
          hideFromDocument(scope)
          strictQuery(scope)
          administrationApi(scope)
          scope.register(
            async (api: Server) => {
              bindAgent(api, db)
              agentApi(api)
            },
            { prefix: '/agents/:agent_id' },
          )
        })
      },
      { prefix: '/console/api' },
    )
  }
  await server.ready()

  return {
    server,
    foundation,
    deliverer,
    async listen(announce = async () => {}, insist = once) {
      await insist(engine, () => channels.prepare())
      address = await server.listen({ host: config.host, port: config.port })
      // Started twice by mistake, the second has no address: what the first holds stays its own.
      await insist(engine, () => presence.start())
      await announce(address)
      // What the last process left behind is ended before anybody asks for it.
      await abandoned.run()
      letRequestsIn()
      for (const work of housekeeping) work.start()
      if (config.roles.includes('worker')) {
        await deliverer.start()
        mailboxes.start()
        automations.start()
      }
      return address
    },
    async close() {
      // Beside each other: whoever stops the process waits only so long. What turns still raise waits for the next start.
      await Promise.all([
        finishRequests(server).then(() => inFlight.settled()),
        mailboxes.stop(DRAIN_LIMIT_MS),
        automations.stop(DRAIN_LIMIT_MS),
        deliverer.stop(),
        ...housekeeping.map((work) => work.stop()),
      ])
      await redactionWork.close()
      await outbound.close()
      await stopExport?.()
      await foundation.close()
    },
  }
}

/** Accepts nothing more, and waits for the answers under way. */
async function finishRequests(server: Server): Promise<void> {
  // A client that never reads its answer must not keep the process for ever.
  const impatient = setTimeout(() => server.server.closeAllConnections(), DRAIN_LIMIT_MS)
  // Connections that fall idle while the others are waited for would stay open until their time-out.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  await server.close()
  clearTimeout(impatient)
  clearInterval(sweep)
}

/** Logs go to stderr: stdout is for what a person or a script reads. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
}
