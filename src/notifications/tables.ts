import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** An endpoint to which events of an agent are sent. */
export interface NotificationsTable {
  id: Generated<number>
  agent_id: number
  name: string
  url: string
  security: 'signature' | 'shared_secret'
  /** Sealed. */
  secret: string
  /** Sealed. Signs as well as the new secret for a while after a rotation. */
  previous_secret: string | null
  previous_secret_until: string | null
  /** JSON array of keys, or `["*"]`. */
  events: string
  active: Generated<Flag>
  /** The number of consecutive deliveries without an HTTP answer. */
  failures: Generated<number>
  /** The time before which nothing is sent, set when the endpoint keeps failing. */
  held_until: string | null
  /** Rises with each claim. Only the worker with the newest lease sends. */
  lease: Generated<number>
  leased_until: string | null
  /** The process that holds the lease. */
  holder: Generated<string | null>
  created_at: string
  updated_at: string
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
  /** The event; null for a test delivery. */
  event_id: number | null
  event_key: string
  completion_id: string | null
  state: DeliveryState
  created_at: string
  sent_at: string | null
  finished_at: string | null
  /** HTTP status of the receiver's answer. */
  status: number | null
  /** The OutboundReason for a missing answer. */
  failure: string | null
  duration_ms: number | null
  /** The beginning of the receiver's answer. */
  answer: string | null
  /** The body as it was signed and sent; null before sending and after a redaction. */
  payload: string | null
  /** Id of the delivery that this one repeats. */
  replay_of: number | null
}

export type NotificationRow = Selectable<NotificationsTable>
export type DeliveryRow = Selectable<DeliveriesTable>

declare module '../storage/tables.ts' {
  interface Tables {
    notifications: NotificationsTable
    deliveries: DeliveriesTable
  }
}
