import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { WorkColumns } from '../work/work-columns.ts'

/** Calls of agents' own tools, stored so that each is sent only once. The message holds the name and the arguments. */
export interface ToolCallsTable {
  id: Generated<number>
  agent_id: number
  completion_id: string
  /** The message with the call. */
  message_id: number
  /** The position of the call among the message's calls. */
  position: number
  /** 1 if the tool allowed a repeat when it was called. */
  idempotent: Flag
  /** `sending` is stored before the call is sent. `unknown`: it was sent, and nobody saw the outcome. */
  state: 'sending' | 'done' | 'unknown'
}

/** Summaries of long conversations. */
export interface ConversationSummariesTable extends WorkColumns {
  id: Generated<number>
  agent_id: number
  conversation_id: string
  /** Null: there is none yet, or it was forgotten. */
  content: string | null
  /** The id of the newest message that it covers. */
  covered_id: Generated<number>
  /** The time at which the conversation is to be summarized; null: it is not too long. */
  due_at: string | null
}

export type SummaryRow = Selectable<ConversationSummariesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    tool_calls: ToolCallsTable
    conversation_summaries: ConversationSummariesTable
  }
}
