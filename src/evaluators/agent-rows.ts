import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's evaluators. */
export const evaluatorRows: readonly AgentRows[] = [{ table: 'evaluators', key: 'id' }]
