import type { AgentRows } from '../storage/erase-rows.ts'

/** The notifications of an agent and their deliveries. */
export const notificationRows: readonly AgentRows[] = [
  { table: 'deliveries', key: 'id' },
  { table: 'notifications', key: 'id' },
]
