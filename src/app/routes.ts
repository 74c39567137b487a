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
import { conversationActRoutes } from '../desk/conversation-routes.ts'
import { draftRoutes } from '../desk/draft-routes.ts'
import { noteRoutes } from '../desk/notes/note-routes.ts'
import { deskRoutes } from '../desk/routes.ts'
import { targetRoutes } from '../desk/targets/target-routes.ts'
import { timelineRoutes } from '../desk/timeline-routes.ts'
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
import { hoursChange } from '../targets/store.ts'
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
import { responseRoutes } from '../turns/responses/routes.ts'
import { playgroundRoutes } from '../turns/try/playground-routes.ts'
import { usageRoutes } from '../usage/routes.ts'
import { widgetProtocol } from '../widgets/protocol/protocol-routes.ts'
import { widgetRoutes } from '../widgets/routes.ts'
import { serveWidget } from '../widgets/serve-widget.ts'
import { channelIsUsed } from '../widgets/store.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import type { Parts } from './parts.ts'
import { problemRoutes } from './problem-routes.ts'
import { workRoutes } from './work-routes.ts'

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
  const shared = sharedBy(parts)
  server.register(
    async (api: Server) => {
      traceRequests(api)
      requireCredentials(api, credentials.verify, config.rateLimit)
      enforceRights(api)
      strictQuery(api)
      add(ofAgent, api, shared)
      api.register(async (team: Server) => {
        team.addHook('onRequest', async () =>
          bindAcrossAgents('the routes of a team serve all of its agents'),
        )
        add(ofTeam, team, shared)
      })
    },
    { prefix: '/api/v1' },
  )
  server.register(async (platforms: Server) => platformApi(platforms, shared), { prefix: '/api/v1' })
  server.register(async (console: Server) => consoleApi(console, shared, address), {
    prefix: '/console/api',
  })
  server.register(async (pages: Server) => pagesApi(pages, shared), { prefix: '/widget/v1/:public_key' })
  serveErasureKey(server, parts.redaction.erasures.publicKey)
  serveConsole(server, keptAssetsIn(parts.config.dataDir))
  serveWidget(server)
}

type Shared = ReturnType<typeof sharedBy>

/** Returns the dependencies that routes share. The type of each feature's routes says which of them it takes. */
function sharedBy(parts: Parts) {
  const { config, clock, box, credentials, database, outbound } = parts
  const { db, engine } = database
  const templates = openTemplates({ db, box, outbound, clock })
  const checkPatch: CheckPatch = (patch, stored) => checkAgentPatch(patch, stored, outbound)
  return {
    ...parts,
    ...parts.turns,
    ...parts.redaction,
    eventDays: config.eventDays,
    fileLimit: config.fileLimit,
    uploadLimit: config.uploadLimit,
    isMailing: config.mail !== null,
    hasPublicUrl: config.publicUrl?.startsWith('https:') === true,
    fingerprintKey: credentials.deriveKey('request fingerprints'),
    toApiError: (error: unknown) => toApiError(error, engine.isUnavailable),
    checkPatch,
    embeddingChanges: lookAtAgent,
    hoursChange,
    lockAssignee: lockActiveOperator,
    templates,
    readTemplate: templates.saidIn,
  }
}

type Routes = (api: Server, shared: Shared) => void

function add(routes: readonly Routes[], api: Server, shared: Shared): void {
  for (const routesOfFeature of routes) routesOfFeature(api, shared)
}

/** The routes of an agent: `request.caller` says which agent it is, and who makes the request. */
const ofAgent: readonly Routes[] = [
  (api, shared) =>
    agentRoutes(api, {
      ...shared,
      installation: shared.config.model,
      offersTools: (agent) => offersTools(shared.db, agent),
    }),
  versionRoutes,
  usageRoutes,
  problemRoutes,
  workRoutes,
  redactionRoutes,
  receiptRoutes,
  (api, shared) => conversationRoutes(api, { ...shared, giveSource }),
  messageRoutes,
  fileRoutes,
  deskRoutes,
  writeFirstRoutes,
  (api, shared) =>
    liveRoutes(api, {
      ...shared,
      lookedAt: (conversation, operatorId) =>
        readNotices(shared.db, { operatorId, scope: null }, { conversation }),
    }),
  colleagueRoutes,
  (api, shared) => noteRoutes(api, { ...shared, peopleOf: listOperators }),
  ratingRoutes,
  inboxRoutes,
  viewRoutes,
  macroRoutes,
  targetRoutes,
  (api, shared) => conversationActRoutes(api, { ...shared, namesOf: namesOfAssigned }),
  timelineRoutes,
  draftRoutes,
  copilotRoutes,
  replyRoutes,
  widgetRoutes,
  searchRoutes,
  exportRoutes,
  pauseRoutes,
  notificationRoutes,
  resendRoutes,
  mediaRoutes,
  (api, shared) => channelRoutes(api, { ...shared, isUsed: channelIsUsed }),
  (api, shared) => evaluatorRoutes(api, { ...shared, isInUse: evaluatorIsAsked }),
  analyticsRoutes,
  supportRoutes,
  importRoutes,
  embeddingRoutes,
  knowledgeRoutes,
  knowledgeFileRoutes,
  proposalRoutes,
  (api, shared) =>
    unansweredRoutes(api, {
      ...shared,
      questionsOf: readQuestions,
      seenBy: thoseInScope,
      filtersOf: (scope, column) => scopeFilter(scope, (scope) => namesOneInScope(scope, column)),
    }),
  toolRoutes,
  datasetRoutes,
  caseRoutes,
  (api, shared) => runRoutes(api, { ...shared, nameOfModel: (agent) => shared.modelFor(agent).name }),
  ruleRoutes,
  ruleLogRoutes,
  automationPreviewRoutes,
  profileRoutes,
  userImportRoutes,
  chatRoutes,
  responseRoutes,
  (api, shared) => playgroundRoutes(api, { ...shared, search: shared.passagesForAnswer }),
  (api, shared) => completionRoutes(api, { ...shared, userOfFilter }),
  redactRoutes,
]

/** The routes of a team: `request.member` says which team it is, and who makes the request. */
const ofTeam: readonly Routes[] = [
  auditRoutes,
  (api, shared) => teamRoutes(api, { ...shared, signsInSafely, revokeKeys: shared.credentials.revokeKeysOf }),
  agentReceiptRoutes,
  credentialRoutes,
  (api, shared) =>
    groupRoutes(api, {
      ...shared,
      requireRoom: requireRoomInTeam,
      operatorsOf: idsOfOperators,
      agentsOf: idsOfAgents,
    }),
  (api, shared) => operatorRoutes(api, { ...shared, mailLink: linksByMail(shared.isMailing, shared.box) }),
]

/** Adds the routes to which platforms send their webhooks. */
function platformApi(platforms: Server, shared: Shared): void {
  const { config, credentials, channels, engine } = shared
  traceRequests(platforms)
  linkRoutes(platforms, { ...shared, links: shared.fileLinks })
  stopRoutes(platforms, { ...shared, links: shared.stopLinks })
  noticeStopRoutes(platforms, { ...shared, links: shared.noticeStopLinks })
  webhookRoutes(platforms, {
    ...shared,
    findChannel: channels.ofKind,
    agentOfKey: credentials.agentOfKey,
    bodyLimit: config.webhookBodyLimit,
    isUnavailable: engine.isUnavailable,
  })
}

/** Adds the routes for signing in, and the API again for people who are signed in. */
function consoleApi(console: Server, shared: Shared, address: () => string): void {
  const { config, credentials, db } = shared
  traceRequests(console)
  const dependencies = {
    ...shared,
    publicUrl: config.publicUrl,
    address,
    rateLimit: config.rateLimit,
    flowKey: credentials.deriveKey('single sign-on'),
    deviceKey: credentials.deriveKey('known devices'),
    teamExists,
    overviewOf: readTeamOverview,
  }
  consoleRoutes(console, dependencies, (scope) => {
    strictQuery(scope)
    add([noticeRoutes, pushRoutes], scope, shared)
    hideFromDocument(scope)
    add(ofTeam, scope, shared)
    scope.register(
      async (api: Server) => {
        bindAgent(api, db)
        add(ofAgent, api, shared)
      },
      { prefix: '/agents/:agent_id' },
    )
  })
}

/** Adds the routes that widgets in pages of other sites call. */
function pagesApi(pages: Server, shared: Shared): void {
  const { config, credentials } = shared
  traceRequests(pages)
  widgetProtocol(pages, {
    ...shared,
    publicUrl: config.publicUrl,
    tokenKey: credentials.deriveKey('visitor tokens'),
    visitorKey: credentials.deriveKey('visitors of files'),
  })
}
