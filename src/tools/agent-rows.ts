import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's tools. */
export const toolRows: readonly AgentRows[] = [{ table: 'tools', key: 'id' }]
