import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's canned replies. */
export const replyRows: readonly AgentRows[] = [{ table: 'replies', key: 'id' }]
