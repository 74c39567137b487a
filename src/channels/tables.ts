import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** An account on a messaging platform that an agent speaks through. */
export interface ChannelsTable {
  id: Generated<number>
  agent_id: number
  team_id: number
  /** PlatformKind of src/platforms. */
  kind: string
  name: string | null
  active: Generated<Flag>
  /** JSON: the platform's settings; secrets in it are sealed. */
  settings: string
  created_at: string
  updated_at: string
}

export type ChannelRow = Selectable<ChannelsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    channels: ChannelsTable
  }
}
