import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** Where events are sent. */
export interface NotificationsTable {
  id: Generated<number>
  agent_id: number
  name: string
  url: string
  security: 'signature' | 'shared_secret'
  /** Sealed. */
  secret: string
  /** Sealed. Signs beside the new secret for a while after a rotation. */
  previous_secret: string | null
  previous_secret_until: string | null
  /** JSON array of keys, or `["*"]`. */
  events: string
  active: Generated<Flag>
  /** How many deliveries have failed since the last that succeeded. */
  failures: Generated<number>
  /** Nothing is sent before this time, because the endpoint keeps failing. */
  held_until: string | null
  created_at: string
  updated_at: string
}

/** Which active notifications receive an event of an agent. */
export interface NotificationKeysTable {
  agent_id: number
  key: string
  notification_id: number
}

/** The right to send one delivery of a notification at a time. There are as many rows as deliveries may run at once. */
export interface NotificationSlotsTable {
  notification_id: number
  slot: number
  holder: string | null
  held_until: string | null
}

export type DeliveryState =
  | 'pending'
  | 'sending'
  | 'delivered'
  | 'rejected'
  | 'failed'
  | 'blocked'
  | 'expired'
  | 'unknown'

export interface DeliveriesTable {
  id: Generated<number>
  notification_id: number
  agent_id: number
  /** Null: a test delivery. */
  event_id: number | null
  event_key: string
  completion_id: string | null
  state: DeliveryState
  created_at: string
  sent_at: string | null
  finished_at: string | null
  /** HTTP status of the receiver's answer. */
  status: number | null
  /** Why there was no answer: an OutboundReason. */
  failure: string | null
  duration_ms: number | null
  /** The beginning of the receiver's answer. */
  answer: string | null
  /** The body as it was signed and sent; null before sending and after a redaction. */
  payload: string | null
  /** The delivery that this one repeats. */
  replay_of: number | null
}

export type NotificationRow = Selectable<NotificationsTable>
export type DeliveryRow = Selectable<DeliveriesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    notifications: NotificationsTable
    notification_keys: NotificationKeysTable
    notification_slots: NotificationSlotsTable
    deliveries: DeliveriesTable
  }
}
