import type { AgentRows } from '../storage/erase-rows.ts'

/** The connections of an agent's channels. */
export const connectionRows: readonly AgentRows[] = [
  { table: 'channel_connections', key: 'id', isNested: true },
]
