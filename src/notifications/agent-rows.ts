import type { AgentRows } from '../storage/erase-rows.ts'

/** Where an agent's events are sent, and how that went. */
export const notificationRows: readonly AgentRows[] = [
  { table: 'deliveries', key: 'id' },
  { table: 'notification_keys', key: 'key', isNested: true },
  {
    table: 'notification_slots',
    key: 'notification_id',
    through: { column: 'notification_id', table: 'notifications', refersTo: 'id' },
  },
  { table: 'notifications', key: 'id' },
]
