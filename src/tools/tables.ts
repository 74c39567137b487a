import type { Generated, Selectable } from 'kysely'
import type { Flag } from '../storage/flag.ts'
import type { ToolKind } from './schemas.ts'
import type { Requirement } from './tool.ts'

/** The tools that an agent's model may call. */
export interface ToolsTable {
  id: Generated<number>
  agent_id: number
  /** Unique in the agent. */
  name: string
  kind: ToolKind
  active: Flag
  /** Set when a call that may have happened can be made again. Servers of the kind `mcp` tell this for each tool. */
  idempotent: Flag
  /** The proof that it requires of the user; null: the proof that its templates need. */
  requires: Generated<Requirement | null>
  /** Set when calls get the values for which the model was given placeholders. */
  restore: Generated<Flag>
  /** JSON: HttpSettings or McpSettings, by the kind. */
  settings: string
  /** JSON, sealed: the headers and the origin that they are sent to; null: there are none. */
  headers: string | null
  created_at: string
  updated_at: string
}

export type ToolRow = Selectable<ToolsTable>

declare module '../storage/tables.ts' {
  interface Tables {
    tools: ToolsTable
  }
}
