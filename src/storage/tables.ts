import type { Generated, Selectable } from 'kysely'

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

export type Flag = 0 | 1

/** How a text was redacted. */
export type RedactionMode = 'anonymize' | 'scrub'

/** Values of the installation as a whole, such as the encrypted key with which credentials are hashed. */
export interface InstallationTable {
  name: string
  value: string
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

export interface TeamsTable {
  id: Generated<number>
  name: string
  created_at: string
}

export interface AgentsTable {
  id: Generated<number>
  team_id: number
  name: string
  /** JSON: AgentSettings of src/agents. Secrets in it are sealed. */
  settings: string
  is_paused: Generated<Flag>
  paused_at: string | null
  resumed_at: string | null
  /** Rises with every change of a rule or an evaluator; 0: there has been no change. */
  rules_version: Generated<number>
  created_at: string
}

/** One row per agent: how many conversations it has opened, and the newest one's id. */
export interface AgentCountersTable {
  agent_id: number
  conversations: number
  last_conversation_id: string
}

export interface ApiKeysTable {
  id: Generated<number>
  agent_id: number
  team_id: number
  name: string
  hash: string
  created_at: string
  revoked_at: string | null
}

export interface BearerTokensTable {
  id: Generated<number>
  team_id: number
  name: string
  hash: string
  /** A Right of src/http. */
  right: Generated<string>
  created_at: string
  expires_at: string | null
  revoked_at: string | null
}

/** When an end user, a device or a session was first seen. The ids are the caller's own. */
export interface VisitorsTable {
  agent_id: number
  id: string
  first_seen_at: string
}

export interface ConversationsTable {
  id: string
  agent_id: number
  team_id: number
  /** Without gaps per agent, from 1, in the order of (started_at, id). A page is a range of it. */
  sequence: number
  external_id: string | null
  user_id: string | null
  /** The channel through which the conversation came; null: the API. */
  channel_id: number | null
  /** JSON object or null. */
  tags: string | null
  started_at: string
  ended_at: string | null
  agent_paused: Generated<Flag>
  agent_paused_at: string | null
  agent_resumed_at: string | null
}

export interface CompletionsTable {
  number: Generated<number>
  id: string
  agent_id: number
  conversation_id: string
  channel_id: number | null
  user_id: string | null
  device_id: string | null
  session_id: string | null
  page_url: string | null
  language: string | null
  created_at: string
  model: string
  /** Null while the answer is being made. */
  finish_reason: string | null
  /** The code of the error, when the prompt was answered with one. */
  error_code: string | null
  answered_at: string | null
  agent_paused: Generated<Flag>
  liked: Flag | null
  flagged: Generated<Flag>
  flag_reason: string | null
  feedback: string | null
  score: number | null
  /** JSON array of strings: the tags of the completion itself. */
  tags: string
  /** JSON array of citations; null when there are none. */
  citations: string | null
  /** JSON array of the calls to action that were attached; null when there are none. */
  ctas: string | null
  /** JSON array of the automations that ran; null until all have ended. */
  automations: string | null
  /** JSON object: the model server's token counts. */
  usage: string | null
  /** How its texts were redacted; null: some have not been redacted, or were added since. */
  redacted: RedactionMode | null
  /** Counts the transactions that may have rewritten its texts. */
  redactions: Generated<number>
  /** The process that makes the answer. */
  holder: Generated<string | null>
  /** When another process took the completion over from one that had gone. */
  taken_up_at: Generated<string | null>
}

export interface MessagesTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  completion_id: string | null
  role: 'system' | 'user' | 'assistant' | 'tool' | 'operator' | 'transition'
  /** JSON: a string, an array of content parts, or null. */
  content: string
  /** JSON array of tool calls. */
  tool_calls: string | null
  tool_call_id: string | null
  /** The name of the writer, if it has one (a person, a participant). */
  author: string | null
  created_at: string
  redacted: RedactionMode | null
  /** JSON: what models see in place of a prompt that a guardrail replaced or blocked. */
  shown_as: Generated<string | null>
  /** MessageKind of src/platforms: what a person sent instead of text; null: it is text. */
  kind: Generated<string | null>
  /** Whether it has reached its channel; null: it does not go out through a channel, or was held back. */
  delivery: Generated<DeliveryStatus | null>
  /** DeliveryReason of src/platforms, for a message that failed or whose delivery is unknown. */
  delivery_reason: Generated<string | null>
  /** Set for an answer that its user never saw, because the agent had been paused by the time it was ready. */
  withheld: Generated<Flag>
}

/** How far a message has come on its way out through a channel. `unknown`: it may have arrived. */
export type DeliveryStatus = 'queued' | 'sent' | 'unknown' | 'failed'

export interface IdempotencyKeysTable {
  agent_id: number
  key: string
  /** Keyed hash of the request, which tells a different request under the same key apart; empty: not known. */
  fingerprint: string
  completion_id: string
  created_at: string
}

export interface EventsTable {
  id: Generated<number>
  agent_id: number
  key: string
  occurred_at: string
  conversation_id: string | null
  completion_id: string | null
  /** JSON object: the data that belongs to the event's key (no message text). */
  data: string | null
  /** The W3C trace in which it happened. */
  trace_id: string | null
  span_id: string | null
  /** As in the `traceparent` header. */
  trace_flags: number | null
  tracestate: string | null
}

/** Guardrails, calls to action and automations. */
export interface RulesTable {
  id: Generated<number>
  agent_id: number
  kind: 'guardrail' | 'cta' | 'automation'
  name: string
  active: Flag
  /** Lower positions come first. */
  position: number
  /** JSON: the settings of the rule's kind. Secrets in it are sealed. */
  settings: string
  created_at: string
  updated_at: string
}

/** Which evaluators a rule uses. */
export interface RuleEvaluatorsTable {
  rule_id: number
  evaluator_id: number
}

/** The verdicts of evaluators on prompts and responses. */
export interface EvaluationsTable {
  id: Generated<number>
  agent_id: number
  completion_id: string
  evaluator_id: number
  evaluator_name: string
  /** The rule that used the evaluator. */
  rule_id: number | null
  subject: 'prompt' | 'response'
  score: number | null
  /** Null: the evaluator failed. */
  passed: Flag | null
  /** May quote the text, and is redacted with it. */
  content: string | null
  created_at: string
}

/** How often a call to action was shown in a conversation. */
export interface CtaCountsTable {
  conversation_id: string
  cta_id: number
  shown: number
  /** When it was last shown. */
  shown_at: string
}

/** The automations of one response, which run after it. */
export interface AutomationJobsTable {
  id: Generated<number>
  agent_id: number
  completion_id: string
  conversation_id: string
  /** JSON: facts that are stored in no row, such as the retrieval score. No text. */
  facts: string
  /** JSON array: how far each automation has come. */
  runs: string
  state: 'waiting' | 'done'
  lease: Generated<number>
  leased_until: string | null
  /** The process that holds the lease. */
  holder: Generated<string | null>
  created_at: string
}

/** Notes that automations leave for people. */
export interface ConversationNotesTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  completion_id: string | null
  text: string
  author: string
  created_at: string
}

/** How often something happened to an agent in a day. Spread over several shards, whose sum counts. */
export interface DayCountersTable {
  agent_id: number
  /** YYYY-MM-DD, UTC. */
  day: string
  name: string
  shard: number
  count: number
}

/** Where events are sent. */
export interface NotificationsTable {
  id: Generated<number>
  agent_id: number
  name: string
  url: string
  security: 'signature' | 'shared_secret'
  /** Sealed. */
  secret: string
  /** Sealed. Signs beside the new secret for a while after a rotation. */
  previous_secret: string | null
  previous_secret_until: string | null
  /** JSON array of keys, or `["*"]`. */
  events: string
  active: Generated<Flag>
  /** How many deliveries have failed since the last that succeeded. */
  failures: Generated<number>
  /** Nothing is sent before this time, because the endpoint keeps failing. */
  held_until: string | null
  created_at: string
  updated_at: string
}

/** Which active notifications receive an event of an agent. */
export interface NotificationKeysTable {
  agent_id: number
  key: string
  notification_id: number
}

/** The right to send one delivery of a notification at a time. There are as many rows as deliveries may run at once. */
export interface NotificationSlotsTable {
  notification_id: number
  slot: number
  holder: string | null
  held_until: string | null
}

export type DeliveryState =
  | 'pending'
  | 'sending'
  | 'delivered'
  | 'rejected'
  | 'failed'
  | 'blocked'
  | 'expired'
  | 'unknown'

export interface DeliveriesTable {
  id: Generated<number>
  notification_id: number
  agent_id: number
  /** Null: a test delivery. */
  event_id: number | null
  event_key: string
  completion_id: string | null
  state: DeliveryState
  created_at: string
  sent_at: string | null
  finished_at: string | null
  /** HTTP status of the receiver's answer. */
  status: number | null
  /** Why there was no answer: an OutboundReason. */
  failure: string | null
  duration_ms: number | null
  /** The beginning of the receiver's answer. */
  answer: string | null
  /** The body as it was signed and sent; null before sending and after a redaction. */
  payload: string | null
  /** The delivery that this one repeats. */
  replay_of: number | null
}

/** An account on a messaging platform that an agent speaks through. */
export interface ChannelsTable {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** PlatformKind of src/platforms. */
  kind: string
  name: string | null
  active: Generated<Flag>
  /** JSON: the platform's settings; secrets in it are sealed. */
  settings: string
  created_at: string
  updated_at: string
}

/** The work of one chat on a channel, in order: what came in, and what goes out. */
export interface MailboxesTable {
  id: Generated<number>
  channel_id: number
  agent_id: number
  /** The chat on the platform: a person, a group, a helpdesk conversation. */
  thread: string
  /** Where answers go, when that differs from the thread. */
  address: Generated<string | null>
  /** Null until the first message opens the conversation. */
  conversation_id: string | null
  /** Until when the platform accepts messages that are not replies. */
  writable_until: string
  /** Answers sent with it are free for a short while. */
  reply_token: string | null
  reply_token_until: string | null
  /** Set while people on the platform have the conversation because Parley handed it over. */
  handed_over_at: string | null
  /** When the person was last told that Parley cannot read what they sent. */
  unsupported_at: Generated<string | null>
  /** When there is something to do; null: there is nothing. */
  due_at: string | null
  /** Rises with each claim. Only the process with the newest lease may write. */
  lease: Generated<number>
  leased_until: string | null
  /** The process that holds the lease. */
  holder: Generated<string | null>
}

/** Leads to the chat of a person whom a platform knows under several ids, from each of these ids. */
export interface ThreadAliasesTable {
  channel_id: number
  alias: string
  thread: string
}

export interface MailboxItemsTable {
  id: Generated<number>
  mailbox_id: number
  channel_id: number
  /**
   * The platform's id of an incoming message, or of an outgoing one that the platform sends back; null: it goes out.
   */
  source_id: string | null
  /** The platform's id by which it reports that a message was edited or deleted. */
  platform_message_id: Generated<string | null>
  kind: string
  /** JSON: what came in, until it is stored as a message; null from then on. */
  payload: string | null
  /**
   * The message that an incoming item became, or that an outgoing one sends. The text is read when it is sent, so that
   * it goes out redacted.
   */
  message_id: number | null
  /** The completion of the prompt that the item became. */
  completion_id: string | null
  /** The same for every attempt to send the item. */
  retry_key: string | null
  /** The token with which it is sent as a reply; null: it is not a reply. */
  reply_token: Generated<string | null>
  /** How many parts of the message have been sent. */
  parts_sent: Generated<number>
  attempts: Generated<number>
  /** `sending`: a part of it may have been sent without Parley knowing. `parked`: it failed and may be replayed. */
  state: MailboxItemState
  due_at: string
  created_at: string
  finished_at: string | null
  /** Why the last attempt failed: a code, never text. */
  error: string | null
}

export type MailboxItemState = 'waiting' | 'sending' | 'done' | 'parked' | 'failed'

/** Scores texts for guardrails, CTAs and automations. */
export interface EvaluatorsTable {
  id: Generated<number>
  agent_id: number
  name: string
  /** KindName of src/evaluators. */
  kind: string
  /** JSON: the settings of the kind. A secret in it is sealed. */
  settings: string
  threshold: number
  /** Set for an evaluator that passes below the threshold instead. */
  invert: Flag
  /** What a failed evaluation counts as; null: neither passed nor failed. */
  on_error: 'pass' | 'fail' | null
  created_at: string
  updated_at: string
}

export interface KnowledgeDocumentsTable {
  id: Generated<number>
  agent_id: number
  /** Identifies the document across versions: a path, an address or an id; its title when none is given. */
  source: string
  title: string
  url: string | null
  /** Hash of everything that was given, so that an unchanged document is not cut and indexed again. */
  content_hash: string
  created_at: string
  updated_at: string
}

export interface KnowledgePassagesTable {
  id: Generated<number>
  agent_id: number
  document_id: number
  /** Order within the document. */
  position: number
  /** The headings above it, outermost first. */
  heading: string
  /** Fragment of the document's address, such as `redaction`. */
  anchor: string
  text: string
  /** How many of its words are indexed. */
  length: number
}

/** The index: which passages contain a word, and how much it weighs there. */
export interface KnowledgeWordsTable {
  agent_id: number
  word: string
  passage_id: number
  count: number
  /** The passage's length, repeated here so that a search reads only the index. */
  length: number
}

/** How many passages of an agent contain each word. Words that no passage contains have no row. */
export interface KnowledgeVocabularyTable {
  agent_id: number
  word: string
  passages: number
}

/** One row per agent that has documents: the sums that the ranking needs. */
export interface KnowledgeTotalsTable {
  agent_id: number
  passages: number
  words: number
}

/** A person of a team. */
export interface OperatorsTable {
  id: Generated<number>
  team_id: number
  name: string
  /** The name that end users see; null: the first word of the name. */
  display_name: string | null
  /** In lower case; unique in the installation. */
  email: string
  /** A Right of src/http, but never `chat`. */
  right: string
  active: Generated<Flag>
  /** Null until the person has joined, and for people who sign in through an identity provider. */
  password_hash: string | null
  /** Sealed; null: no second factor. */
  totp_secret: string | null
  /** Sealed: a new secret that waits for its first valid code. */
  totp_pending: string | null
  /** The time step of the last code that was accepted. */
  totp_step: number | null
  /** JSON array of hashes. */
  recovery_codes: string | null
  oidc_issuer: string | null
  oidc_subject: string | null
  created_at: string
  joined_at: string | null
  last_seen_at: string | null
}

/** Links by which people join or choose a new password. Each works once. */
export interface OperatorLinksTable {
  hash: string
  operator_id: number
  expires_at: string
}

export interface OperatorSessionsTable {
  id: Generated<number>
  operator_id: number
  hash: string
  created_at: string
  used_at: string
  expires_at: string
  address: string | null
  user_agent: string | null
}

/** Refused sign-ins of the last minutes, by account and by address. */
export interface SignInFailuresTable {
  id: Generated<number>
  scope: string
  at: string
}

/** Who did what. */
export interface AuditTable {
  id: Generated<number>
  team_id: number
  agent_id: number | null
  at: string
  actor_kind: 'operator' | 'token' | 'command_line' | 'system'
  actor_id: number | null
  actor_name: string | null
  /** A noun and a past verb, such as `agent.paused`. */
  action: string
  target: string | null
  /** JSON object, without secrets and without the text of end users. */
  details: string | null
  address: string | null
}

export type OperatorRow = Selectable<OperatorsTable>
export type OperatorSessionRow = Selectable<OperatorSessionsTable>
export type AuditRow = Selectable<AuditTable>

/** Passages that no search finds: those of a document that is being written, and those that are being removed. */
export interface KnowledgeHiddenTable {
  agent_id: number
  passage_id: number
  /** Identifies one writing or one removal of a document. */
  edition: string
  hidden_at: string
}

export type ConversationRow = Selectable<ConversationsTable>
export type CompletionRow = Selectable<CompletionsTable>
export type MessageRow = Selectable<MessagesTable>
export type AgentRow = Selectable<AgentsTable>
export type EvaluatorRow = Selectable<EvaluatorsTable>
export type RuleRow = Selectable<RulesTable>
export type EvaluationRow = Selectable<EvaluationsTable>
export type AutomationJobRow = Selectable<AutomationJobsTable>
export type NoteRow = Selectable<ConversationNotesTable>
export type NotificationRow = Selectable<NotificationsTable>
export type DeliveryRow = Selectable<DeliveriesTable>
export type EventRow = Selectable<EventsTable>
export type ChannelRow = Selectable<ChannelsTable>
export type MailboxRow = Selectable<MailboxesTable>
export type MailboxItemRow = Selectable<MailboxItemsTable>
