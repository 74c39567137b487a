import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import type { UserKey } from '../users/user-key.ts'
import type { WorkColumns } from '../work/work-columns.ts'
import type { Outcome } from './conversations/outcomes.ts'

/** One row per agent: the number of conversations it has opened, and the id of the newest one. */
export interface AgentCountersTable {
  agent_id: number
  conversations: number
  last_conversation_id: string
}

export interface ConversationsTable {
  id: string
  agent_id: number
  team_id: number
  /**
   * The number of the conversation: the agent's are numbered from 1 without gaps, in the order of (started_at, id). A
   * page is a range of numbers.
   */
  sequence: number
  external_id: string | null
  /** The name of its chat on a channel, where `external_id` is the caller's; null: `external_id` has it, if any. */
  chat: Generated<string | null>
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
  /** The language of the last prompt whose language could be determined. */
  language: Generated<string | null>
  /** The time since which it waits for a person, and the reason; null: it does not wait. */
  waiting_since: Generated<string | null>
  waiting_reason: Generated<WaitingReason | null>
  /** The operator to whom it is assigned. */
  assignee_id: Generated<number | null>
  /** The group of the team that it is for. */
  group_id: Generated<number | null>
  /** The widget through which the conversation came. */
  widget_id: Generated<number | null>
  /** The rank of its priority, as `priority.ts` has it. */
  priority: Generated<number>
  /** The time until which it is put aside; null: it is not. */
  snoozed_until: Generated<string | null>
  /** The way in which it ended; null: it has not ended, or a version that kept none ended it. */
  outcome: Generated<Outcome | null>
  /** JSON: the actor who said so, as in happenings. */
  outcome_by: Generated<string | null>
  /** The time at which the next clock of a target is due, or was; null: none runs. */
  due_at: Generated<string | null>
}

/** The conversations whose users are told that nobody is there. A row is work while `due_at` is set. */
export interface AwayMessagesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** The time until which nobody is there, as the user was told last; null: they never were. */
  told_until: Generated<string | null>
  due_at: string | null
}

/** The conversations in which something follows if their users say nothing after an answer. */
export interface SilencesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** 1 once the user was asked whether there is anything else. */
  followed_up: Generated<Flag>
  due_at: string | null
}

/**
 * The reason why a conversation waits for a person: a person was asked for, the agent had no answer, the user wrote
 * while the agent was paused, the model or the channel failed, or a guardrail or the user flagged something.
 */
export type WaitingReason = 'asked' | 'unanswered' | 'paused' | 'failed' | 'flagged'

/** The tags of conversations with a short plain value, for filters. */
export interface ConversationTagsTable {
  conversation_id: string
  name: string
  value: string
  agent_id: number
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
  /** The code of the error, if the prompt was answered with one. */
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
  /** JSON array of the automations that have run so far, with their outcomes; null: none has ended. */
  automations: string | null
  /** JSON object: the model server's token counts. */
  usage: string | null
  /** The way in which its texts were redacted; null: some are not redacted yet. */
  redacted: RedactionMode | null
  /** The proven id of the user who wrote the prompt, by which tools act for them; null: none was proven. */
  proven_id: Generated<string | null>
  /** Counts the transactions that may have rewritten its texts. */
  redactions: Generated<number>
  /** The erasure that redacted it last; null: none, or a version that gave no receipts. */
  erasure_id: Generated<string | null>
  /** The process that makes the answer. */
  holder: Generated<string | null>
  /** The time at which another process took the completion over from a process that was gone. */
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
  /** A MessageKind of src/platforms, for what a person sent instead of text; null: it is text. */
  kind: Generated<string | null>
  /** The progress of its delivery to its channel; null: it is not sent through a channel, or was held back. */
  delivery: Generated<DeliveryStatus | null>
  /** A DeliveryReason of src/platforms, for a message that failed or whose delivery is unknown. */
  delivery_reason: Generated<string | null>
  /** The signed-in person who wrote it; null: the author's name came with a token. */
  operator_id: Generated<number | null>
  /** 1 for an answer that its user never saw, because the agent had been paused by the time it was ready. */
  withheld: Generated<Flag>
  /**
   * The round of the turn in which a call of the agent's own tools was made, for the call and its result; null: a
   * message of the prompt, or the answer.
   */
  round: Generated<number | null>
  /** JSON array of its files; null: it has none. */
  attachments: Generated<string | null>
  /** JSON: the TemplateUse of src/platforms that it is sent as; null: it is sent as text. */
  template: Generated<string | null>
  /** The earlier texts that it quotes below its content, for people alone; null: none. */
  quoted: Generated<string | null>
  /** The address to which it went by mail, because nobody saw it in the widget; null: none, or forgotten. */
  mailed_to: Generated<string | null>
  /** The time at which it went there, or was to go. */
  mailed_at: Generated<string | null>
}

/** The progress of a message on its way through a channel. `unknown`: it may have arrived. */
export type DeliveryStatus = 'queued' | 'sent' | 'read' | 'unknown' | 'failed'

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
  /** The way in which a rating without a completion was redacted. Other ratings are redacted with their completion. */
  redacted: Generated<RedactionMode | null>
  created_at: string
}

/** The conversations whose users were asked for a rating in their channel. */
export interface RatingRequestsTable {
  conversation_id: string
  agent_id: number
  /** The message that asked last. */
  message_id: number
  asked_at: string
}

/** Happenings in conversations, other than messages, with their actors. They hold no text of end users. */
export interface HappeningsTable {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  kind:
    | 'assigned'
    | 'paused'
    | 'resumed'
    | 'ended'
    | 'outcome'
    | 'reopened'
    | 'waiting'
    | 'tagged'
    | 'prioritized'
    | 'snoozed'
    | 'unsnoozed'
    | 'target_missed'
    | 'target_moved'
    | 'rated'
    | 'note'
    | 'rule_fired'
    | 'rule_failed'
    | 'macro'
    | 'macro_undone'
    | 'failed'
  at: string
  /** The id of the conversation's last message at the time; 0: there was none. */
  after_message: number
  actor_kind: 'operator' | 'token' | 'command_line' | 'system' | 'rule' | 'user' | 'channel'
  actor_id: number | null
  actor_name: string | null
  completion_id: string | null
  /** The id of the note, for a happening of the kind `note`. */
  note_id: number | null
  /** JSON object: the reason, and what changed. */
  details: string | null
  /** The run of a macro that it belongs to; null: none. Only the run itself is a line of the timeline. */
  part_of: Generated<number | null>
  /** The id of the completion, conversation or happening that an act of a rule goes back to; null: no rule acts. */
  cause: Generated<string | null>
}

/** The keys of conversations, from which the numbers of placeholders in their texts are made. */
export interface ConversationKeysTable {
  conversation_id: string
  agent_id: number
  key: string
}

export type ConversationRow = Selectable<ConversationsTable>
export type AwayMessageRow = Selectable<AwayMessagesTable>
export type SilenceRow = Selectable<SilencesTable>
export type CompletionRow = Selectable<CompletionsTable>
export type MessageRow = Selectable<MessagesTable>
export type EvaluationRow = Selectable<EvaluationsTable>
export type RatingRow = Selectable<RatingsTable>
export type HappeningRow = Selectable<HappeningsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    agent_counters: AgentCountersTable
    conversations: ConversationsTable
    away_messages: AwayMessagesTable
    silences: SilencesTable
    completions: CompletionsTable
    messages: MessagesTable
    evaluations: EvaluationsTable
    ratings: RatingsTable
    rating_requests: RatingRequestsTable
    happenings: HappeningsTable
    conversation_keys: ConversationKeysTable
    conversation_tags: ConversationTagsTable
  }
}
