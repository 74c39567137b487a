// The answers of the service, from the schemas of its routes. Only types are imported, so none of this is in the
// script that a browser loads.
import type { z } from 'zod'
import type { agentChange, agentSchema } from '../../src/agents/settings.ts'
import type { teamSchema } from '../../src/agents/team-routes.ts'
import type { versionSchema } from '../../src/agents/versions/routes.ts'
import type { analytics } from '../../src/analytics/routes.ts'
import type { supportAnalytics } from '../../src/analytics/support/support-routes.ts'
import type { problem } from '../../src/app/problem-routes.ts'
import type { workCounts } from '../../src/app/work-routes.ts'
import type { actSchema } from '../../src/audit/routes.ts'
import type { channelSchema } from '../../src/channels/schemas.ts'
import type { templateSchema } from '../../src/channels/templates.ts'
import type { suggestedReply } from '../../src/copilot/routes.ts'
import type { keySchema, tokenSchema } from '../../src/credentials/routes.ts'
import type { draftSchema } from '../../src/desk/draft-routes.ts'
import type { targetSchema } from '../../src/desk/targets/target.ts'
import type { timelineAnswer } from '../../src/desk/timeline-routes.ts'
import type { evaluationSchema, evaluatorSchema, newEvaluator } from '../../src/evaluators/schemas.ts'
import type { groupSchema } from '../../src/groups/routes.ts'
import type { userImport } from '../../src/imports/routes.ts'
import type { bulkAction, bulkActSchema } from '../../src/inbox/bulk/bulk-action.ts'
import type {
  bulkFilter,
  inboxCountsSchema,
  inboxEntrySchema,
  inboxItemSchema,
  matchingSchema,
} from '../../src/inbox/schemas.ts'
import type { viewSchema } from '../../src/inbox/views/saved-view.ts'
import type { fileOutcome } from '../../src/knowledge/documents/file-routes.ts'
import type { importPageSchema, importSchema } from '../../src/knowledge/imports/schemas.ts'
import type { documentWithText, foundPassage } from '../../src/knowledge/routes.ts'
import type { unansweredQuestion } from '../../src/knowledge/unanswered/unanswered-routes.ts'
import type { proposal, proposalWithSimilar } from '../../src/learning/proposal-routes.ts'
import type { macroPreview, macroRunSchema, macroSchema } from '../../src/macros/macro.ts'
import type { noticeSchema } from '../../src/notices/schemas.ts'
import type { settingsSchema as noticeSettings } from '../../src/notices/settings.ts'
import type {
  deliverySchema,
  notificationSchema,
  notificationWithSecret,
} from '../../src/notifications/schemas.ts'
import type { colleagueSchema } from '../../src/operators/colleague-routes.ts'
import type { invitedSchema, operatorSchema, whoSchema } from '../../src/operators/schemas.ts'
import type { linkSchema } from '../../src/operators/sign-in-routes.ts'
import type { pauseForecast } from '../../src/pause/schemas.ts'
import type { userErasure } from '../../src/privacy/receipt-routes.ts'
import type { triedRedaction } from '../../src/privacy/routes.ts'
import type { redactionResult } from '../../src/privacy/schemas.ts'
import type { profileSchema } from '../../src/profiles/schemas.ts'
import type { replySchema } from '../../src/replies/routes.ts'
import type { ruleLogEntry } from '../../src/rules/log-routes.ts'
import type { automationPreview } from '../../src/rules/preview-automation.ts'
import type { ruleAnswers } from '../../src/rules/schemas.ts'
import type {
  caseResults,
  caseSchema,
  datasetSchema,
  newCase,
  resultSchema,
  runSchema,
  runWithResults,
} from '../../src/runs/schemas.ts'
import type { searchAnswer } from '../../src/search/schemas.ts'
import type { toolSchema } from '../../src/tools/present-tool.ts'
import type { triedTool } from '../../src/tools/schemas.ts'
import type { attachmentSchema } from '../../src/transcripts/attachments.ts'
import type { completionSchema } from '../../src/transcripts/completions/schemas.ts'
import type { conversationSchema, messageSchema } from '../../src/transcripts/conversations/schemas.ts'
import type { triedAnswer } from '../../src/turns/try/playground-routes.ts'
import type { usageSchema } from '../../src/usage/routes.ts'
import type { userSchema } from '../../src/users/schemas.ts'
import type { widgetSchema, widgetWithSecret } from '../../src/widgets/schemas.ts'

export interface Single<T> {
  data: T
}

export interface List<T> {
  data: T[]
  total: number
  total_capped?: true
  page: number
  per_page: number
  next_cursor: string | null
}

export type Who = z.output<typeof whoSchema>
export type Operator = z.output<typeof operatorSchema>
export type Invited = z.output<typeof invitedSchema>
export type OperatorRight = Operator['right']
export type Team = z.output<typeof teamSchema>
export type Agent = z.output<typeof agentSchema>
export type AgentPatch = z.input<typeof agentChange>
export type AgentVersion = z.output<typeof versionSchema>
export type PauseForecast = z.output<typeof pauseForecast>
export type ApiKey = z.output<typeof keySchema>
export type BearerToken = z.output<typeof tokenSchema>
export type Act = z.output<typeof actSchema>
export type DocumentWithPassages = z.output<typeof documentWithText>
export type KnowledgeFile = z.output<typeof fileOutcome>
export type KnowledgeImport = z.output<typeof importSchema>
export type KnowledgeImportPage = z.output<typeof importPageSchema>
export type JoinLink = z.output<typeof linkSchema>
export type UnansweredQuestion = z.output<typeof unansweredQuestion>
export type KnowledgeProposal = z.output<typeof proposal>
export type KnowledgeProposalWithSimilar = z.output<typeof proposalWithSimilar>
export type FoundPassage = z.output<typeof foundPassage>
export type Channel = z.output<typeof channelSchema>
export type Template = z.output<typeof templateSchema>
export type Notification = z.output<typeof notificationSchema>
export type NotificationWithSecret = z.output<typeof notificationWithSecret>
export type Delivery = z.output<typeof deliverySchema>
export type Dataset = z.output<typeof datasetSchema>
export type TestCase = z.output<typeof caseSchema>
export type NewTestCase = z.input<typeof newCase>
export type TestRun = z.output<typeof runSchema>
export type TestRunWithResults = z.output<typeof runWithResults>
export type TestResult = z.output<typeof resultSchema>
export type TestCaseResults = z.output<typeof caseResults>
export type Tool = z.output<typeof toolSchema>
export type HttpTool = Extract<Tool, { kind: 'http' }>
export type McpTool = Extract<Tool, { kind: 'mcp' }>
export type TriedTool = z.output<typeof triedTool>
export type Widget = z.output<typeof widgetSchema>
export type WidgetWithSecret = z.output<typeof widgetWithSecret>
export type Evaluator = z.output<typeof evaluatorSchema>
export type NewEvaluator = z.input<typeof newEvaluator>
export type Evaluation = z.output<typeof evaluationSchema>
export type Guardrail = z.output<typeof ruleAnswers.guardrail>
export type Cta = z.output<typeof ruleAnswers.cta>
export type Automation = z.output<typeof ruleAnswers.automation>
export type RuleLogEntry = z.output<typeof ruleLogEntry>
export type TriedAnswer = z.output<typeof triedAnswer>
export type Trace = TriedAnswer['trace']
export type Analytics = z.output<typeof analytics>
export type SupportAnalytics = z.output<typeof supportAnalytics>
export type WorkCounts = z.output<typeof workCounts>
export type Problem = z.output<typeof problem>
export type ModelUsage = z.output<typeof usageSchema>
/** A conversation whose fields are all present: the schema calls them optional, but the service leaves none out. */
type Complete<T> = { [Name in keyof T]-?: Exclude<T[Name], undefined> }

export type Conversation = Complete<z.output<typeof conversationSchema>>
export type Message = z.output<typeof messageSchema>
export type Attachment = z.output<typeof attachmentSchema>
export type Completion = z.output<typeof completionSchema>
export type TimelineAnswer = z.output<typeof timelineAnswer>
export type TimelineLine = TimelineAnswer['data'][number]
export type TriedRedaction = z.output<typeof triedRedaction>
export type UserImport = z.output<typeof userImport>
export type UserErasure = z.output<typeof userErasure>
export type RedactionResult = z.output<typeof redactionResult>
export type InboxItem = Complete<z.output<typeof inboxItemSchema>>
export type InboxCounts = z.output<typeof inboxCountsSchema>
export type InboxMatching = z.output<typeof matchingSchema>
export type InboxEntry = Complete<z.output<typeof inboxEntrySchema>>
export type Target = z.output<typeof targetSchema>
export type TeamGroup = z.output<typeof groupSchema>
export type Colleague = z.output<typeof colleagueSchema>
export type Macro = z.output<typeof macroSchema>
export type AutomationPreview = z.output<typeof automationPreview>
export type MacroRun = z.output<typeof macroRunSchema>
export type MacroStep = z.output<typeof macroPreview>['actions'][number]
export type Reply = z.output<typeof replySchema>
export type SuggestedReply = z.output<typeof suggestedReply>
export type SavedView = z.output<typeof viewSchema>
export type Notice = z.output<typeof noticeSchema>
export type NoticeSettings = z.output<typeof noticeSettings>
export type Draft = z.output<typeof draftSchema>
export type UserProfile = z.output<typeof profileSchema>
export type BulkAct = z.output<typeof bulkActSchema>
export type BulkAction = z.input<typeof bulkAction>
export type { BulkWork } from '../../src/inbox/bulk/bulk-action.ts'
export type BulkFilter = z.input<typeof bulkFilter>
export type SearchHit = z.output<typeof searchAnswer>['data'][number]
export type User = z.output<typeof userSchema>
