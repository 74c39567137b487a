import type { AgentRows } from '../storage/erase-rows.ts'

/** What is kept of an agent's requests. */
export const chatRows: readonly AgentRows[] = [{ table: 'idempotency_keys', key: 'key', isNested: true }]
