import type { AgentRows } from '../storage/erase-rows.ts'

/** An agent's keys. */
export const credentialRows: readonly AgentRows[] = [{ table: 'api_keys', key: 'id' }]
