import type { Generated } from 'kysely'
import type { Flag } from '../storage/flag.ts'

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

declare module '../storage/tables.ts' {
  interface Tables {
    tool_calls: ToolCallsTable
  }
}
