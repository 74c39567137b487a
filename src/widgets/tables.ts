import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** Chats on web sites: how they look, where they may stand and how their visitors are known. */
export interface WidgetsTable {
  id: Generated<number>
  agent_id: number
  name: string
  active: Flag
  /** Names the widget in the pages that have it; no secret. */
  public_key: string
  /** JSON array of origins and `https://*.` patterns; empty: only the service's own origin. */
  allowed_origins: string
  /** JSON object: Look. */
  look: string
  /** JSON object: Texts by language. */
  texts: string
  /** Whether visitors may or must be known users of the site; `off`: nobody is. */
  identity: 'optional' | 'required' | 'off'
  /** Sealed. The site signs the ids of its users with it. */
  identity_secret: string
  /** Counts the rotations of the secret: who was known by an earlier one is known no longer. */
  secret_version: number
  created_at: string
  updated_at: string
}

export type WidgetRow = Selectable<WidgetsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    widgets: WidgetsTable
  }
}
