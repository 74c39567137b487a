/** A change in the data of an agent that people see. It holds no text: readers fetch that from the tables. */
export type Change = { agent_id: number; conversation_id: string | null } & LoggedChange

/** A change as the log stores it, beside the ids of agent and conversation. */
export type LoggedChange =
  | {
      type: 'conversation'
      /** The names of the changed fields. */
      fields: string[]
      /** The person and the group that had it, when it was given to others. */
      from?: { assignee_id: number | null; group_id: number | null }
    }
  | { type: 'message'; message_id: number }
  | { type: 'message_changed'; message_id: number }
  | {
      type: 'agent'
      /** The `created_at` of the messages that this change wrote into the agent's open conversations. */
      said_at?: string
    }
  /** The agent's canned replies. */
  | { type: 'replies' }
