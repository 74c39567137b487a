import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's channels. */
export const channelRows: readonly AgentRows[] = [{ table: 'channels', key: 'id' }]
