import type { Generated, Selectable } from 'kysely'
import { deliveryReasons } from '../../platforms/platform.ts'

/** The reasons for which a channel is not connected. `internal` is an error of the service: its log has it. */
export const connectionFailures = [...deliveryReasons, 'internal'] as const

/** The connections of channels whose platforms Parley itself tells where to send events, or asks for them. */
export interface ChannelConnectionsTable {
  /** The id of the channel. */
  id: number
  agent_id: number
  /** Says whether the platform calls, or is asked for events; null until it is connected, and while it is off. */
  way: 'webhook' | 'polling' | null
  /** The address to which the platform was told to send events. */
  webhook_url: string | null
  /** The end of the events that are stored, in the adapter's own form; null when the platform keeps it. */
  position: Generated<string | null>
  /** The reason why the last try failed; null when it did not. */
  failure: (typeof connectionFailures)[number] | null
  attempts: Generated<number>
  /** The time at which it is to be connected. It stays in the past while the platform is asked for events. */
  due_at: string | null
  lease: Generated<number>
  leased_until: string | null
  holder: Generated<string | null>
}

export type ChannelConnectionRow = Selectable<ChannelConnectionsTable>

declare module '../../storage/tables.ts' {
  interface Tables {
    channel_connections: ChannelConnectionsTable
  }
}
