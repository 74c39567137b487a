import type { AgentRows } from '../storage/erase-rows.ts'

/** What an agent's settings were. */
export const versionRows: readonly AgentRows[] = [{ table: 'agent_versions', key: 'number', isNested: true }]
