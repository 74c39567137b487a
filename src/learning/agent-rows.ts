import type { AgentRows } from '../storage/erase-rows.ts'

/** The tables of what an agent learns from. */
export const learningRows: readonly AgentRows[] = [{ table: 'knowledge_proposals', key: 'id' }]
