import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'

/** Chats on web sites: their look, their allowed origins and the identification of their visitors. */
export interface WidgetsTable {
  id: Generated<number>
  agent_id: number
  name: string
  active: Flag
  /** Identifies the widget in the pages that contain it; not a secret. */
  public_key: string
  /** JSON array of origins and `https://*.` patterns; when empty, only the service's own origin. */
  allowed_origins: string
  /** JSON object: Look. */
  look: string
  /** JSON object: Texts by language. */
  texts: string
  /** Says whether visitors may or must be known users of the site; `off` when no visitor can be. */
  identity: 'optional' | 'required' | 'off'
  /** Says which files visitors may send; null: `off`. */
  uploads: Generated<'off' | 'images' | 'files' | null>
  /** The channel by which answers go that the visitor has not seen; null: none do. */
  continue_by: Generated<number | null>
  /** The minutes for which they wait to be seen; null: 5. */
  continue_after: Generated<number | null>
  /** Sealed. The site signs the ids of its users with it. */
  identity_secret: string
  /** Counts the rotations of the secret: an identity proven with an earlier secret no longer counts. */
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
