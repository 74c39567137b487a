import type { AgentRows } from '../storage/erase-rows.ts'

/** The rows of an agent by which repeated requests are recognized. */
export const repeatRows: readonly AgentRows[] = [{ table: 'idempotency_keys', key: 'key', isNested: true }]
