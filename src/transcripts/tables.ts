import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** How a text was redacted. */
export type RedactionMode = 'anonymize' | 'scrub'

/** One row per agent: how many conversations it has opened, and the newest one's id. */
export interface AgentCountersTable {
  agent_id: number
  conversations: number
  last_conversation_id: string
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

export type ConversationRow = Selectable<ConversationsTable>
export type CompletionRow = Selectable<CompletionsTable>
export type MessageRow = Selectable<MessagesTable>
export type EvaluationRow = Selectable<EvaluationsTable>
export type NoteRow = Selectable<ConversationNotesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    agent_counters: AgentCountersTable
    users: VisitorsTable
    devices: VisitorsTable
    sessions: VisitorsTable
    conversations: ConversationsTable
    completions: CompletionsTable
    messages: MessagesTable
    evaluations: EvaluationsTable
    conversation_notes: ConversationNotesTable
  }
}
