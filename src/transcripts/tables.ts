import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'
import type { Proof, UserKey } from './users/user-key.ts'

/** How a text was redacted. */
export type RedactionMode = 'anonymize' | 'scrub'

/** One row per agent: how many conversations it has opened, and the newest one's id. */
export interface AgentCountersTable {
  agent_id: number
  conversations: number
  last_conversation_id: string
}

/** The first sight of a device or a session. The ids are the caller's own. */
export interface VisitorsTable {
  agent_id: number
  id: string
  first_seen_at: string
}

export interface UsersTable {
  agent_id: number
  /** The key of `user-key.ts`: the id with its source. */
  id: UserKey
  first_seen_at: string
  /** The id as its source gave it; null: the row is of a version that knew no sources. */
  given_id: Generated<string | null>
  /** The proof of who they are when they wrote last; null: as `given_id`. */
  proof: Generated<Proof | null>
  /** Null: not known. */
  name: Generated<string | null>
  /** JSON object of texts, numbers and booleans; null: none. */
  attributes: Generated<string | null>
  /** Noted of users of widgets by versions that knew no sources. */
  identity: Generated<'verified' | 'visitor' | null>
}

/**
 * Ids that a version that knows no sources has stored since the migration 0046, whose triggers write the rows: the ids
 * are given their source.
 */
export interface UnsourcedUsersTable {
  agent_id: number
  id: UserKey
  /** Empty: at once. What was still being stored at the time is found by a second look. */
  due_at: Generated<string>
}

/** The words in the names and attributes of end users. */
export interface UserWordsTable {
  agent_id: number
  word: string
  user_id: UserKey
}

export interface ConversationsTable {
  id: string
  agent_id: number
  team_id: number
  /**
   * Counts the agent's conversations from 1 without gaps, in the order of (started_at, id). A page is a range of it.
   */
  sequence: number
  external_id: string | null
  user_id: UserKey | null
  /** The channel through which the conversation came; null: the API. */
  channel_id: number | null
  /** JSON object or null. */
  tags: string | null
  started_at: string
  ended_at: string | null
  agent_paused: Generated<Flag>
  agent_paused_at: string | null
  agent_resumed_at: string | null
  /** The language of the last prompt whose language could be told. */
  language: Generated<string | null>
  /** Since when it waits for a person, and why; null: it does not. */
  waiting_since: Generated<string | null>
  waiting_reason: Generated<WaitingReason | null>
  /** The operator to whom it is assigned. */
  assignee_id: Generated<number | null>
  /** The widget through which the conversation came. */
  widget_id: Generated<number | null>
}

/**
 * Why a conversation waits for a person: a person was asked for, the agent had no answer, the user wrote while the
 * agent was paused, the model or the channel failed, or a guardrail or the user flagged something.
 */
export type WaitingReason = 'asked' | 'unanswered' | 'paused' | 'failed' | 'flagged'

/** The tags of conversations with a short plain value, for filters. */
export interface ConversationTagsTable {
  conversation_id: string
  name: string
  value: string
  agent_id: number
}

/** How far an operator has read a conversation. */
export interface ReadMarksTable {
  conversation_id: string
  operator_id: number
  agent_id: number
  message_id: number
}

/**
 * What the inbox is ordered and filtered by. Only triggers of the database write it (migration 0026).
 */
export interface InboxRowsTable {
  conversation_id: string
  agent_id: number
  sequence: number
  /** 0: open and nobody's; 1: open and somebody's; 2: ended. */
  state: 0 | 1 | 2
  /** Whether the agent is paused in the conversation, which is open. */
  is_paused: Flag
  /** 0: nobody. */
  assignee_id: number
  waiting_since: string | null
  channel_id: number | null
  user_id: UserKey | null
  language: string | null
  /** The last message that a person or the agent wrote; 0: none. */
  last_message_id: Generated<number>
  last_message_at: string | null
}

/**
 * How many open conversations an operator (0: nobody) has, and how many of them wait for a person. The count is the sum
 * of several shards. The same triggers write it.
 */
export interface InboxCountersTable {
  agent_id: number
  assignee_id: number
  shard: number
  open_count: number
  waiting_count: number
}

export interface CompletionsTable {
  number: Generated<number>
  id: string
  agent_id: number
  conversation_id: string
  channel_id: number | null
  user_id: UserKey | null
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
  /** How its texts were redacted; null: some are not redacted yet. */
  redacted: RedactionMode | null
  /** The id of the user that was proven when they wrote the prompt, by which tools act for them; null: none was. */
  proven_id: Generated<string | null>
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
  /** Whether it has reached its channel; null: it is not sent through a channel, or was held back. */
  delivery: Generated<DeliveryStatus | null>
  /** DeliveryReason of src/platforms, for a message that failed or whose delivery is unknown. */
  delivery_reason: Generated<string | null>
  /** The person who wrote it, signed in; null: the author is whoever a token named. */
  operator_id: Generated<number | null>
  /** Set for an answer that its user never saw, because the agent had been paused by the time it was ready. */
  withheld: Generated<Flag>
  /**
   * For a call of the agent's own tools and its result: the round of the turn in which it was made; null: a message of
   * the prompt, or the answer.
   */
  round: Generated<number | null>
}

/** The calls of agents' own tools, so that each leaves once. What is called with what stands in the message. */
export interface ToolCallsTable {
  id: Generated<number>
  agent_id: number
  completion_id: string
  /** The message with the call. */
  message_id: number
  /** Which of the message's calls it is. */
  position: number
  /** Whether it can be made again, as the tool was when it was called. */
  idempotent: Flag
  /** `sending` is stored before it leaves. `unknown`: it left, and nobody saw the outcome. */
  state: 'sending' | 'done' | 'unknown'
}

/** How far a message has come on its way through a channel. `unknown`: it may have arrived. */
export type DeliveryStatus = 'queued' | 'sent' | 'unknown' | 'failed'

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

/** Notes that people and automations leave for people. */
export interface ConversationNotesTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** The latest completion when the note was written; null: the conversation had none. */
  completion_id: string | null
  text: string
  /** The name of the person, the token or the automation. */
  author: string
  /** The person who wrote it. */
  operator_id: Generated<number | null>
  /** JSON array of the people it mentions, `{"id","name"}`; null: nobody. */
  mentions: Generated<string | null>
  /** How a note without a completion was redacted. Other notes are redacted with their completion. */
  redacted: Generated<RedactionMode | null>
  created_at: string
}

/** The last rating of each conversation by its end user. */
export interface RatingsTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** The latest completion when the rating was given; null: the conversation had none. */
  completion_id: string | null
  /** 1 to 5. */
  score: number
  comment: string | null
  /** As for notes. */
  redacted: Generated<RedactionMode | null>
  created_at: string
}

/** What happened in conversations other than messages, and who did it. No text of end users. */
export interface HappeningsTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  kind:
    | 'assigned'
    | 'paused'
    | 'resumed'
    | 'ended'
    | 'reopened'
    | 'waiting'
    | 'tagged'
    | 'rated'
    | 'note'
    | 'rule_fired'
    | 'rule_failed'
    | 'failed'
  at: string
  /** The id of the conversation's last message at the time; 0: there was none. */
  after_message: number
  actor_kind: 'operator' | 'token' | 'command_line' | 'system' | 'rule' | 'user' | 'channel'
  actor_id: number | null
  actor_name: string | null
  completion_id: string | null
  /** For a note. */
  note_id: number | null
  /** JSON object: the reason, and what changed. */
  details: string | null
}

/** What people are writing in conversations. A row stays when its draft is sent, so that its version goes on. */
export interface DraftsTable {
  agent_id: number
  conversation_id: string
  operator_id: number
  mode: 'reply' | 'note'
  /** Null: it was sent, deleted or forgotten. */
  content: string | null
  /** Counts the changes. */
  version: number
  updated_at: string
}

/** What was said in a long conversation, in short. */
export interface ConversationSummariesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** Null: there is none yet, or it was forgotten. */
  content: string | null
  /** The newest message that it covers. */
  covered_id: Generated<number>
  attempts: Generated<number>
  /** When the conversation is summarized; null: it is not too long. */
  due_at: string | null
  lease: Generated<number>
  leased_until: string | null
  holder: Generated<string | null>
}

export interface IdempotencyKeysTable {
  agent_id: number
  key: string
  /** Keyed hash of the request, to recognize a different one with the same key; empty: not known. */
  fingerprint: string
  /** What the request has made: a completion, or a message of an operator; then this is empty. */
  completion_id: string
  message_id: Generated<number | null>
  created_at: string
}

export type SummaryRow = Selectable<ConversationSummariesTable>
export type DraftRow = Selectable<DraftsTable>
export type ConversationRow = Selectable<ConversationsTable>
export type InboxRow = Selectable<InboxRowsTable>
export type UserRow = Selectable<UsersTable>
export type CompletionRow = Selectable<CompletionsTable>
export type MessageRow = Selectable<MessagesTable>
export type ToolCallRow = Selectable<ToolCallsTable>
export type EvaluationRow = Selectable<EvaluationsTable>
export type NoteRow = Selectable<ConversationNotesTable>
export type RatingRow = Selectable<RatingsTable>
export type HappeningRow = Selectable<HappeningsTable>
export type IdempotencyKeyRow = Selectable<IdempotencyKeysTable>

declare module '../storage/tables.ts' {
  interface Tables {
    agent_counters: AgentCountersTable
    users: UsersTable
    user_words: UserWordsTable
    unsourced_users: UnsourcedUsersTable
    devices: VisitorsTable
    sessions: VisitorsTable
    conversations: ConversationsTable
    completions: CompletionsTable
    messages: MessagesTable
    tool_calls: ToolCallsTable
    evaluations: EvaluationsTable
    conversation_notes: ConversationNotesTable
    ratings: RatingsTable
    happenings: HappeningsTable
    drafts: DraftsTable
    conversation_summaries: ConversationSummariesTable
    conversation_tags: ConversationTagsTable
    read_marks: ReadMarksTable
    inbox_rows: InboxRowsTable
    inbox_counters: InboxCountersTable
    idempotency_keys: IdempotencyKeysTable
  }
}
