import type { AgentRows } from '../storage/erase-rows.ts'

/** The versions of an agent's settings. */
export const versionRows: readonly AgentRows[] = [{ table: 'agent_versions', key: 'number', isNested: true }]
