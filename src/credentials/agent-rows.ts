import type { AgentRows } from '../storage/erase-rows.ts'

/** The keys of an agent. */
export const credentialRows: readonly AgentRows[] = [{ table: 'api_keys', key: 'id' }]
