import type { Generated } from 'kysely'
import type { AgentsTable, TeamsTable } from '../agents/tables.ts'
import type { AuditTable } from '../audit/tables.ts'
import type { ChannelsTable } from '../channels/tables.ts'
import type { IdempotencyKeysTable } from '../chat/tables.ts'
import type { ApiKeysTable, BearerTokensTable, InstallationTable } from '../credentials/tables.ts'
import type { EvaluatorsTable } from '../evaluators/tables.ts'
import type { DayCountersTable, EventsTable } from '../events/tables.ts'
import type {
  KnowledgeDocumentsTable,
  KnowledgeHiddenTable,
  KnowledgePassagesTable,
  KnowledgeTotalsTable,
  KnowledgeVocabularyTable,
  KnowledgeWordsTable,
} from '../knowledge/tables.ts'
import type { MailboxesTable, MailboxItemsTable, ThreadAliasesTable } from '../mailboxes/tables.ts'
import type {
  DeliveriesTable,
  NotificationKeysTable,
  NotificationSlotsTable,
  NotificationsTable,
} from '../notifications/tables.ts'
import type {
  OperatorLinksTable,
  OperatorSessionsTable,
  OperatorsTable,
  SignInFailuresTable,
} from '../operators/tables.ts'
import type { AutomationJobsTable, CtaCountsTable, RuleEvaluatorsTable, RulesTable } from '../rules/tables.ts'
import type {
  AgentCountersTable,
  CompletionsTable,
  ConversationNotesTable,
  ConversationsTable,
  EvaluationsTable,
  MessagesTable,
  VisitorsTable,
} from '../transcripts/tables.ts'
import type { Flag } from './flag.ts'

export type * from '../agents/tables.ts'
export type * from '../audit/tables.ts'
export type * from '../channels/tables.ts'
export type * from '../chat/tables.ts'
export type * from '../credentials/tables.ts'
export type * from '../evaluators/tables.ts'
export type * from '../events/tables.ts'
export type * from '../knowledge/tables.ts'
export type * from '../mailboxes/tables.ts'
export type * from '../notifications/tables.ts'
export type * from '../operators/tables.ts'
export type * from '../rules/tables.ts'
export type * from '../transcripts/tables.ts'
export type { Flag } from './flag.ts'

/**
 * The rows of every table, the same on both engines: integers, text, booleans as 0 and 1, times as
 * RFC 3339 text in UTC with milliseconds (they sort as text), JSON as text that is parsed where it is read.
 */
export interface Tables {
  installation: InstallationTable
  processes: ProcessesTable
  write_probes: WriteProbesTable
  teams: TeamsTable
  agents: AgentsTable
  agent_counters: AgentCountersTable
  api_keys: ApiKeysTable
  bearer_tokens: BearerTokensTable
  users: VisitorsTable
  devices: VisitorsTable
  sessions: VisitorsTable
  conversations: ConversationsTable
  completions: CompletionsTable
  messages: MessagesTable
  idempotency_keys: IdempotencyKeysTable
  events: EventsTable
  rules: RulesTable
  rule_evaluators: RuleEvaluatorsTable
  evaluations: EvaluationsTable
  cta_counts: CtaCountsTable
  automation_jobs: AutomationJobsTable
  conversation_notes: ConversationNotesTable
  day_counters: DayCountersTable
  notifications: NotificationsTable
  notification_keys: NotificationKeysTable
  notification_slots: NotificationSlotsTable
  deliveries: DeliveriesTable
  channels: ChannelsTable
  mailboxes: MailboxesTable
  thread_aliases: ThreadAliasesTable
  mailbox_items: MailboxItemsTable
  evaluators: EvaluatorsTable
  knowledge_documents: KnowledgeDocumentsTable
  knowledge_passages: KnowledgePassagesTable
  knowledge_words: KnowledgeWordsTable
  knowledge_vocabulary: KnowledgeVocabularyTable
  knowledge_totals: KnowledgeTotalsTable
  operators: OperatorsTable
  operator_links: OperatorLinksTable
  operator_sessions: OperatorSessionsTable
  sign_in_failures: SignInFailuresTable
  audit: AuditTable
  knowledge_hidden: KnowledgeHiddenTable
}

/** Processes that serve now or have served. */
export interface ProcessesTable {
  id: string
  /** Rises as long as the process is alive. */
  beats: Generated<number>
  /** Set when the process is gone: whatever it held is free. */
  gone: Generated<Flag>
  seen_at: string
}

/** Written to find out whether the database has room. Has at most one row. */
export interface WriteProbesTable {
  id: Generated<number>
  filler: string
}
