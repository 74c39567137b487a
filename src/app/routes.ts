import { bindAgent } from '../agents/bind-agent.ts'
import { type CheckPatch, checkAgentPatch } from '../agents/check-patch.ts'
import { requireRoomInTeam } from '../agents/require-room.ts'
import { agentRoutes } from '../agents/routes.ts'
import { teamExists } from '../agents/team-of-agent.ts'
import { idsOfAgents, readTeamOverview } from '../agents/team-overview.ts'
import { teamRoutes } from '../agents/team-routes.ts'
import { versionRoutes } from '../agents/versions/routes.ts'
import { analyticsRoutes } from '../analytics/routes.ts'
import { supportRoutes } from '../analytics/support/support-routes.ts'
import { auditRoutes } from '../audit/routes.ts'
import { stopRoutes } from '../channels/continued/stop-routes.ts'
import { mediaRoutes } from '../channels/media/routes.ts'
import { resendRoutes } from '../channels/resend-routes.ts'
import { channelRoutes } from '../channels/routes.ts'
import { openTemplates } from '../channels/templates.ts'
import { webhookRoutes } from '../channels/webhook-routes.ts'
import { writeFirstRoutes } from '../channels/write-first-routes.ts'
import { keptAssetsIn } from '../console/keep-assets.ts'
import { serveConsole } from '../console/serve-console.ts'
import { copilotRoutes } from '../copilot/routes.ts'
import { credentialRoutes } from '../credentials/routes.ts'
import { settingsMark } from '../credentials/settings-mark.ts'
import { draftRoutes } from '../desk/draft-routes.ts'
import { noteRoutes } from '../desk/notes/note-routes.ts'
import { deskRoutes } from '../desk/routes.ts'
import { hoursChange } from '../desk/targets/hours-change.ts'
import { targetRoutes } from '../desk/targets/target-routes.ts'
import { timelineRoutes } from '../desk/timeline-routes.ts'
import { workRoutes } from '../desk/work-routes.ts'
import { evaluatorRoutes } from '../evaluators/routes.ts'
import { exportRoutes } from '../exports/routes.ts'
import { linkRoutes } from '../files/link-routes.ts'
import { fileRoutes } from '../files/routes.ts'
import { groupRoutes } from '../groups/routes.ts'
import { requireCredentials } from '../http/credentials.ts'
import { healthRoutes } from '../http/health.ts'
import { hideFromDocument, serveOpenApi } from '../http/openapi.ts'
import { enforceRights } from '../http/rights.ts'
import { type Server, toApiError } from '../http/server.ts'
import { strictQuery } from '../http/strict-query.ts'
import { traceRequests } from '../http/trace-requests.ts'
import { userImportRoutes } from '../imports/routes.ts'
import { namesOfAssigned } from '../inbox/names-of-assigned.ts'
import { inboxRoutes } from '../inbox/routes.ts'
import { viewRoutes } from '../inbox/views/view-routes.ts'
import { knowledgeFileRoutes } from '../knowledge/documents/file-routes.ts'
import { importRoutes } from '../knowledge/imports/routes.ts'
import { knowledgeRoutes } from '../knowledge/routes.ts'
import { unansweredRoutes } from '../knowledge/unanswered/unanswered-routes.ts'
import { embeddingRoutes } from '../knowledge/vectors/embedding-routes.ts'
import { lookAtAgent } from '../knowledge/vectors/embedding-store.ts'
import { proposalRoutes } from '../learning/proposal-routes.ts'
import { bindAcrossAgents } from '../lib/agent-scope.ts'
import { liveRoutes } from '../live/routes.ts'
import { macroRoutes } from '../macros/routes.ts'
import { noticeStopRoutes } from '../notices/mails/notice-stop-routes.ts'
import { noticeRoutes } from '../notices/notice-routes.ts'
import { pushRoutes } from '../notices/pushes/push-routes.ts'
import { readNotices } from '../notices/store.ts'
import { notificationRoutes } from '../notifications/routes.ts'
import { webhookOperations } from '../notifications/webhook-operations.ts'
import { colleagueRoutes } from '../operators/colleague-routes.ts'
import { consoleRoutes } from '../operators/console-routes.ts'
import {
  idsOfOperators,
  listOperators,
  lockActiveOperator,
  signsInSafely,
} from '../operators/find-operator.ts'
import { linksByMail } from '../operators/mails/mail-link.ts'
import { operatorRoutes } from '../operators/routes.ts'
import { pauseRoutes } from '../pause/routes.ts'
import { agentReceiptRoutes, receiptRoutes } from '../privacy/receipt-routes.ts'
import { redactRoutes } from '../privacy/redact-routes.ts'
import { redactionRoutes } from '../privacy/routes.ts'
import { userOfFilter } from '../profiles/find-user.ts'
import { giveSource } from '../profiles/give-source.ts'
import { profileRoutes } from '../profiles/routes.ts'
import { serveErasureKey } from '../receipts/serve-key.ts'
import { replyRoutes } from '../replies/routes.ts'
import { evaluatorIsAsked } from '../rules/evaluator-is-asked.ts'
import { ruleLogRoutes } from '../rules/log-routes.ts'
import { automationPreviewRoutes } from '../rules/preview-routes.ts'
import { ruleRoutes } from '../rules/routes.ts'
import { caseRoutes } from '../runs/case-routes.ts'
import { datasetRoutes } from '../runs/dataset-routes.ts'
import { runRoutes } from '../runs/run-routes.ts'
import { searchRoutes } from '../search/routes.ts'
import { skewInWords } from '../storage/database-time.ts'
import { offersTools } from '../tools/offers-tools.ts'
import { toolRoutes } from '../tools/routes.ts'
import { completionRoutes } from '../transcripts/completions/routes.ts'
import { namesOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import { ratingRoutes } from '../transcripts/conversations/rating-routes.ts'
import { conversationRoutes } from '../transcripts/conversations/routes.ts'
import { thoseInScope } from '../transcripts/doors/by-filter.ts'
import { readQuestions } from '../transcripts/doors/read-questions.ts'
import { messageRoutes } from '../transcripts/messages/routes.ts'
import { chatRoutes } from '../turns/chat/routes.ts'
import type { PromptDependencies } from '../turns/requests/answer-prompt.ts'
import { responseRoutes } from '../turns/responses/routes.ts'
import { playgroundRoutes } from '../turns/try/playground-routes.ts'
import { usageRoutes } from '../usage/routes.ts'
import { widgetProtocol } from '../widgets/protocol/protocol-routes.ts'
import { widgetRoutes } from '../widgets/routes.ts'
import { serveWidget } from '../widgets/serve-widget.ts'
import { channelIsUsed } from '../widgets/store.ts'
import { backgroundRoutes } from './background-routes.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import type { Parts } from './parts.ts'
import { problemRoutes } from './problem-routes.ts'

/** The groups of the OpenAPI document whose routes have paths that begin with another word. */
const groups = {
  agents: 'team',
  automations: 'rules',
  chat: 'chat completions',
  colleagues: 'inbox',
  ctas: 'rules',
  datasets: 'tests',
  guardrails: 'rules',
  models: 'chat completions',
  pause: 'agent',
  problems: 'analytics',
  responses: 'chat completions',
  resume: 'agent',
  runs: 'tests',
  targets: 'inbox',
  usage: 'analytics',
  views: 'inbox',
  work: 'analytics',
}

/** Mounts all routes: the public ones, the API, and those for platforms, the console and widgets. */
export function mountRoutes(server: Server, parts: Parts, address: () => string): void {
  const { config, database, credentials } = parts
  serveMetrics(server, parts.metrics.registry, config.metricsToken)
  serveOpenApi(server, webhookOperations, groups)
  healthRoutes(
    server,
    settingsMark(config, credentials),
    () => database.ping(),
    () => skewInWords(database.time),
    database.missing === null ? null : 'commits_missing',
  )
  if (!config.roles.includes('api')) return
  server.register(
    async (api: Server) => {
      traceRequests(api)
      requireCredentials(api, credentials.verify, config.rateLimit)
      enforceRights(api)
      strictQuery(api)
      agentApi(api, parts)
      api.register(async (team: Server) => {
        team.addHook('onRequest', async () =>
          bindAcrossAgents('the routes of a team serve all of its agents'),
        )
        administrationApi(team, parts)
      })
    },
    { prefix: '/api/v1' },
  )
  server.register(async (platforms: Server) => platformApi(platforms, parts), { prefix: '/api/v1' })
  server.register(async (console: Server) => consoleApi(console, parts, address), {
    prefix: '/console/api',
  })
  server.register(async (pages: Server) => pagesApi(pages, parts), { prefix: '/widget/v1/:public_key' })
  serveErasureKey(server, parts.redaction.erasures.publicKey)
  serveConsole(server, keptAssetsIn(parts.config.dataDir))
  serveWidget(server)
}

/** Adds all routes of an agent: `request.caller` says which agent it is, and who makes the request. */
function agentApi(api: Server, parts: Parts): void {
  const { config, clock, box, outbound, redaction, evaluators, findPassages } = parts
  const { lessons } = parts.turns
  const { db, engine } = parts.database
  const changes = {
    db,
    box,
    clock,
    checkPatch: checkPatch(parts),
    embeddingChanges: lookAtAgent,
    hoursChange,
  }
  agentRoutes(api, {
    ...changes,
    outbound,
    installation: config.model,
    offersTools: (agent) => offersTools(db, agent),
  })
  versionRoutes(api, changes)
  usageRoutes(api, { db, clock })
  problemRoutes(api, { database: parts.database, clock })
  backgroundRoutes(api, { db, clock, embedderOf: parts.embedderOf })
  redactionRoutes(api, redaction)
  receiptRoutes(api, redaction)
  const { fingerprintKey } = prompts(parts)
  const lockAssignee = lockActiveOperator
  conversationRoutes(api, { db, giveSource })
  messageRoutes(api, { db, engine })
  fileRoutes(api, {
    ...{ db, clock, places: parts.places, beginUpload: parts.beginUpload },
    fileLimit: config.fileLimit,
  })
  const templates = openTemplates({ db, box, outbound, clock })
  const readTemplate = templates.saidIn
  const hasPublicUrl = config.publicUrl?.startsWith('https:') === true
  deskRoutes(api, { db, clock, lockAssignee, lessons, readTemplate, hasPublicUrl, fingerprintKey })
  writeFirstRoutes(api, { db, box, clock, lockAssignee, lessons, templates, hasPublicUrl, fingerprintKey })
  liveRoutes(api, {
    ...{ db, hub: parts.hub },
    lookedAt: (conversation, operatorId) => readNotices(db, { operatorId, scope: null }, { conversation }),
  })
  colleagueRoutes(api, { db })
  noteRoutes(api, { db, clock, peopleOf: listOperators })
  ratingRoutes(api, { db, clock })
  inboxRoutes(api, { db, clock })
  viewRoutes(api, { db, clock })
  macroRoutes(api, { db, box, outbound, clock, lessons })
  targetRoutes(api, { db, clock })
  workRoutes(api, { db, clock, lockAssignee, namesOf: namesOfAssigned, lessons })
  timelineRoutes(api, { db })
  draftRoutes(api, { db, clock })
  copilotRoutes(api, { ...prompts(parts), copilotModelFor: parts.copilotModelFor })
  replyRoutes(api, { db, engine, clock })
  widgetRoutes(api, { db, box, clock })
  searchRoutes(api, { db })
  exportRoutes(api, { db, clock, places: parts.places })
  pauseRoutes(api, { db, clock })
  notificationRoutes(api, { db, box, outbound, clock, eventDays: config.eventDays })
  resendRoutes(api, { db, clock })
  mediaRoutes(api, { db, clock })
  channelRoutes(api, { db, box, outbound, clock, baseUrl: parts.baseUrl, isUsed: channelIsUsed })
  evaluatorRoutes(api, { db, box, outbound, clock, evaluators, isInUse: evaluatorIsAsked })
  analyticsRoutes(api, { db, clock })
  supportRoutes(api, { db, clock })
  importRoutes(api, { db, outbound, clock })
  embeddingRoutes(api, { db, embedderOf: parts.embedderOf })
  knowledgeRoutes(api, { db, clock, findPassages })
  knowledgeFileRoutes(api, { db, clock, uploadLimit: config.uploadLimit })
  proposalRoutes(api, { db, engine, clock, findPassages })
  unansweredRoutes(api, {
    ...{ db, clock, questionsOf: readQuestions, seenBy: thoseInScope },
    filtersOf: (scope, column) => scopeFilter(scope, (scope) => namesOneInScope(scope, column)),
  })
  toolRoutes(api, { db, engine, box, outbound, clock })
  datasetRoutes(api, { db, clock })
  caseRoutes(api, { db, engine, clock })
  runRoutes(api, {
    ...{ db, engine, clock, checkPatch: checkPatch(parts) },
    nameOfModel: (agent) => parts.turns.modelFor(agent).name,
  })
  ruleRoutes(api, { db, box, outbound, clock })
  ruleLogRoutes(api, { db })
  automationPreviewRoutes(api, { db, clock, lockAssignee })
  profileRoutes(api, { db, clock })
  userImportRoutes(api, { db, clock, erasures: redaction.erasures, beginUpload: parts.beginUpload })
  chatRoutes(api, prompts(parts))
  responseRoutes(api, prompts(parts))
  playgroundRoutes(api, { ...prompts(parts), search: parts.passagesForAnswer })
  completionRoutes(api, { db, clock, lessons, userOfFilter })
  redactRoutes(api, redaction)
}

/** Adds all routes of a team: `request.member` says which team it is, and who makes the request. */
function administrationApi(api: Server, parts: Parts): void {
  const { config, clock, box, credentials, publicUrl } = parts
  const { db, engine } = parts.database
  auditRoutes(api, { db })
  teamRoutes(api, {
    ...{ db, box, clock, checkPatch: checkPatch(parts), embeddingChanges: lookAtAgent, hoursChange },
    signsInSafely,
    revokeKeys: credentials.revokeKeysOf,
    erasures: parts.redaction.erasures,
  })
  agentReceiptRoutes(api, { db })
  credentialRoutes(api, { db, clock, credentials })
  const isMailing = config.mail !== null
  groupRoutes(api, {
    ...{ db, engine, clock, hoursChange, requireRoom: requireRoomInTeam },
    ...{ operatorsOf: idsOfOperators, agentsOf: idsOfAgents },
  })
  operatorRoutes(api, { db, engine, clock, publicUrl, mailLink: linksByMail(isMailing, box), isMailing })
}

/** Adds the routes to which platforms send their webhooks. */
function platformApi(platforms: Server, parts: Parts): void {
  const { config, clock, credentials, channels, database, receiving, baseUrl } = parts
  traceRequests(platforms)
  linkRoutes(platforms, { db: database.db, clock, places: parts.places, links: parts.fileLinks })
  stopRoutes(platforms, { db: database.db, clock, links: parts.stopLinks })
  noticeStopRoutes(platforms, { db: database.db, clock, links: parts.noticeStopLinks })
  webhookRoutes(platforms, {
    clock,
    receiving,
    baseUrl,
    findChannel: channels.ofKind,
    agentOfKey: credentials.agentOfKey,
    bodyLimit: config.webhookBodyLimit,
    isUnavailable: database.engine.isUnavailable,
  })
}

/** Adds the routes for signing in, and the API again for people who are signed in. */
function consoleApi(console: Server, parts: Parts, address: () => string): void {
  const { config, clock, box, credentials, singleSignOn } = parts
  const { db, engine } = parts.database
  traceRequests(console)
  const dependencies = {
    db,
    engine,
    box,
    clock,
    publicUrl: config.publicUrl,
    address,
    singleSignOn,
    rateLimit: config.rateLimit,
    flowKey: credentials.deriveKey('single sign-on'),
    deviceKey: credentials.deriveKey('known devices'),
    teamExists,
    overviewOf: readTeamOverview,
  }
  consoleRoutes(console, dependencies, (scope) => {
    strictQuery(scope)
    noticeRoutes(scope, { db, clock, isMailing: config.mail !== null })
    pushRoutes(scope, { db, clock, box, outbound: parts.outbound })
    hideFromDocument(scope)
    administrationApi(scope, parts)
    scope.register(
      async (api: Server) => {
        bindAgent(api, db)
        agentApi(api, parts)
      },
      { prefix: '/agents/:agent_id' },
    )
  })
}

/** Adds the routes that widgets in pages of other sites call. */
function pagesApi(pages: Server, parts: Parts): void {
  const { config, credentials, database, box, hub } = parts
  traceRequests(pages)
  widgetProtocol(pages, {
    ...prompts(parts),
    engine: database.engine,
    box,
    hub,
    places: parts.places,
    beginUpload: parts.beginUpload,
    fileLimit: config.fileLimit,
    publicUrl: config.publicUrl,
    tokenKey: credentials.deriveKey('visitor tokens'),
    visitorKey: credentials.deriveKey('visitors of files'),
  })
}

/** Returns the dependencies for answering prompts over HTTP. */
function prompts({ turns, inFlight, credentials, database }: Parts): PromptDependencies {
  return {
    ...turns,
    inFlight,
    fingerprintKey: credentials.deriveKey('request fingerprints'),
    toApiError: (error) => toApiError(error, database.engine.isUnavailable),
  }
}

function checkPatch({ outbound }: Parts): CheckPatch {
  return (patch, stored) => checkAgentPatch(patch, stored, outbound)
}
