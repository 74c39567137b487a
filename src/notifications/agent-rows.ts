import type { AgentRows } from '../storage/erase-rows.ts'

/** Where an agent's events are sent, and how that went. */
export const notificationRows: readonly AgentRows[] = [
  { table: 'deliveries', key: 'id' },
  { table: 'notifications', key: 'id' },
]
